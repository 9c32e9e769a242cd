"""Results that are no value: how a brief writes them, and where it must not."""

from __future__ import annotations

import pytest

from sopforge.language.domain.expressions.expressions import Choice, Constant, Missing, Read
from sopforge.language.domain.rules import Formula, Table
from sopforge.language.domain.values.types import EnumType, NumberType
from tests.conftest import Golden
from tests.unit.domain.minimal_brief import read_model
from tests.unit.domain.refusals import FAULTS, list_faults

REFUND = EnumType(("full", "part"))
NONE_YET = Missing(REFUND, "none yet")
LAST = "{id: A2, otherwise: part}"
POINTS = "points: {role: derived, type: integer, min: 0, max: 9,"
MAY_MISS = (POINTS, f"{POINTS} missing: no points,")


def last_result(*changes: tuple[str, str]) -> object:
    table = read_model(*changes).decisions["refund"]
    assert isinstance(table, Table)
    return table.rules[-1].then


@pytest.mark.parametrize("text", ["missing", "none yet", '"missing"'])
def test_a_rule_says_missing_or_the_word_for_it(text: str) -> None:
    assert last_result((LAST, f"{{id: A2, otherwise: {text}}}")) == NONE_YET


def test_a_label_that_is_spelled_missing_prevails() -> None:
    kind = EnumType(("full", "part", "missing"))

    found = last_result(
        ("[full, part]", "[full, part, missing]"), (LAST, "{id: A2, otherwise: missing}")
    )

    assert found == Constant(kind, 2)


def test_a_side_of_a_choice_may_be_missing() -> None:
    value = "price if is_opened else missing"
    points = (
        "points: {role: derived, type: number, places: 2, min: 0, max: 500, missing: no points,"
    )

    model = read_model(
        (POINTS, points),
        ("      table: kind\n      rows: {Book: 1, Toy: 2}\n", f"      value: {value}\n"),
    )

    price = NumberType(0, 50_000, 2)
    decision = model.decisions["points"]
    assert isinstance(decision, Formula)
    assert isinstance(decision.value, Choice)
    assert decision.value.then == Read(price, "price")
    assert decision.value.otherwise == Missing(price, "no points")


def test_a_row_of_a_table_may_be_missing() -> None:
    model = read_model(MAY_MISS, ("{Book: 1, Toy: 2}", "{Book: 1, Toy: missing}"))

    assert model.may_decide_nothing("points")
    assert not model.may_decide_nothing("age")


def test_missing_stands_where_a_whole_result_does(golden: Golden) -> None:
    table = "      table: kind\n      rows: {Book: 1, Toy: 2}\n"
    rules = """\
      hit: collect
      collect: sum
      rules:
        - {id: P1, when: is_opened, then: 1}
        - {id: P2, when: price > 10, then: missing}
"""
    faults = list_faults(
        [("Toy: 2}", "Toy: missing}")],
        [MAY_MISS, ("Toy: 2}", "Toy: missing + 1}")],
        [("when: age <= return_days", "when: refund == missing")],
        [MAY_MISS, (table, rules)],
    )
    golden(FAULTS / "missing_results.txt", faults)
