"""Measures that a step could work out of what it knows: spans of time, differences and shares."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations, zip_longest
from typing import TypeAlias

from sopforge.artifacts.complexity.added_fields import make_field
from sopforge.artifacts.complexity.trade.known_values import is_certain, list_known_at_decision
from sopforge.artifacts.material.pools.side_values import (
    SIDE_DIFFERENCES,
    SIDE_SHARES,
    SIDE_SPANS,
    SIDE_SUMS,
    SideMeasure,
)
from sopforge.language.domain.expressions.expressions import (
    Compare,
    Expression,
    Operation,
    Read,
    collect_read_fields,
    iterate_parts,
    walk,
)
from sopforge.language.domain.expressions.numbers import (
    build_arithmetic,
    build_quotient,
    make_number_constant,
    require_number_type,
)
from sopforge.language.domain.expressions.operators import build_days_between
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.values.types import DateType, NumberType
from sopforge.language.english.nouns import is_percent
from sopforge.seeds import permute_items

_WHOLE = 100
_CURRENCY = re.compile(r"[A-Z]{3}")
_Build: TypeAlias = Callable[[Sequence[Field], Sequence[int]], Iterator[Expression]]


@dataclass(frozen=True, slots=True)
class Measure:
    """A number, how it is worked out, and the value of a step beside which it is."""

    item: Field
    value: Expression
    beside: str


def iterate_measures(
    model: DomainModel, targets: Sequence[str], is_free: Callable[[str, str], bool], seed: int
) -> Iterator[Measure]:
    """Yield measures of what is known where some targets are decided, of each kind in turn.

    The model works none of them out itself; ``is_free`` says whether a name and a label are.
    """
    asked = collect_deciding_expressions(model)
    beside = _collect_compared_pairs(asked)
    pools: tuple[tuple[Sequence[SideMeasure], _Build], ...] = (
        (SIDE_DIFFERENCES, partial(_build_differences, pairs=beside)),
        (SIDE_SUMS, partial(_build_shares, is_money=True)),
        (SIDE_SHARES, partial(_build_shares, is_money=False)),
        (SIDE_SPANS, _build_spans),
    )
    known = {
        target: [*filter(is_certain, list_known_at_decision(model, target))] for target in targets
    }
    made, used, values = set(iterate_parts(*asked)), set[str](), set[Expression]()

    def is_new(name: str, label: str) -> bool:
        return name not in used and is_free(name, label)

    columns = [
        _iterate_of_kind(known, pool, build, made=made, is_free=is_new, seed=seed)
        for pool, build in pools
    ]
    # What nobody compares is seldom subtracted: such differences come last.
    odd = _iterate_of_kind(
        known, SIDE_DIFFERENCES, _build_differences, made=made, is_free=is_new, seed=seed
    )
    for measure in chain(filter(None, chain.from_iterable(zip_longest(*columns))), odd):
        if measure.item.name not in used and measure.value not in values:
            used.add(measure.item.name)
            values.add(measure.value)
            yield measure


def _collect_compared_pairs(expressions: Iterable[Expression]) -> set[frozenset[str]]:
    """Return the pairs of fields that conditions compare with each other."""
    tests = [part for part in iterate_parts(*expressions) if isinstance(part, Compare)]
    return {
        frozenset({one, other})
        for test in tests
        for one in collect_read_fields(test.left)
        for other in collect_read_fields(test.right)
    }


def _iterate_of_kind(
    known: dict[str, list[Field]],
    pool: Sequence[SideMeasure],
    build: _Build,
    *,
    made: set[Expression],
    is_free: Callable[[str, str], bool],
    seed: int,
) -> Iterator[Measure]:
    """Yield a measure of each name of a pool that has a value of its own."""
    taken = set[Expression]()
    for named in permute_items(pool, seed, "measures", *known):
        found = [
            (target, value)
            for target, items in known.items()
            for value in build(items, named.percentages)
            if value not in made | taken
        ]
        for target, value in permute_items(found, seed, "measured", named.name):
            item = _make_measured_field(named, value, known[target])
            if is_free(item.name, item.label):
                taken.add(value)
                yield Measure(item, value, target)
                break


def _make_measured_field(named: SideMeasure, value: Expression, items: Sequence[Field]) -> Field:
    """Return the field of a measure, whose description names what it is worked out of."""
    labels = {item.name: item.label for item in items}
    parts = list(walk(value))
    names = [part.field for part in parts if isinstance(part, Read)]
    read = [labels[name] for name in names]
    kind, kinds = require_number_type(value), (part.type for part in parts)
    units = [kind.unit for kind in kinds if isinstance(kind, NumberType) and kind.unit]
    described, label = named.description.format(*read), named.label.format(*read)
    return make_field(
        named.name.format(*names), Role.DERIVED, replace(kind, unit=units[0]), described, label
    )


def _build_spans(items: Sequence[Field], _: Sequence[int]) -> Iterator[Expression]:
    dated = [(item.type, item.name) for item in items if isinstance(item.type, DateType)]
    # Of two days, that which may be earlier comes first.
    days = [Read(kind, name) for kind, name in sorted(dated, key=lambda day: day[0].minimum)]
    yield from (build_days_between(start, end) for start, end in combinations(days, 2))


def _build_differences(
    items: Sequence[Field],
    _: Sequence[int],
    pairs: Collection[frozenset[str]] | None = None,
) -> Iterator[Expression]:
    """Yield differences of amounts of one unit, of some pairs of fields or of all."""
    amounts = sorted(_list_amounts(items), key=lambda found: -found[0].maximum)
    for (kind, more), (other, less) in combinations(amounts, 2):
        is_alike = (kind.unit, kind.places) == (other.unit, other.places)
        pair = collect_read_fields(more) | collect_read_fields(less)
        if is_alike and (pairs is None or pair in pairs):
            yield build_arithmetic(Operation.SUBTRACT, more, less)


def _build_shares(
    items: Sequence[Field], percentages: Sequence[int], *, is_money: bool
) -> Iterator[Expression]:
    for kind, amount in _list_amounts(items):
        # A share of a count, as of tests or years, would be no number of them.
        is_divisible = bool(kind.places) and bool(_CURRENCY.fullmatch(kind.unit)) == is_money
        for percentage in percentages if is_divisible else ():
            part = build_arithmetic(Operation.MULTIPLY, amount, make_number_constant(percentage))
            yield build_quotient(part, make_number_constant(_WHOLE), kind.places)


def _list_amounts(items: Sequence[Field]) -> list[tuple[NumberType, Expression]]:
    return [
        (item.type, Read(item.type, item.name))
        for item in items
        if isinstance(item.type, NumberType) and item.type.unit and not is_percent(item.type.unit)
    ]
