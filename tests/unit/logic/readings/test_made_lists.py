"""Lists that are made, in each reading: what is kept, in which order, and when two are equal."""

from __future__ import annotations

import numpy as np
import pytest
import z3

from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AggregateFunction,
    Choice,
    Compare,
    Constant,
    Element,
    Expression,
    Not,
    Read,
    Relation,
    Selection,
)
from sopforge.language.domain.expressions.numbers import make_number_constant
from sopforge.language.domain.values.types import BOOLEAN, EnumType, ListType, NumberType, Value
from sopforge.language.logic.readings.partial import UNKNOWN, evaluate_as_known
from sopforge.language.logic.readings.scalar import evaluate
from sopforge.language.logic.readings.solver_variables import Variables
from sopforge.language.logic.readings.symbolic import Symbolic
from sopforge.language.logic.readings.vector import (
    Columns,
    ListColumn,
    build_lists,
    evaluate_columns,
    make_list_column,
    split_lists,
)
from sopforge.language.logic.tables import build_equality
from sopforge.language.logic.variants.substitution import Replacement, Substitution

COST, PART = NumberType(0, 9), EnumType(("Motor", "Cable"))
SOURCE = ListType((("part", PART), ("cost", COST)), 3, "none")
BILL = ListType((("charge", COST), ("part", PART)), 4, "nothing")
PARTS = (Element(COST, "damages", "cost"), Element(PART, "damages", "part"))
ABOVE = Compare(Relation.GT, PARTS[0], make_number_constant(5))
BILLED = Selection(BILL, "damages", 3, ABOVE, PARTS)
LISTS = (
    (),
    ({"part": 0, "cost": 5},),
    ({"part": 1, "cost": 2}, {"part": 0, "cost": 9}, {"part": 1, "cost": 6}),
    ({"part": 0, "cost": 7}, {"part": 0, "cost": 7}, {"part": 1, "cost": 8}),
)
EXPECTED: tuple[tuple[dict[str, int], ...], ...] = (
    (),
    (),
    ({"charge": 9, "part": 0}, {"charge": 6, "part": 1}),
    ({"charge": 7, "part": 0}, {"charge": 7, "part": 0}, {"charge": 8, "part": 1}),
)


def columns(lists: tuple[Value, ...]) -> Columns:
    return Columns(len(lists), {}, {}, {"damages": split_lists(SOURCE, make_list_column(lists))})


def test_lists_are_chosen_and_compared_in_columns() -> None:
    nothing = Constant(BILL, ())
    flag = Read(BOOLEAN, "flag")
    rows = Columns(4, {"flag": np.array([1, 1, 0, 1])}, {}, columns(LISTS).lists)
    either = Choice(BILL, flag, BILLED, nothing)

    assert evaluate_columns(either, rows).tolist() == [(), (), (), EXPECTED[3]]
    assert evaluate_columns(build_equality(either, nothing), rows).tolist() == [1, 1, 1, 0]


def test_columns_of_lists_are_unpacked_and_packed() -> None:
    items = split_lists(SOURCE, make_list_column(LISTS))

    assert items.lengths.tolist() == [0, 1, 3, 3]
    assert items.fields["cost"].tolist() == [[0, 0, 0], [5, 0, 0], [2, 9, 6], [7, 7, 8]]
    assert build_lists(SOURCE, items).tolist() == list(LISTS)


def test_a_list_is_unknown_as_long_as_its_source_is() -> None:
    assert evaluate_as_known([BILLED], {}) == [UNKNOWN]
    assert evaluate_as_known([BILLED], {"damages": LISTS[2]}) == [EXPECTED[2]]


# the solver


def is_possible(condition: Expression, *facts: Expression) -> bool:
    """Return whether some row meets all conditions."""
    variables = Variables(z3.Context())
    reading = Symbolic(variables)
    terms = [reading.build_condition(part) for part in (condition, *facts)]
    solver = z3.Solver(ctx=variables.context)
    solver.add(*terms, *variables.limits)
    return bool(solver.check() == z3.sat)


def other(where: Expression | None, *parts: Expression) -> Selection:
    return Selection(BILL, "damages", 3, where, parts or PARTS)


def count_is(number: int) -> Expression:
    count = Aggregate(NumberType(0, 3), AggregateFunction.COUNT, "damages", 3, ABOVE, None, None)
    return Compare(Relation.EQ, count, make_number_constant(number))


def test_a_list_equals_one_with_the_same_filter_in_other_words() -> None:
    at_most = Compare(Relation.LE, PARTS[0], make_number_constant(5))

    assert not is_possible(Not(build_equality(BILLED, other(Not(at_most)))))


