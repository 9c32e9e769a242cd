from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sopforge.language.domain.expressions.aggregates import Items, build_aggregate
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
from sopforge.language.domain.values.types import BOOLEAN, EnumType, ListType, NumberType

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


def test_a_count_goes_up_to_the_size_of_the_list() -> None:
    assert aggregated("count", None, {}, IS_A) == Aggregate(
        NumberType(0, 3), AggregateFunction.COUNT, "lines", 3, IS_A, None, None
    )


def test_a_sum_keeps_places_and_unit() -> None:
    assert aggregated("sum", amount, {}) == aggregate(
        NumberType(-150, 600, 2, "USD"), AggregateFunction.SUM, amount
    )


@pytest.mark.parametrize(
    ("name", "function"), [("min", AggregateFunction.MINIMUM), ("max", AggregateFunction.MAXIMUM)]
)
def test_an_extreme_has_a_default_on_its_scale(name: str, function: AggregateFunction) -> None:
    default = Constant(NumberType(900, 900, 2), 900)
    assert aggregated(name, amount, {"default": make_number_constant(9)}) == Aggregate(
        NumberType(-50, 900, 2, "USD"), function, "lines", 3, None, amount, default
    )


@pytest.mark.parametrize(
    ("name", "function"), [("any", AggregateFunction.ANY), ("all", AggregateFunction.ALL)]
)
def test_a_quantifier_is_a_condition(name: str, function: AggregateFunction) -> None:
    assert aggregated(name, IS_A, {}) == Aggregate(BOOLEAN, function, "lines", 3, None, IS_A, None)


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


@given(SMALL, st.integers(-9, 9), st.sampled_from(["min", "max"]))
def test_bounds_of_an_extreme_are_exact(interval: tuple[int, int], default: int, name: str) -> None:
    value = Element(NumberType(*interval), "lines", "n")
    choose = {"min": min, "max": max}[name]
    found = [choose(items, default=default) for items in lists_of(*interval)]
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


# Refusals


@pytest.mark.parametrize(
    ("name", "value", "options", "message"),
    [
        ("count", amount, {}, "count(...) counts items, so it does not take a value"),
        ("sum", None, {}, "sum(...) needs a number field of the item, for example i.amount"),
        ("sum", kind, {}, "sum(...) needs a number field of the item, for example i.amount"),
        (
            "max",
            IS_A,
            {"default": make_number_constant(0)},
            "max(...) needs a number field of the item",
        ),
        ("any", amount, {}, "any(...) needs a condition on the item"),
        ("all", None, {}, "all(...) needs a condition on the item"),
        ("min", amount, {}, "min(...) needs default=..., the result for an empty list"),
        ("average", amount, {"places": 2}, "average(...) needs default=..., the result for"),
        ("average", amount, {"default": make_number_constant(0)}, "average(...) needs places"),
        ("sum", amount, {"default": make_number_constant(0)}, "sum(...) takes no default"),
        ("count", None, {"default": make_number_constant(0)}, "count(...) takes no default"),
        ("any", IS_A, {"default": make_number_constant(0)}, "any(...) takes no default"),
        ("sum", amount, {"places": 2}, "sum(...) takes no places"),
        (
            "max",
            amount,
            {"default": make_number_constant(0), "places": 2},
            "max(...) takes no places",
        ),
        (
            "average",
            amount,
            {"places": 1, "default": make_number_constant(125, 2)},
            "the default has more than 1 decimal places",
        ),
    ],
    ids=[
        "count of values",
        "sum of items",
        "sum of labels",
        "greatest of conditions",
        "any of numbers",
        "all of items",
        "least without default",
        "average without default",
        "average without places",
        "sum with default",
        "count with default",
        "any with default",
        "sum with places",
        "greatest with places",
        "default with more places",
    ],
)
def test_an_aggregate_of_other_parts_is_refused(
    name: str, value: Expression | None, options: Options, message: str
) -> None:
    with pytest.raises(TypeRuleError) as caught:
        aggregated(name, value, options)
    assert caught.value.code == "type-error"
    assert str(caught.value).startswith(message)


def test_a_sum_that_could_pass_two_to_the_62_is_refused() -> None:
    value = Element(NumberType(0, 2 * 10**18), "lines", "n")
    with pytest.raises(TypeRuleError) as caught:
        aggregated("sum", value, {})
    assert caught.value.code == "interval-too-large"
