"""Side values of a domain: worked out from what its cases state, as any value, and never used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import cycle, zip_longest

from sopforge.artifacts.complexity.added_fields import make_field, make_name
from sopforge.artifacts.complexity.passages import Passage, Where
from sopforge.artifacts.complexity.trade.known_values import list_known_at_decision
from sopforge.artifacts.complexity.trade.side_measures import iterate_measures
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.material.own_fields import is_free
from sopforge.artifacts.material.pools.side_values import (
    BANDS,
    CLASSES,
    ROLE_CHECKS,
    SIDE_CHECKS,
    SIDE_DAYS,
    SIDE_LABELS,
    SideCheck,
    SideLabel,
)
from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.marks import SIDE
from sopforge.artifacts.rendering.sop.references import PROCEDURE
from sopforge.artifacts.rendering.sop.sections.decisions import render_decision
from sopforge.artifacts.rendering.sop.sections.fields import render_definition
from sopforge.artifacts.rendering.sop.writer import Writer
from sopforge.language.domain.expressions.expressions import (
    AddDays,
    AnyOf,
    Compare,
    Constant,
    Expression,
    OneOf,
    Read,
    Relation,
)
from sopforge.language.domain.expressions.numbers import make_number_constant
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Decision, Formula, HitPolicy, Rule, Table
from sopforge.language.domain.values.types import DateType, EnumType, NumberType
from sopforge.language.logic.unwrapping import flatten_group, unwrap_node
from sopforge.proof.solving.arrivals import iterate_leaving_edges
from sopforge.seeds import permute_items

_LEAST_LABELS = 2
"""So many labels cases have of what a side value goes by: one alone would decide nothing."""


def iterate_side_passages(variant: Variant, seed: int) -> Iterator[Passage]:
    """Yield what a rule decides, measures, days and what ends record in turn, then the rest.

    Bands and classes come last: what gives a name to each part of something is seen to be made up.
    """
    stated = variant.model.case_inputs
    checks = _iterate_checks(variant, stated, seed)
    days = _iterate_days(variant, stated, seed)
    measured = _iterate_measured(variant, seed)
    recorded = _iterate_recorded(variant, seed)
    for turn in zip_longest(checks, measured, checks, days, recorded, measured):
        yield from filter(None, turn)
    yield from iterate_judged_by(variant, stated, seed)


def _iterate_checks(variant: Variant, items: Sequence[Field], seed: int) -> Iterator[Passage]:
    """Yield values that a step decides by a label it has decided, or by what a case states."""
    found = [*_iterate_of_decided(variant, seed), *_iterate_of_stated(variant, items, seed)]
    for check, (condition, beside) in zip(_iterate_free_checks(variant, seed), found, strict=False):
        kind = EnumType(check.values)
        item = make_field(check.name, Role.DERIVED, kind, check.description, check.label)
        table = _build_table(item, [condition], check.description)
        place = beside or _choose_neighbour(variant, check.name, seed)
        yield _make_passage(variant, item, table, place)


def _iterate_of_decided(variant: Variant, seed: int) -> Iterator[tuple[Expression, str]]:
    """Yield that a decided value has a label, and beside what that is known; each value once."""
    model, used = variant.model, set[str]()
    decided = {item.name for item in model.with_role(Role.DERIVED, Role.OUTCOME)}
    first = permute_items(_list_neighbours(variant), seed, "decided", model.name)
    others = permute_items(_list_stated_decisions(variant), seed, "decided", model.name)
    for target in dict.fromkeys((*first, *others)):
        known = [*list_known_at_decision(model, target), model.fields[target]]
        for item in permute_items(known, seed, "decided", target):
            label = _find_special_label(model, item, target)
            if item.name in decided - used and label is not None:
                used.add(item.name)
                yield Compare(Relation.EQ, Read(item.type, item.name), label), target
                break


def _find_special_label(model: DomainModel, item: Field, target: str) -> Constant | None:
    """Return the first label by the rules of a value that cases have where a target is decided.

    None where there is no such label, or no other.
    """
    table = model.decisions.get(item.name)
    if not isinstance(table, Table) or not isinstance(item.type, EnumType):
        return None
    gone = _list_gone_labels(model, item.name, target)
    if len(item.type.values) < len(gone) + _LEAST_LABELS:
        return None
    labels = (rule.then for rule in table.rules if isinstance(rule.then, Constant))
    return next((label for label in labels if label.value not in gone), None)


def _list_gone_labels(model: DomainModel, name: str, target: str) -> frozenset[object]:
    """Return the labels of a field that no case has at the step that decides a target.

    They are those with which earlier steps send cases elsewhere.
    """
    steps = [step for step in model.steps.values() if target in step.decide]
    edges = [edge for step in steps[:1] for edge in iterate_leaving_edges(model, step)]
    conditions = [unwrap_node(edge.when) for edge in edges if edge.when is not None]
    found: set[object] = set()
    for condition in conditions:
        for part in flatten_group(condition) if isinstance(condition, AnyOf) else [condition]:
            match unwrap_node(part):
                case Compare(Relation.EQ, Read(_, field), Constant() as label) if field == name:
                    found.add(label.value)
                case OneOf(Read(_, field), options) if field == name:
                    found.update(option.value for option in options)
    return frozenset(found)


def _iterate_of_stated(
    variant: Variant, items: Sequence[Field], seed: int
) -> Iterator[tuple[Expression, str]]:
    """Yield limits of what a case states, then some labels of it; they are known anywhere."""
    # A limit is what an office would go by; which labels are of a kind, it would say.
    by_limits = [item for item in items if isinstance(item.type, NumberType)]
    by_labels = [item for item in items if isinstance(item.type, EnumType)]
    for some in (by_limits, by_labels):
        for item in permute_items(some, seed, "checked", variant.model.name):
            condition = _build_high(variant.model, item, seed)
            if condition is not None:
                yield condition, ""


def _iterate_free_checks(variant: Variant, seed: int) -> Iterator[SideCheck]:
    """Yield what is decided about roles of a procedure, and what any office decides, in turn."""
    name = variant.model.name
    roles = permute_items(list(variant.setting.roles), seed, "notices", name)
    forms = permute_items(ROLE_CHECKS, seed, "notices", name, "forms")
    about_roles = [_name_role(form, role) for form, role in zip(cycle(forms), roles, strict=False)]
    others = permute_items(SIDE_CHECKS, seed, "checks", name)
    for turn in zip_longest(about_roles, others):
        for item in filter(None, turn):
            is_free_name = _is_free(variant, item.name, item.label)
            if is_free_name and _are_free_labels(variant.model, item.values):
                yield item


def _name_role(form: SideCheck, role: str) -> SideCheck:
    return replace(
        form,
        name=form.name.format(role=make_name(role)),
        label=form.label.format(role),
        description=form.description.format(role),
    )


def _build_high(model: DomainModel, item: Field, seed: int) -> Expression | None:
    """Return the condition that a number is high, or that a label is of a class; None for none."""
    kind = item.type
    found: Sequence[Expression] = ()
    if isinstance(kind, EnumType):
        found = _build_classes(item, kind, seed)
    # What has no unit may be a name, as the number of a coach.
    elif isinstance(kind, NumberType) and kind.unit:
        found = _build_bands(model, item, kind)
    return found[0] if found else None


def iterate_judged_by(variant: Variant, items: Sequence[Field], seed: int) -> Iterator[Passage]:
    """Yield the band or the class of each of some fields that has one."""
    for item in permute_items(items, seed, "judged"):
        kind = item.type
        if isinstance(kind, EnumType):
            word, pool, conditions = "class", CLASSES, _build_classes(item, kind, seed)
        elif isinstance(kind, NumberType) and kind.unit:
            word, pool, conditions = "band", BANDS, _build_bands(variant.model, item, kind)
        else:
            continue
        name, label = f"{item.name}_{word}", f"{word} of the {item.label}"
        labels = _choose_labels(variant.model, pool, item.name, seed)
        if labels and conditions and _is_free(variant, name, label):
            said = f"{word} into which the {item.label} falls"
            made = make_field(name, Role.DERIVED, EnumType(labels), said, label)
            yield _make_passage(
                variant,
                made,
                _build_table(made, conditions, said),
                _choose_neighbour(variant, name, seed),
            )


def _is_free(variant: Variant, name: str, label: str) -> bool:
    return is_free(variant.model, name) and is_unknown(name, label, variant)


def _choose_labels(
    model: DomainModel, pool: Sequence[tuple[str, ...]], name: str, seed: int
) -> tuple[str, ...]:
    """Return labels that no field of the domain has, () where each row has some of them."""
    free = [labels for labels in pool if _are_free_labels(model, labels)]
    return permute_items(free, seed, "labels", name)[0] if free else ()


def _are_free_labels(model: DomainModel, labels: Iterable[str]) -> bool:
    """Return whether no field of the domain has one of some labels."""
    kinds = [item.type for item in model.fields.values()]
    known = {x.lower() for kind in kinds if isinstance(kind, EnumType) for x in kind.values}
    return known.isdisjoint(label.lower() for label in labels)


def _build_table(item: Field, conditions: Sequence[Expression], description: str) -> Table:
    """Return the rules that give one label for each condition, and the last for all else."""
    kind = item.type
    labels = kind.values if isinstance(kind, EnumType) else ()
    values = [Constant(kind, kind.encode(label)) for label in labels]
    rules = [
        Rule(f"S{number}", condition, value)
        for number, (condition, value) in enumerate(zip(conditions, values, strict=False), 1)
    ]
    others = Rule("S0", None, values[-1])
    return Table(item.name, HitPolicy.FIRST, (*rules, others), description)


def _build_classes(item: Field, kind: EnumType, seed: int) -> list[Expression]:
    """Return two classes of the labels of a field, without the rest; [] where there is none."""
    labels = permute_items(kind.values, seed, "classes", item.name)
    size = len(labels) // 3
    read = Read(kind, item.name)
    classes = [
        [Constant(kind, kind.encode(label)) for label in labels[place * size : (place + 1) * size]]
        for place in range(2)
    ]
    return [
        OneOf(read, tuple(group)) if len(group) > 1 else Compare(Relation.EQ, read, group[0])
        for group in classes
        if group
    ]


def _build_bands(model: DomainModel, item: Field, kind: NumberType) -> list[Expression]:
    """Return the two upper thirds of the usual range of a number, bounded by round amounts."""
    low, high = get_usual_range(item, kind)
    amounts = [round_down(low + (high - low) * part // 3) for part in (2, 1)]
    if not low < amounts[1] < amounts[0] < high or collect_figures(model) & set(amounts):
        return []
    return [build_excess(item, kind, amount) for amount in amounts]


def get_usual_range(item: Field, kind: NumberType) -> tuple[int, int]:
    """Return the range in which a number usually lies."""
    usual = item.sampling.typical
    return (usual.minimum, usual.maximum) if usual else (kind.minimum, kind.maximum)


def collect_figures(model: DomainModel) -> frozenset[object]:
    """Return the amounts of limits: one that is put in beside them would be taken for the limit."""
    return frozenset(item.constant.value for item in model.policy.values())


def build_excess(item: Field, kind: NumberType, amount: int) -> Expression:
    """Return the condition that a number is above an amount."""
    limit = Constant(NumberType(amount, amount, kind.places, kind.unit), amount)
    return Compare(Relation.GT, Read(kind, item.name), limit)


def round_down(amount: int) -> int:
    """Return an amount of one digit before its zeros."""
    unit = int("1".ljust(len(str(abs(amount))), "0"))
    return amount // unit * unit


def _iterate_days(variant: Variant, items: Iterable[Field], seed: int) -> Iterator[Passage]:
    model = variant.model
    decided = collect_figures(model)
    dates = [item for item in items if isinstance(item.type, DateType)]
    free = [item for item in SIDE_DAYS if dates and _is_free(variant, item.name, item.label)]
    for number, day in enumerate(permute_items(free, seed, "side days", model.name)):
        date = dates[number % len(dates)]
        counts = [count for count in day.days if count not in decided]
        count = permute_items(counts, seed, "count", day.name)[0]
        item = make_field(day.name, Role.DERIVED, date.type, day.description, day.label)
        value = AddDays(date.type, Read(date.type, date.name), make_number_constant(count))
        formula = Formula(day.name, value, day.description)
        yield _make_passage(variant, item, formula, _choose_neighbour(variant, day.name, seed))


def _iterate_measured(variant: Variant, seed: int) -> Iterator[Passage]:
    """Yield spans, differences and shares of what steps know."""
    model = variant.model
    targets = _list_neighbours(variant)
    for measure in iterate_measures(model, targets, partial(_is_free, variant), seed):
        item = measure.item
        formula = Formula(item.name, measure.value, item.description)
        yield _make_passage(variant, item, formula, measure.beside)


def _iterate_recorded(variant: Variant, seed: int) -> Iterator[Passage]:
    """Yield what an end records besides its results."""
    model = variant.model
    ends = [f"end {step.id}.{name}" for step in model.steps.values() for name in step.end or {}]
    free = [item for item in SIDE_LABELS if _is_free(variant, item.name, item.label)]
    for label, end in zip(
        permute_items(free, seed, "recorded", model.name),
        permute_items(ends, seed, "ends"),
        strict=False,
    ):
        value = f'"{_choose_label(model, label, seed)}"'
        is_plain = label.label == label.name.replace("_", " ")
        named = label.label if is_plain else f"{label.label} ({label.name})"
        text = f"Record the {named} as {value}."
        line = Statement(Style.PARAGRAPH, text, excused=SIDE)
        yield Passage(line, Where(precedes=end))


def _choose_label(model: DomainModel, item: SideLabel, seed: int) -> str:
    return permute_items(item.values, seed, "recorded label", model.name, item.name)[0]


def _make_passage(variant: Variant, item: Field, decision: Decision, beside: str) -> Passage:
    """Return the lines that work a value out after another, and what the dictionary says of it."""
    model = variant.model
    further = replace(
        model,
        fields={**model.fields, item.name: item},
        decisions={**model.decisions, item.name: decision},
    )
    writer = Writer(further, has_names=False)
    first, *others = map(_mark, render_decision(writer, item.name))
    if not beside:
        return Passage(first, Where(section=PROCEDURE), following=tuple(others))
    where = Where(states=f"decision {beside}")
    if beside not in _list_neighbours(variant):
        return Passage(first, where, following=tuple(others))
    defined = _mark(render_definition(item))
    term = Passage(defined, Where(joins=f"term {beside}"))
    return Passage(first, where, following=tuple(others), besides=term)


def _mark(item: Statement) -> Statement:
    return replace(item, states=(), excused=SIDE)


def is_unknown(name: str, label: str, variant: Variant) -> bool:
    """Return whether neither a model nor its SOP names a value, by its name or its label."""
    labels = {item.label.lower() for item in variant.model.fields.values()}
    text = "\n".join(item.text for item in variant.sop.statements).lower()
    words = "|".join(map(re.escape, (name, label.lower())))
    is_named = re.search(rf"\b(?:{words})\b", text) is not None
    return name not in variant.model.fields and label.lower() not in labels and not is_named


def _choose_neighbour(variant: Variant, name: str, seed: int) -> str:
    """Return a value after which another one stands, "" where a domain has none."""
    found = _list_neighbours(variant)
    return permute_items(found, seed, "beside", name)[0] if found else ""


def _list_neighbours(variant: Variant) -> list[str]:
    """Return the values that a step works out and the dictionary defines.

    What is put in stands after one of them in both places, and so under the same step.
    """
    stated = {name for item in variant.sop.statements for name in item.states}
    return [name for name in _list_stated_decisions(variant) if f"term {name}" in stated]


def _list_stated_decisions(variant: Variant) -> list[str]:
    """Return the values that steps work out, as far as a line says how."""
    stated = {name for item in variant.sop.statements for name in item.states}
    return [
        target
        for step in variant.model.steps.values()
        for target in step.decide
        if f"decision {target}" in stated
    ]
