"""Side values of a domain: worked out from what its cases state, as any value, and never used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import cycle, zip_longest

from sopforge.artifacts.complexity.added_fields import is_free, make_field, make_name
from sopforge.artifacts.complexity.passages import AddedPassage, Where
from sopforge.artifacts.complexity.rules.known_values import list_known_at_decision
from sopforge.artifacts.complexity.trade.pools.side_values import (
    ROLE_CHECKS,
    SIDE_CHECKS,
    SIDE_DAYS,
    SIDE_LABELS,
    SideCheck,
    SideLabel,
)
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.marks import SIDE
from sopforge.artifacts.rendering.sop.references import PROCEDURE
from sopforge.artifacts.rendering.sop.sections.decisions import render_decision
from sopforge.artifacts.rendering.sop.sections.fields import render_definition
from sopforge.artifacts.rendering.sop.writer import Writer
from sopforge.language.domain.expressions.expressions import (
    AddDays,
    Compare,
    Constant,
    Expression,
    Read,
    Relation,
)
from sopforge.language.domain.expressions.numbers import make_number_constant
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Decision, Formula, HitPolicy, Rule, Table
from sopforge.language.domain.values.types import DateType, EnumType, NumberType
from sopforge.seeds import permute_items


def iterate_side_passages(variant: Variant, seed: int) -> Iterator[AddedPassage]:
    """Yield what a step decides, days, and what ends record, in turn."""
    checks = _iterate_checks(variant, seed)
    days = _iterate_days(variant, seed)
    recorded = _iterate_recorded(variant, seed)
    for turn in zip_longest(checks, checks, days, recorded):
        yield from filter(None, turn)


def _iterate_checks(variant: Variant, seed: int) -> Iterator[AddedPassage]:
    """Yield values that a step decides by a label it has decided, or by what a case states."""
    found = [*_iterate_of_decided(variant, seed), *_iterate_of_stated(variant, seed)]
    for check, (condition, beside) in zip(_iterate_free_checks(variant, seed), found, strict=False):
        kind = EnumType(check.values)
        item = make_field(check.name, Role.DERIVED, kind, check.description, check.label)
        table = _build_table(item, condition, check.values)
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
            label = _find_special_label(model, item)
            if item.name in decided - used and label is not None:
                used.add(item.name)
                yield Compare(Relation.EQ, Read(item.type, item.name), label), target
                break


def _find_special_label(model: DomainModel, item: Field) -> Constant | None:
    """Return the first label that the rules of a value give, None where there is none."""
    table = model.decisions.get(item.name)
    rules = table.rules if isinstance(table, Table) and isinstance(item.type, EnumType) else ()
    return next((rule.then for rule in rules if isinstance(rule.then, Constant)), None)


def _iterate_of_stated(variant: Variant, seed: int) -> Iterator[tuple[Expression, str]]:
    """Yield limits of what a case states, then labels of it; they are known anywhere."""
    model = variant.model
    items = permute_items(model.case_inputs, seed, "checked", model.name)
    # What has no unit may be a name, as the number of a coach.
    amounts = [(x, x.type) for x in items if isinstance(x.type, NumberType) and x.type.unit]
    for item, kind in amounts:
        if excess := _build_excess(model, item, kind):
            yield excess, ""
    for item in items:
        if isinstance(item.type, EnumType):
            label = permute_items(item.type.values, seed, "classes", item.name)[0]
            constant = Constant(item.type, item.type.encode(label))
            yield Compare(Relation.EQ, Read(item.type, item.name), constant), ""


def _build_excess(model: DomainModel, item: Field, kind: NumberType) -> Expression | None:
    """Return the condition that a number is in the upper third of its usual range.

    None where no round amount bounds that which is no limit of the model, and taken for one.
    """
    usual = item.sampling.typical
    low, high = (usual.minimum, usual.maximum) if usual else (kind.minimum, kind.maximum)
    amount = _round_down(high - (high - low) // 3)
    if not low < amount < high or amount in _collect_figures(model):
        return None
    limit = Constant(NumberType(amount, amount, kind.places, kind.unit), amount)
    return Compare(Relation.GT, Read(kind, item.name), limit)


def _collect_figures(model: DomainModel) -> frozenset[object]:
    """Return the amounts of limits: one that is put in beside them would be taken for the limit."""
    return frozenset(item.constant.value for item in model.policy.values())


def _round_down(amount: int) -> int:
    """Return an amount of one digit before its zeros."""
    unit = int("1".ljust(len(str(abs(amount))), "0"))
    return amount // unit * unit


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


def _is_free(variant: Variant, name: str, label: str) -> bool:
    """Return whether neither a model nor its SOP names a value, by its name or its label."""
    labels = {item.label.lower() for item in variant.model.fields.values()}
    text = "\n".join(item.text for item in variant.sop.statements).lower()
    words = "|".join(map(re.escape, (name, label.lower())))
    is_named = re.search(rf"\b(?:{words})\b", text) is not None
    return is_free(variant.model, name) and label.lower() not in labels and not is_named


def _are_free_labels(model: DomainModel, labels: Iterable[str]) -> bool:
    """Return whether no field of the domain has one of some labels."""
    kinds = [item.type for item in model.fields.values()]
    known = {x.lower() for kind in kinds if isinstance(kind, EnumType) for x in kind.values}
    return known.isdisjoint(label.lower() for label in labels)


def _build_table(item: Field, condition: Expression, values: tuple[str, str]) -> Table:
    """Return the rules that give one label for a condition, and another for all else."""
    kind = EnumType(values)
    high, rest = (Constant(kind, kind.encode(label)) for label in values)
    rules = (Rule("S1", condition, high), Rule("S0", None, rest))
    return Table(item.name, HitPolicy.FIRST, rules, item.description)


def _iterate_days(variant: Variant, seed: int) -> Iterator[AddedPassage]:
    model = variant.model
    figures = _collect_figures(model)
    dates = [item for item in model.case_inputs if isinstance(item.type, DateType)]
    free = [item for item in SIDE_DAYS if dates and _is_free(variant, item.name, item.label)]
    for number, day in enumerate(permute_items(free, seed, "side days", model.name)):
        date = dates[number % len(dates)]
        counts = [count for count in day.days if count not in figures]
        count = permute_items(counts, seed, "count", day.name)[0]
        item = make_field(day.name, Role.DERIVED, date.type, day.description, day.label)
        value = AddDays(date.type, Read(date.type, date.name), make_number_constant(count))
        formula = Formula(day.name, value, day.description)
        yield _make_passage(variant, item, formula, _choose_neighbour(variant, day.name, seed))


def _iterate_recorded(variant: Variant, seed: int) -> Iterator[AddedPassage]:
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
        yield AddedPassage(line, Where(precedes=end))


def _choose_label(model: DomainModel, item: SideLabel, seed: int) -> str:
    return permute_items(item.values, seed, "recorded label", model.name, item.name)[0]


def _make_passage(variant: Variant, item: Field, decision: Decision, beside: str) -> AddedPassage:
    """Return the line that works a value out after another, and what the dictionary says of it."""
    model = variant.model
    further = replace(
        model,
        fields={**model.fields, item.name: item},
        decisions={**model.decisions, item.name: decision},
    )
    writer = Writer(further, has_names=False)
    (line,) = map(_mark, render_decision(writer, item.name))
    if not beside:
        return AddedPassage(line, Where(section=PROCEDURE))
    where = Where(states=f"decision {beside}")
    if beside not in _list_neighbours(variant):
        return AddedPassage(line, where)
    defined = _mark(render_definition(item))
    term = AddedPassage(defined, Where(joins=f"term {beside}"))
    return AddedPassage(line, where, besides=term)


def _mark(item: Statement) -> Statement:
    return replace(item, states=(), excused=SIDE)


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
