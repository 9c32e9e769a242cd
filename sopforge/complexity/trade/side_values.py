"""Side values of a domain: worked out from what its cases state, as any value, and never used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, zip_longest
from typing import TypeVar

from sopforge.complexity.added_fields import make_field
from sopforge.complexity.added_tools import is_free
from sopforge.complexity.passages import Passage, Where
from sopforge.complexity.variant import Variant
from sopforge.domain.fields import Field, Role
from sopforge.domain.language.expressions import (
    AddDays,
    Compare,
    Constant,
    Expression,
    Read,
    Relation,
)
from sopforge.domain.language.numbers import make_number_constant
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Decision, Formula, HitPolicy, Rule, Table
from sopforge.domain.values.types import DateType, EnumType, NumberType, encode
from sopforge.material.pools.side_values import SIDE_DAYS, SIDE_LABELS, SideLabel
from sopforge.rendering.sop import frames
from sopforge.rendering.sop.added.side_values import SIDE
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.references import PROCEDURE
from sopforge.rendering.sop.sections.decisions import render_decision
from sopforge.rendering.sop.sections.fields import render_definition
from sopforge.seeds import permute_index

Given = TypeVar("Given")
_TURNS = 2
"""How many conditions there are at most on each field."""
_PARTS = 10
"""A number is compared with the end of one of so many equal parts of its range."""


def iterate_side_passages(variant: Variant, seed: int) -> Iterator[Passage]:
    """Yield side values by rules, those that ends record, and days, in turn."""
    model = variant.model
    stated = [item for item in model.inputs if model.find_owner(item.name) is model.case]
    labels = _select_labels(model, seed)
    judged = _iterate_judged(variant, stated, labels[::2], seed)
    recorded = _iterate_recorded(model, labels[1::2], seed)
    days = _iterate_days(variant, stated, seed)
    for turn in zip_longest(judged, recorded, days):
        yield from filter(None, turn)


def iterate_judged_by(
    variant: Variant, items: Sequence[Field], seed: int, *, apart_from: int = 0
) -> Iterator[Passage]:
    """Yield side values by rules on some fields, none of the first ``apart_from`` of their kind."""
    labels = _select_labels(variant.model, seed)
    yield from _iterate_judged(variant, items, labels[apart_from:], seed)


def _select_labels(model: DomainModel, seed: int) -> list[SideLabel]:
    """Return the side values that say nothing that the domain says, in a keyed order."""
    known = {item.label.lower() for item in model.fields.values()}
    for item in model.fields.values():
        known |= {x.lower() for x in item.type.values} if isinstance(item.type, EnumType) else set()
    fitting = [
        item
        for item in SIDE_LABELS
        if is_free(model, item.name) and known.isdisjoint({item.label, *item.values})
    ]
    return _shuffle(fitting, seed, "side values", model.name)


def _iterate_judged(
    variant: Variant, items: Sequence[Field], labels: Iterable[SideLabel], seed: int
) -> Iterator[Passage]:
    model = variant.model
    further = _iterate_conditions(items, model, seed)
    for label in labels:
        conditions = list(islice(further, len(label.values) - 1))
        if not conditions:
            return
        kind = EnumType(label.values)
        item = make_field(label.name, Role.DERIVED, kind, label.description, label.label)
        values = [Constant(kind, encode(kind, value)) for value in label.values]
        rules = [
            Rule(f"S{number}", condition, value)
            for number, (condition, value) in enumerate(zip(conditions, values, strict=False), 1)
        ]
        others = Rule("S0", None, values[-1])
        table = Table(label.name, HitPolicy.FIRST, (*rules, others), label.description)
        yield _make_passage(variant, item, table, seed)


def _iterate_days(variant: Variant, items: Iterable[Field], seed: int) -> Iterator[Passage]:
    model = variant.model
    decided = {item.constant.value for item in model.policy.values()}
    dates = [item for item in items if isinstance(item.type, DateType)]
    free = [item for item in SIDE_DAYS if dates and is_free(model, item.name)]
    for number, day in enumerate(_shuffle(free, seed, "side days", model.name)):
        date = dates[number % len(dates)]
        counts = [count for count in day.days if count not in decided]
        count = _shuffle(counts, seed, "count", day.name)[0]
        item = make_field(day.name, Role.DERIVED, date.type, day.description, day.label)
        value = AddDays(date.type, Read(date.type, date.name), make_number_constant(count))
        yield _make_passage(variant, item, Formula(day.name, value, day.description), seed)


def _iterate_recorded(
    model: DomainModel, labels: Iterable[SideLabel], seed: int
) -> Iterator[Passage]:
    """Yield what an end records besides its results."""
    ends = [f"end {step.id}.{name}" for step in model.steps.values() for name in step.end or {}]
    for label, end in zip(labels, _shuffle(ends, seed, "recorded"), strict=False):
        said = frames.END_VALUE.render(
            label=label.label, name=label.name, value=f'"{label.values[-1]}"'
        )
        line = Line(Style.PARAGRAPH, frames.END.render(values=said), excused=SIDE)
        yield Passage(line, Where(states=end))


def _make_passage(variant: Variant, item: Field, decision: Decision, seed: int) -> Passage:
    """Return the lines that work a value out, and what the dictionary says of it."""
    model = variant.model
    further = replace(
        model,
        fields={**model.fields, item.name: item},
        decisions={**model.decisions, item.name: decision},
    )
    first, *others = map(_mark, render_decision(further, item.name, variant.wording))
    beside = _choose_neighbour(variant, item.name, seed)
    if not beside:
        return Passage(first, Where(section=PROCEDURE), following=tuple(others))
    defined = _mark(render_definition(item))
    term = Passage(defined, Where(joins=f"term {beside}"))
    return Passage(first, Where(states=f"decision {beside}"), following=tuple(others), besides=term)


def _mark(line: Line) -> Line:
    return replace(line, states=(), excused=SIDE)


def _choose_neighbour(variant: Variant, name: str, seed: int) -> str:
    """Return a value of the domain that a step works out and the dictionary defines, "" for none.

    What is put in stands after it in both places, and so under the same step.
    """
    stated = {name for line in variant.sop.lines for name in line.states}
    found = [
        target
        for step in variant.model.steps.values()
        for target in step.decide
        if {f"term {target}", f"decision {target}"} <= stated
    ]
    return _shuffle(found, seed, "beside", name)[0] if found else ""


def _iterate_conditions(
    items: Sequence[Field], model: DomainModel, seed: int
) -> Iterator[Expression]:
    """Yield conditions on fields that have labels or measures, one on each in turn."""
    decided = {item.constant.value for item in model.policy.values()}
    for turn in range(_TURNS):
        for item in _shuffle(items, seed, "conditions", turn):
            kind = item.type
            if isinstance(kind, EnumType) and len(kind.values) > turn:
                place = permute_index(turn, len(kind.values), seed, "label", item.name)
                label = Constant(kind, encode(kind, kind.values[place]))
                yield Compare(Relation.EQ, Read(kind, item.name), label)
            elif isinstance(kind, NumberType) and _is_measure(item, kind):
                amount = _draw_amount(item, kind, turn, seed)
                # The amount of a limit would be taken for the limit.
                if amount is not None and amount not in decided:
                    limit = Constant(NumberType(amount, amount, kind.places, kind.unit), amount)
                    yield Compare(Relation.GT, Read(kind, item.name), limit)


def _is_measure(item: Field, kind: NumberType) -> bool:
    """Return whether a number says how much or how many: others are names, as that of a coach."""
    return bool(kind.unit) or item.label.startswith("number of ")


def _draw_amount(item: Field, kind: NumberType, turn: int, seed: int) -> int | None:
    """Return a round amount within the usual range of a number, None where there is none."""
    usual = item.sampling.typical
    low, high = (usual.minimum, usual.maximum) if usual else (kind.minimum, kind.maximum)
    part = 1 + permute_index(turn, _PARTS - 1, seed, "amount", item.name)
    drawn = low + (high - low) * part // _PARTS
    unit = 10 ** max(len(str(abs(drawn))) - 1, 0)
    rounded = drawn // unit * unit
    return rounded if low < rounded < high else None


def _shuffle(items: Sequence[Given], seed: int, *key: str | int) -> list[Given]:
    size = len(items)
    return [items[permute_index(place, size, seed, *key)] for place in range(size)]
