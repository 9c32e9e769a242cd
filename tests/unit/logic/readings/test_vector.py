"""What the vector reading has for itself: shapes of columns, and what numpy has bounds for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AggregateFunction,
    Constant,
    Element,
    Expression,
    Extreme,
    Lookup,
    Outermost,
    Read,
)
from sopforge.language.domain.values.types import EnumType, NumberType
from sopforge.language.logic.readings.vector import Columns, ListColumn, evaluate_columns
from sopforge.proof.dataset.sampling.bulk import as_columns
from sopforge.proof.solving.questions import Row, find_row
from tests.worlds.small_models import claim, claims, condition, judged

CLAIMS = claims()
Listed: TypeAlias = Any  # a column as the list that numpy makes of it
WIDE = NumberType(-1_000_000, 1_000_000)


def of_numbers(node: Expression, **columns: Sequence[int]) -> Listed:
    """Return a node on plain columns."""
    count = len(next(iter(columns.values())))
    values = {name: np.array(column, dtype=np.int64) for name, column in columns.items()}
    return evaluate_columns(node, Columns(count, values)).tolist()


def test_a_missing_list_has_no_items() -> None:
    rows = [claim(earlier_claims=None), claim(earlier_claims=()), claim()]
    columns = as_columns(CLAIMS, rows)
    texts = ("present(earlier_claims)", "count(c for c in earlier_claims) == 0")

    found = [evaluate_columns(condition(CLAIMS, text), columns).tolist() for text in texts]

    assert found == [[0, 1, 1], [1, 1, 0]]


def test_a_table_may_have_more_rows_than_numpy_chooses_from() -> None:
    labels = EnumType(tuple(f"L{number}" for number in range(200)))
    entries = tuple(Constant(WIDE, number * number) for number in range(200))
    column = Read(WIDE, "other")

    found = of_numbers(Lookup(WIDE, Read(labels, "key"), entries), key=[0, 63, 64, 199])
    mixed = of_numbers(
        Lookup(WIDE, Read(labels, "key"), (column, *entries[1:])), key=[0, 199], other=[-5, -6]
    )

    assert found == [0, 3969, 4096, 39_601]
    assert mixed == [-5, 39_601]


def test_the_default_may_be_greater_than_every_item() -> None:
    items = ListColumn({"x": np.array([[1, 99], [5, 6]])}, np.array([0, 2]))
    element = Element(WIDE, "items", "x")
    for function, expected in (
        (AggregateFunction.MINIMUM, [50, 5]),
        (AggregateFunction.MAXIMUM, [50, 6]),
        (AggregateFunction.FIRST, [50, 5]),
        (AggregateFunction.LAST, [50, 6]),
        (AggregateFunction.MEDIAN, [50, 5]),
    ):
        node = Aggregate(WIDE, function, "items", 2, None, element, Constant(WIDE, 50))

        found = evaluate_columns(node, Columns(2, {}, {}, {"items": items}))

        assert found.tolist() == expected


def test_a_constant_has_a_value_on_every_row() -> None:
    assert of_numbers(Constant(WIDE, 7), n=[0, 0, 0]) == [7, 7, 7]


def test_no_rows_have_no_values() -> None:
    node = Outermost(WIDE, Extreme.MINIMUM, (Read(WIDE, "n"), Constant(WIDE, 3)))

    assert of_numbers(node, n=[]) == []


def test_a_set_may_have_as_many_labels_as_the_brief_allows() -> None:
    marks = {"role": "observed", "type": "set", "values": [f"L{n}" for n in range(60)]}
    model = judged({"marks": {**marks, "empty": "no mark"}}, {"R1": ("'L59' in marks", "good")})
    texts = ("'L59' in marks", "count(marks) == 60", "count(marks) < 2")
    whole, last = 2**60 - 1, 2**59
    columns = Columns(3, {"marks": np.array([whole, last, 0], dtype=np.int64)})

    found = [evaluate_columns(condition(model, text), columns).tolist() for text in texts]

    assert found == [[1, 1, 0], [1, 0, 0], [0, 1, 1]]
    assert find_row(model, [condition(model, texts[1])]) == Row(
        {"marks": "; ".join(marks["values"])}, {"marks": whole}
    )