def test_another_list_differs_on_some_row() -> None:
    boundary = Compare(Relation.GE, PARTS[0], make_number_constant(5))
    others: list[Expression] = [
        other(None),
        other(boundary),
        other(ABOVE, PARTS[0], Constant(PART, 1)),
        Constant(BILL, ()),
    ]

    for wrong in others:
        assert is_possible(Not(build_equality(BILLED, wrong))), wrong


def test_lists_that_keep_the_same_items_from_other_places_are_equal() -> None:
    """With one item kept, it stands first, whichever place it comes from."""
    without = Compare(Relation.GT, PARTS[0], make_number_constant(6))
    sixes = Compare(Relation.EQ, PARTS[0], make_number_constant(6))
    no_six = Not(Aggregate(BOOLEAN, AggregateFunction.ANY, "damages", 3, None, sixes, None))
    differ = Not(build_equality(BILLED, other(without)))

    assert is_possible(differ)
    assert not is_possible(differ, no_six)


def test_unused_places_make_no_difference() -> None:
    """Two lists without items are equal, whatever is beyond the end of the source."""
    never = Compare(Relation.GT, PARTS[0], make_number_constant(9))

    assert not is_possible(Not(build_equality(other(never), Constant(BILL, ()))))
    assert not is_possible(Not(build_equality(BILLED, Constant(BILL, ()))), count_is(0))


def test_a_list_can_be_read_as_such() -> None:
    """A field that may come to any list equals what is made of it with all items."""
    elements = (Element(PART, "any", "part"), Element(COST, "any", "cost"))
    whole = Selection(SOURCE, "any", 3, None, elements)

    assert not is_possible(Not(build_equality(Read(SOURCE, "any"), whole)))
    assert is_possible(Not(build_equality(Read(SOURCE, "any"), Constant(SOURCE, ()))))


# lists that are made of lists that are made


def total_of(name: str) -> Aggregate:
    charge = Element(COST, name, "charge")
    cables = Compare(Relation.EQ, Element(PART, name, "part"), Constant(PART, 1))
    return Aggregate(NumberType(0, 36), AggregateFunction.SUM, name, 4, cables, charge, None)


@pytest.mark.parametrize(("items", "total"), list(zip(LISTS, (0, 0, 6, 8), strict=True)))
def test_an_aggregate_of_a_made_list_is_one_of_its_source(items: Value, total: int) -> None:
    made = Substitution({"bill": Replacement(BILLED)}, Constant(BOOLEAN, 1)).apply_to(
        total_of("bill")
    )

    assert evaluate(made, {"damages": items}) == total
    assert evaluate(total_of("bill"), {"bill": evaluate(BILLED, {"damages": items})}) == total


@pytest.mark.parametrize(
    ("function", "default", "expected"),
    [
        pytest.param(AggregateFunction.SUM, None, 0, id="sum"),
        pytest.param(AggregateFunction.COUNT, None, 0, id="count"),
        pytest.param(AggregateFunction.MAXIMUM, make_number_constant(7), 7, id="greatest"),
        pytest.param(AggregateFunction.ANY, None, 0, id="any"),
        pytest.param(AggregateFunction.ALL, None, 1, id="all"),
    ],
)
def test_an_aggregate_of_no_items_is_known(
    function: AggregateFunction, default: Expression | None, expected: int
) -> None:
    charge: Expression = Element(COST, "bill", "charge")
    if function in {AggregateFunction.ANY, AggregateFunction.ALL}:
        charge = Compare(Relation.GT, charge, make_number_constant(3))
    asked = Aggregate(NumberType(0, 36), function, "bill", 4, None, charge, default)
    nothing = {"bill": Replacement(Constant(BILL, ()))}

    assert evaluate(Substitution(nothing, Constant(BOOLEAN, 1)).apply_to(asked), {}) == expected


def test_an_aggregate_inside_of_an_item_is_one_value_for_each_row() -> None:
    """Three rows of two places each: a value per row must not be taken for one per place."""
    greatest = Aggregate(
        COST, AggregateFunction.MAXIMUM, "damages", 2, None, PARTS[0], make_number_constant(0)
    )
    most = Compare(Relation.EQ, PARTS[0], greatest)
    count = Aggregate(NumberType(0, 2), AggregateFunction.COUNT, "damages", 2, most, None, None)
    costs = np.array([[1, 5], [5, 5], [2, 1]])
    rows = Columns(3, {}, {}, {"damages": ListColumn({"cost": costs}, np.array([2, 2, 1]))})

    assert evaluate_columns(count, rows).tolist() == [1, 2, 1]
