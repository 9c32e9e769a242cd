from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sopforge.language.domain.expressions.aggregates import OF_ONE_ITEM, Items, build_aggregate
from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AggregateFunction,
    Choice,
    Compare,
    Constant,
    Element,
    Expression,
    Extreme,
    Outermost,
    Quotient,
    Relation,
)
from sopforge.language.domain.expressions.numbers import TypeRuleError, make_number_constant
from sopforge.language.domain.values.types import EnumType, ListType, NumberType

KIND = EnumType(("A", "B"))
AMOUNT = NumberType(-50, 200, 2, "USD")
ITEMS = Items("lines", ListType((("amount", AMOUNT), ("kind", KIND)), 3, "no lines"))
amount, kind = Element(AMOUNT, "lines", "amount"), Element(KIND, "lines", "kind")
IS_A = Compare(Relation.EQ, kind, Constant(KIND, 0))

Options = Mapping[str, Expression | int]


def aggregated(
    name: str, value: Expression | None, options: Options, where: Expression | None = None
) -> Expression:
    return build_aggregate(name, ITEMS, where, value, options)


def aggregate(kind: NumberType, function: AggregateFunction, value: Expression | None) -> Aggregate:
    return Aggregate(kind, function, "lines", 3, None, value, None)


# What an aggregate becomes


def test_an_average_is_a_rounded_quotient_or_its_default() -> None:
    count = Aggregate(NumberType(0, 3), AggregateFunction.COUNT, "lines", 3, IS_A, None, None)
    total = Aggregate(
        NumberType(-150, 600, 2, "USD"), AggregateFunction.SUM, "lines", 3, IS_A, amount, None
    )
    divisor = Outermost(NumberType(1, 3), Extreme.MAXIMUM, (count, make_number_constant(1)))
    # However many lines there are, their mean is one that a single line could have.
    mean = Quotient(NumberType(-50, 200, 2), total, divisor, 0)
    is_empty = Compare(Relation.EQ, count, make_number_constant(0))
    default = Constant(NumberType(100, 100, 2), 100)
    assert aggregated(
        "average", amount, {"places": 2, "default": make_number_constant(1)}, IS_A
    ) == Choice(NumberType(-50, 200, 2), is_empty, default, mean)


# Bounds, against all lists of up to three items


SMALL = st.tuples(st.integers(-5, 5), st.integers(0, 4)).map(lambda it: (it[0], sum(it)))


def lists_of(low: int, high: int) -> Iterator[tuple[int, ...]]:
    """Return all lists of up to three numbers, in one order each."""
    for size in range(4):
        yield from combinations_with_replacement(range(low, high + 1), size)


@given(SMALL)
def test_bounds_of_a_sum_are_exact(interval: tuple[int, int]) -> None:
    value = Element(NumberType(*interval), "lines", "n")
    sums = [sum(items) for items in lists_of(*interval)]
    assert aggregated("sum", value, {}).type.bounds == (min(sums), max(sums))


@given(SMALL, st.integers(-9, 9), st.sampled_from(sorted(OF_ONE_ITEM)))
def test_bounds_of_one_item_are_exact(interval: tuple[int, int], default: int, name: str) -> None:
    value = Element(NumberType(*interval), "lines", "n")
    found = [value for items in lists_of(*interval) for value in items or (default,)]
    assert aggregated(name, value, {"default": make_number_constant(default)}).type.bounds == (
        min(found),
        max(found),
    )


@given(SMALL, st.integers(-9, 9))
def test_bounds_of_an_average_are_exact(interval: tuple[int, int], default: int) -> None:
    value = Element(NumberType(*interval), "lines", "n")
    tenths = [
        default * 10 if not items else _rounded_tenths(sum(items), len(items))
        for items in lists_of(*interval)
    ]
    options: Options = {"places": 1, "default": make_number_constant(default)}
    assert aggregated("average", value, options).type.bounds == (min(tenths), max(tenths))


def _rounded_tenths(total: int, count: int) -> int:
    """Return ten times the mean, rounded."""
    whole = (abs(total) * 20 + count) // (2 * count)
    return whole if total >= 0 else -whole


LABELS = EnumType(("New", "Used"))


@pytest.mark.parametrize("name", ["first", "last"])
def test_a_place_in_the_list_asks_for_no_order_of_labels(name: str) -> None:
    value, default = Element(LABELS, "lines", "state"), Constant(LABELS, 0)
    found = aggregated(name, value, {"default": default})
    assert isinstance(found, Aggregate)
    assert (found.type, found.default) == (LABELS, default)


def test_a_middle_label_asks_for_their_order() -> None:
    value, default = Element(LABELS, "lines", "state"), Constant(LABELS, 0)
    with pytest.raises(TypeRuleError, match="no order"):
        aggregated("median", value, {"default": default})


@pytest.mark.parametrize("name", sorted(OF_ONE_ITEM))
def test_the_value_of_one_item_needs_another_for_no_items(name: str) -> None:
    value = Element(NumberType(0, 9), "lines", "n")
    with pytest.raises(TypeRuleError, match="needs default=") as refused:
        aggregated(name, value, {})
    assert refused.value.hint == f"add a default, for example {name}(..., default=0)"
