"""The judge of all readings is held to answers that are known by hand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

import pytest

from tests.judges.reference_decisions import decision
from tests.judges.reference_interpreter import Natural, Part, evaluate


def item(amount: str, kind: str, *, paid: bool) -> Mapping[str, Part]:
    return {"amount": Fraction(amount), "kind": kind, "paid": paid}


CALENDARS = {"bank": frozenset({date(2026, 1, 1), date(2026, 1, 3), date(2026, 1, 6)})}
ROW: dict[str, Natural | None] = {
    "pieces": Fraction(3),
    "price": Fraction("-0.125"),
    "paid": False,
    "colour": "Red",
    "tags": frozenset({"Urgent"}),
    "none": frozenset(),
    "sent": date(2024, 1, 31),
    "new_year": date(2026, 1, 1),
    "seen": datetime(2024, 2, 29, 23, 59),  # noqa: DTZ001 - no zones
    "missing": None,
    "items": (item("1.5", "A", paid=True), item("2", "B", paid=False), item("-4", "A", paid=False)),
    "empty": (),
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pieces == 3.00", True),
        ("2 < pieces <= 3 < 4", True),
        ("2 < pieces < 3", False),
        ("colour in ['Blue', 'Red']", True),
        ("colour not in ['Red']", False),
        ("'Urgent' in tags and 'Urgent' not in none", True),
        ("present(missing)", False),
        ("present(missing) and missing > 3", False),
        ("not present(missing) or missing > 3", True),
        ("missing if present(missing) else 7", Fraction(7)),
        ("1.50 - pieces * 2", Fraction("-4.5")),
        ("-pieces", Fraction(-3)),
        ("round(price, 2)", Fraction("-0.13")),
        ("round(0.125, 2)", Fraction("0.13")),
        ("round(pieces / 2, 0)", Fraction(2)),
        ("round(-pieces / 2, 0)", Fraction(-2)),
        ("round(pieces / 7, 3)", Fraction("0.429")),
        ("pieces / 2 == 1.5", True),
        ("pieces / 3 < 3 / pieces", False),
        ("abs(price)", Fraction("0.125")),
        ("min(pieces, 2.5, price)", Fraction("-0.125")),
        ("max(pieces, 2.5)", Fraction(3)),
        ("count(tags) + count(none)", Fraction(1)),
        ("days_between('2024-02-28', '2024-03-01')", Fraction(2)),
        ("days_between(sent, '2024-01-30')", Fraction(-1)),
        ("workdays_between(new_year, new_year, bank)", Fraction(0)),
        ("workdays_between('2025-12-31', '2026-01-07', bank)", Fraction(3)),
        ("workdays_between('2026-01-07', '2025-12-31', bank)", Fraction(-3)),
        ("workdays_between('2026-01-02', '2026-01-04', bank)", Fraction(0)),
        ("workdays_between('2026-01-07', '2026-01-21', bank)", Fraction(10)),
        ("minutes_between('2024-02-29 23:50', seen)", Fraction(9)),
        ("minutes_between(seen, '2024-02-28 23:59')", Fraction(-1440)),
        ("add_days(sent, 29) == '2024-02-29'", True),
        ("add_months(sent, 1)", date(2024, 2, 29)),
        ("add_months(sent, 13)", date(2025, 2, 28)),
        ("add_months(sent, -2)", date(2023, 11, 30)),
        ("add_months('2023-12-31', 12)", date(2024, 12, 31)),
        ("add_months(sent, -1)", date(2023, 12, 31)),
        ("add_workdays('2025-12-31', 3, bank)", date(2026, 1, 7)),
        ("add_workdays('2026-01-03', 0, bank)", date(2026, 1, 3)),
        ("date_of(seen)", date(2024, 2, 29)),
        ("weekday_of(date_of(seen))", "Thursday"),
        ("date_of(seen) < '2024-03-01' and seen >= '2024-02-29 23:59'", True),
        ("count(i for i in items)", Fraction(3)),
        ("count(i for i in items if i.paid or i.amount > pieces)", Fraction(1)),
        ("count(i for i in empty)", Fraction(0)),
        ("sum(i.amount * 2 for i in items if i.kind == 'A')", Fraction(-5)),
        ("sum(i.amount for i in empty)", Fraction(0)),
        ("min((i.amount for i in items), default=9)", Fraction(-4)),
        ("max((i.amount for i in items if i.kind == 'C'), default=-9)", Fraction(-9)),
        ("max((i.amount for i in items if i.amount < 0), default=0)", Fraction(-4)),
        ("average((i.amount for i in items if not i.paid), places=0, default=5)", Fraction(-1)),
        ("average((i.amount for i in items), places=2, default=5)", Fraction("-0.17")),
        ("average((i.amount for i in empty), places=2, default=5)", Fraction(5)),
        ("any(i.paid for i in items if i.kind == 'B')", False),
        ("any(i.paid for i in empty)", False),
        ("all(i.paid for i in items if i.amount == 1.5)", True),
        ("all(i.paid for i in empty)", True),
    ],
)
def test_an_expression_has_the_value_that_people_expect(text: str, expected: Natural) -> None:
    found = evaluate(text, ROW, CALENDARS)

    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("missing > 3", id="read without a test"),
        pytest.param("present(missing) or missing > 3", id="read where it is missing"),
        pytest.param("colour > 3", id="a label and a number"),
        pytest.param("paid + 1", id="a yes/no value as a number"),
    ],
)
def test_the_reference_fails_rather_than_guess(text: str) -> None:
    with pytest.raises(AssertionError):
        evaluate(text, ROW)


def rules(*pairs: tuple[str, object], otherwise: object = None) -> list[dict[str, object]]:
    found: list[dict[str, object]] = [{"when": when, "then": then} for when, then in pairs]
    return [*found, {"otherwise": otherwise}] if otherwise is not None else found


NONE_HOLDS = [("pieces > 5", 1), ("paid", 2)]
TWO_HOLD = [("pieces > 5", 1), ("pieces > 2", 20), ("not paid", Decimal("4.5"))]


@pytest.mark.parametrize(
    ("hit", "collect", "pairs", "otherwise", "expected"),
    [
        ("first", None, TWO_HOLD, None, Fraction(20)),
        ("first", None, NONE_HOLDS, 7, Fraction(7)),
        ("first", None, NONE_HOLDS, None, None),
        ("unique", None, TWO_HOLD[:2], None, Fraction(20)),
        ("any", None, [("not paid", "pieces + 1"), ("pieces > 2", 4)], 5, Fraction(4)),
        ("collect", "sum", TWO_HOLD, None, Fraction("24.5")),
        ("collect", "sum", NONE_HOLDS, None, Fraction(0)),
        ("collect", "sum", NONE_HOLDS, 8, Fraction(8)),
        ("collect", "min", TWO_HOLD, 1, Fraction("4.5")),
        ("collect", "max", TWO_HOLD, 99, Fraction(20)),
        ("collect", "max", NONE_HOLDS, None, None),
        ("collect", "count", TWO_HOLD, 9, Fraction(2)),
        ("collect", "count", NONE_HOLDS, None, Fraction(0)),
    ],
)
def test_a_table_decides_by_its_hit_policy(
    hit: str,
    collect: str | None,
    pairs: list[tuple[str, object]],
    otherwise: object,
    expected: Natural | None,
) -> None:
    document = {"hit": hit, "collect": collect, "rules": rules(*pairs, otherwise=otherwise)}

    assert decision(document)(ROW) == expected


@pytest.mark.parametrize(
    ("hit", "pairs"),
    [
        pytest.param("unique", TWO_HOLD, id="two rules hold"),
        pytest.param("any", TWO_HOLD, id="two rules disagree"),
    ],
)
def test_a_table_that_breaks_its_policy_fails(hit: str, pairs: list[tuple[str, object]]) -> None:
    with pytest.raises(AssertionError):
        decision({"hit": hit, "rules": rules(*pairs)})(ROW)


def test_a_look_up_by_two_fields_takes_the_row_of_rows() -> None:
    rows = {"Red": {"A": 1, "B": "pieces * 2"}, "Blue": {"A": 3, "B": 4}}
    look_up = decision({"table": ["colour", "kind"], "rows": rows})

    assert look_up({**ROW, "kind": "B"}) == 6
    assert look_up({**ROW, "colour": "Blue", "kind": "A"}) == 3


def test_a_result_may_be_a_label_a_day_or_a_truth_value() -> None:
    table = {"table": "colour", "rows": {"Red": "Sea green", "Blue": "Red"}}
    days = {"table": "colour", "rows": {"Red": "2026-01-01", "Blue": "sent"}}
    truths = {"hit": "first", "rules": rules(("paid", False), otherwise=True)}

    assert decision(table, ["Red", "Sea green"])(ROW) == "Sea green"
    assert decision(days)(ROW) == date(2026, 1, 1)
    assert decision(days)({**ROW, "colour": "Blue"}) == date(2024, 1, 31)
    assert decision(truths)(ROW) is True
