"""Each kind of mistake in an expression, with its value and the right one worked out by hand."""

from __future__ import annotations

from datetime import date

import pytest

from sopforge.language.domain.expressions.expressions import Expression, Missing
from sopforge.language.domain.expressions.operators import Calendar
from sopforge.language.domain.parsing import Scope, parse_condition, parse_value
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.rules import Formula
from sopforge.language.domain.values.types import (
    ANY_MINUTE,
    BooleanType,
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    Value,
    ValueType,
)
from sopforge.language.logic.readings.scalar import evaluate
from sopforge.proof.dataset.mutants.expression_mistakes import derive_edits
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from sopforge.proof.dataset.oracle import label_row
from tests.conftest import BRIEFS
from tests.judges.walked_mistakes import Walked
from tests.worlds.small_models import claims, day, parcel, row

DAYS = DateType(day("2023-01-01"), day("2028-12-31"))
WHOLE = NumberType(0, 1000)
KINDS = EnumType(("Meal", "Taxi"))
ITEMS = ListType((("a", WHOLE), ("b", WHOLE), ("kind", KINDS), ("paid", BooleanType())), 4, "none")
OFFICE = Calendar("office", (day("2026-04-03"), day("2026-04-06")))  # Friday and Monday
SCOPE = Scope(
    fields={
        "start": DAYS,
        "end": DAYS,
        "opened": DateTimeType((day("2023-01-01") - 1) * 1440, (day("2028-12-31") - 1) * 1440),
        "n": NumberType(-1000, 1000),
        "m": WHOLE,
        "grade": EnumType(("Staff", "Lead", "Chief")),
        "extras": SetType(("Tip", "Drinks", "Papers"), "none"),
        "asked": SetType(("Tip", "Drinks", "Papers"), "none asked"),
        "extra": EnumType(("Tip", "Drinks", "Papers")),
        "ok": BooleanType(),
        "rows": ITEMS,
    },
    constants={},
    optional=frozenset(),
    calendars={"office": OFFICE},
)


def edited(right: Expression, words: str) -> Expression:
    found = [edit.wrong for edit in derive_edits(right, {"rows": ITEMS}) if edit.words == words]
    assert found, [edit.words for edit in derive_edits(right, {"rows": ITEMS})]
    return found[0]


def number(text: str, places: int = 0) -> Expression:
    wide = NumberType(-(10**9), 10**9, places)
    return parse_value(text, SCOPE, wide)


def two(right: Expression, words: str, **given: Value | None) -> tuple[object, object]:
    """Return the right value on a row, and that with a mistake."""
    return evaluate(right, given), evaluate(edited(right, words), given)


def dates(text: str, words: str, start: str) -> tuple[str, str]:
    right = parse_value(text, SCOPE, DateType(1, day("9999-12-31")))
    found = two(right, words, start=day(start))
    one, other = (date.fromordinal(int(str(value))).isoformat() for value in found)
    return one, other


# dates


@pytest.mark.parametrize(
    ("start", "words", "right", "wrong"),
    [
        ("2026-01-31", "on into the next month from a shorter one", "2026-02-28", "2026-03-03"),
        ("2026-01-29", "on into the next month from a shorter one", "2026-02-28", "2026-03-01"),
        ("2026-01-28", "on into the next month from a shorter one", "2026-02-28", "2026-02-28"),
        ("2026-01-31", "a day less where the month is 3 short", "2026-02-28", "2026-02-27"),
        ("2026-01-30", "a day less where the month is 2 short", "2026-02-28", "2026-02-27"),
        ("2026-01-29", "a day less where the month is 1 short", "2026-02-28", "2026-02-27"),
        ("2026-01-31", "a day less where the month is 1 short", "2026-02-28", "2026-02-28"),
        ("2026-03-31", "a day less where the month is 1 short", "2026-04-30", "2026-04-29"),
        ("2026-01-31", "months of 30 days", "2026-02-28", "2026-03-02"),
        ("2026-06-15", "months of 30 days", "2026-07-15", "2026-07-15"),
        ("2026-02-28", "from the end of a month to the end of a month", "2026-03-28", "2026-03-31"),
        ("2026-02-27", "from the end of a month to the end of a month", "2026-03-27", "2026-03-27"),
        ("2025-12-31", "the 30th for the 31st", "2026-01-31", "2026-01-30"),
        ("2024-01-31", "28 for 29 February", "2024-02-29", "2024-02-28"),
        ("2026-01-31", "28 for 29 February", "2026-02-28", "2026-02-28"),
        ("2026-05-05", "a day less", "2026-06-05", "2026-06-04"),
        ("2026-05-05", "a day more", "2026-06-05", "2026-06-06"),
    ],
)
def test_a_month_later(start: str, words: str, right: str, wrong: str) -> None:
    assert dates("add_months(start, 1)", words, start) == (right, wrong)


def test_a_year_of_365_days_ends_a_day_early_over_29_february() -> None:
    found = dates("add_months(start, 12)", "years of 365 days", "2024-02-01")

    assert found == ("2025-02-01", "2025-01-31")
    assert dates("add_months(start, 12)", "months of 30 days", "2024-02-01")[1] == "2025-01-26"


@pytest.mark.parametrize(("words", "wrong"), [("a day less", 9), ("a day more", 11)])
def test_days_later(words: str, wrong: int) -> None:
    assert dates("add_days(start, 10)", words, "2026-05-01") == (
        "2026-05-11",
        f"2026-05-{wrong + 1:02}",
    )


@pytest.mark.parametrize(
    ("text", "words", "right", "wrong"),
    [
        ("add_hours(opened, 72)", "an hour less", 4320, 4260),
        ("add_hours(opened, 72)", "an hour more", 4320, 4380),
        ("add_hours(opened, 72)", "minutes for hours", 4320, 72),
        ("add_hours(opened, 72)", "days for hours", 4320, 103_680),
        ("add_minutes(opened, 4320)", "an hour less", 4320, 4260),
        ("add_minutes(opened, 90)", "a minute more", 90, 91),
        ("add_minutes(opened, 90)", "hours for minutes", 90, 5400),
        ("add_days(opened, 3)", "a day less", 4320, 2880),
        ("add_days(opened, 3)", "hours for days", 4320, 180),
    ],
)
def test_times_later(text: str, words: str, right: int, wrong: int) -> None:
    opened = (day("2026-05-01") - 1) * 1440
    found = two(parse_value(text, SCOPE, ANY_MINUTE), words, opened=opened)

    assert found == (opened + right, opened + wrong)


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("days for workdays", 5),
        ("2026-04-03 as no holiday", 2),
        ("no holidays", 3),
        ("2026-04-07 as a holiday", 0),
        ("2026-04-01 as a holiday", 1),
        ("Saturdays as workdays", 2),
        ("a workday less", 0),
        ("a workday more", 2),
    ],
)
def test_workdays_over_easter(words: str, wrong: int) -> None:
    """From Thursday 2 to Tuesday 7 April: Good Friday, a weekend and Easter Monday lie between."""
    right = number("workdays_between(start, end, office)")
    span = {"start": day("2026-04-02"), "end": day("2026-04-07")}

    assert two(right, words, **span) == (1, wrong)


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("days for workdays", "2026-04-04"),
        ("2026-04-03 as no holiday", "2026-04-07"),
        ("no holidays", "2026-04-06"),
        ("a workday less", "2026-04-07"),
        ("a workday more", "2026-04-09"),
    ],
)
def test_workdays_later_over_easter(words: str, wrong: str) -> None:
    """From Thursday 2 April; Good Friday and Easter Monday are holidays."""
    assert dates("add_workdays(start, 2, office)", words, "2026-04-02") == ("2026-04-08", wrong)


@pytest.mark.parametrize(
    ("start", "end", "saturdays"),
    [
        ("2026-04-03", "2026-04-04", 1),
        ("2026-04-04", "2026-04-10", 0),
        ("2023-01-01", "2023-01-29", 4),
    ],
)
def test_saturdays_count_after_the_start_up_to_the_end(
    start: str, end: str, saturdays: int
) -> None:
    right = number("workdays_between(start, end, office)")
    one, other = two(right, "Saturdays as workdays", start=day(start), end=day(end))

    assert int(str(other)) - int(str(one)) == saturdays


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("29 February not counted", 62),
        ("a day lost at the turn of a year", 62),
        ("a day less", 62),
        ("a day more", 64),
        ("from the end to the start", -63),
    ],
)
def test_days_over_new_year_and_29_february(words: str, wrong: int) -> None:
    """From 30 December to 2 March: 1 day of the year, 31, 29, and 2 of March."""
    span = {"start": day("2023-12-30"), "end": day("2024-03-02")}

    assert two(number("days_between(start, end)"), words, **span) == (63, wrong)


@pytest.mark.parametrize(
    ("text", "words", "end", "right", "wrong"),
    [
        ("days_between(start, end) <= 365", "calendar years for days", "2025-02-01", 0, 1),
        ("days_between(start, end) <= 365", "calendar years for days", "2025-01-31", 1, 1),
        ("days_between(start, end) <= 30", "calendar months for days", "2024-03-02", 1, 0),
        ("days_between(start, end) < 60", "calendar months for days", "2024-04-01", 0, 0),
    ],
)
def test_a_period_of_days_is_none_of_the_calendar(
    text: str, words: str, end: str, right: int, wrong: int
) -> None:
    """From 1 February 2024: a year later is day 366, a month later day 29, two months day 60."""
    span = {"start": day("2024-02-01"), "end": day(end)}

    assert two(parse_condition(text, SCOPE), words, **span) == (right, wrong)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("start <= '9999-12-31'", "9999-12-30 for 9999-12-31"),
        ("start >= '0001-01-01'", "0001-01-02 for 0001-01-01"),
        ("opened <= '9999-12-31 23:59'", "9999-12-31 23:58 for 9999-12-31 23:59"),
    ],
)
def test_no_mistake_leaves_the_calendar(text: str, words: str) -> None:
    found = [edit.words for edit in derive_edits(parse_condition(text, SCOPE))]

    assert [other for other in found if " for 9999" in other or " for 0001" in other] == [words]


# rounding


@pytest.mark.parametrize(
    ("n", "words", "right", "wrong"),
    [
        (25, "halves rounded to even", 13, 12),  # 1.25
        (35, "halves rounded to even", 18, 18),  # 1.75
        (-25, "halves rounded to even", -13, -12),
        (35, "halves rounded down", 18, 17),
        (-25, "halves rounded down", -13, -12),
        (-25, "halves below zero rounded up", -13, -12),
        (25, "halves below zero rounded up", 13, 13),
        (27, "rounded down", 14, 13),  # 1.35
        (26, "rounded down", 13, 13),  # 1.30
        (29, "rounded down", 15, 14),  # 1.45
        (21, "rounded up", 11, 11),  # 1.05
        (-27, "rounded down", -14, -14),
        (-27, "rounded up", -14, -13),
        (32, "rounded to 0 places", 16, 20),  # 1.6
        (24, "rounded to 0 places", 12, 10),  # 1.2
    ],
)
def test_a_twentieth_in_tenths(n: int, words: str, right: int, wrong: int) -> None:
    assert two(number("round(n / 20, 1)", 1), words, n=n) == (right, wrong)


@pytest.mark.parametrize(
    ("n", "words", "wrong"),
    [
        (20, "rounded down", 6),
        (10, "rounded up", 4),
        (-10, "rounded down", -4),
        (-20, "rounded up", -6),
    ],
)
def test_a_thirtieth_has_no_halves_to_round(n: int, words: str, wrong: int) -> None:
    """0.67 and 0.33, and the same below zero."""
    right = {20: 7, 10: 3, -10: -3, -20: -7}[n]

    assert two(number("round(n / 30, 1)", 1), words, n=n) == (right, wrong)


@pytest.mark.parametrize(
    ("text", "n", "words", "right", "wrong"),
    [
        ("floor(n / 20, 1)", 25, "ceiling for floor", 12, 13),  # 1.25
        ("floor(n / 20, 1)", 27, "round for floor", 13, 14),  # 1.35
        ("floor(n / 20, 1)", -25, "rounded towards zero", -13, -12),
        ("floor(n / 20, 1)", 27, "rounded to 0 places", 13, 10),
        ("ceiling(n / 20, 1)", 21, "floor for ceiling", 11, 10),  # 1.05
        ("ceiling(n / 20, 1)", 22, "round for ceiling", 11, 11),  # 1.10
        ("ceiling(n / 20, 1)", -27, "rounded towards zero", -13, -13),
        ("remainder(n, 7) + 0.0", 30, "the number for its remainder", 20, 300),
        ("remainder(n, 7) + 0.0", 30, "the quotient for the remainder", 20, 40),
        ("remainder(n, 7) + 0.0", -30, "rounded towards zero", 50, -20),
        ("remainder(n, 7) + 0.0", 30, "8 for 7", 20, 60),
        ("n ** 2 + 0.0", 30, "twice the value for its square", 9000, 600),
    ],
)
def test_rounding_in_a_direction_remainders_and_squares(
    text: str, n: int, words: str, right: int, wrong: int
) -> None:
    assert two(number(text, 1), words, n=n) == (right, wrong)


FEES = (BRIEFS.parent / "tests" / "briefs" / "fees.yaml").read_text(encoding="utf-8")


# lists

LISTED = (
    {"a": 10, "b": 1, "kind": 0, "paid": 1},
    {"a": 20, "b": 3, "kind": 1, "paid": 0},
)


@pytest.mark.parametrize(
    ("text", "words", "right", "wrong"),
    [
        ("sum(i.a for i in rows)", "count for sum", 30, 2),
        ("sum(i.a for i in rows)", "min for sum", 30, 10),
        ("sum(i.a for i in rows)", "max for sum", 30, 20),
        ("sum(i.a for i in rows)", "b for a", 30, 4),
        ("sum(i.a for i in rows if i.kind == 'Meal')", "sum of all items", 10, 30),
        ("sum(i.a for i in rows if i.kind == 'Meal')", "Taxi for Meal", 10, 20),
        ("count(i for i in rows if i.paid)", "count of all items", 1, 2),
        ("count(i for i in rows if i.a > 10)", "9 for 10", 1, 2),
        ("max((i.a for i in rows), default=0)", "min for max", 20, 10),
        ("min((i.a for i in rows), default=0)", "max for min", 10, 20),
        ("first((i.a for i in rows), default=0)", "last for first", 10, 20),
        ("last((i.a for i in rows if i.paid), default=0)", "last of all items", 10, 20),
        ("median((i.a for i in rows), default=0)", "average for median", 10, 15),
        ("average((i.a for i in rows), places=0, default=0)", "weighted by b", 15, 18),
        (
            "round(sum(i.a * i.b for i in rows) / max(sum(i.b for i in rows), 1), 0)",
            "b for a",
            18,
            3,
        ),
    ],
)
def test_a_list(text: str, words: str, right: int, wrong: int) -> None:
    """10 and 20; by their weights 1 and 3 the average is 17.5, and that of the weights 2.5."""
    assert two(number(text), words, rows=LISTED) == (right, wrong)


def test_a_weighted_average_without_its_weights() -> None:
    weighted = "round(sum(i.a * i.b for i in rows) / max(sum(i.b for i in rows), 1), 1)"
    right = number(weighted, 1)
    found = [
        edit.wrong for edit in derive_edits(right, {"rows": ITEMS}) if edit.words == "not weighted"
    ]

    assert evaluate(right, {"rows": LISTED}) == 175
    assert [evaluate(wrong, {"rows": LISTED}) for wrong in found] == [150, 20]
    assert [evaluate(wrong, {"rows": ()}) for wrong in found] == [0, 0]


@pytest.mark.parametrize(
    ("text", "words", "right", "wrong"),
    [
        ("any(i.paid for i in rows)", "all for any", 1, 0),
        ("all(i.paid for i in rows)", "any for all", 0, 1),
        ("any(i.a > 25 for i in rows)", "the sum for any item", 0, 1),
        ("any(i.a > 15 for i in rows if i.paid)", "any of all items", 0, 1),
        ("any(i.a >= 20 for i in rows)", "> for >=", 1, 0),
    ],
)
def test_a_test_of_a_list(text: str, words: str, right: int, wrong: int) -> None:
    assert two(parse_condition(text, SCOPE), words, rows=LISTED) == (right, wrong)


# conditions, labels and terms


@pytest.mark.parametrize(
    ("text", "words", "right", "wrong"),
    [
        ("grade in ['Staff', 'Lead']", "Lead left out", 1, 0),
        ("grade in ['Staff', 'Chief']", "Lead listed too", 0, 1),
        ("grade == 'Lead'", "Staff for Lead", 1, 0),
        ("grade == 'Staff'", "Lead beside Staff", 0, 1),
        ("grade != 'Chief'", "Lead beside Chief", 1, 0),
        ("grade == 'Lead'", "!= for ==", 1, 0),
        ("'Tip' in extras", "Drinks for Tip", 0, 1),
        ("m < 7", "<= for <", 0, 1),
        ("m < 7", "8 for 7", 0, 1),
        ("m <= 7", "6 for 7", 1, 0),
        ("ok and m > 9", "or for and", 0, 1),
        ("ok or m > 9", "and for or", 1, 0),
        ("ok and m > 9", "part 2 of 2 left out", 0, 1),
        ("not ok", "not left out", 0, 1),
        ("ok", "no for yes of ok", 1, 0),
    ],
)
def test_a_condition(text: str, words: str, right: int, wrong: int) -> None:
    """Of a Lead with drinks; 7 of something; ok."""
    case = {"grade": 1, "extras": 0b010, "m": 7, "ok": 1}

    assert two(parse_condition(text, SCOPE), words, **case) == (right, wrong)


TIP, DRINKS, PAPERS = 0b001, 0b010, 0b100


@pytest.mark.parametrize(
    ("text", "words", "asked", "extras", "found"),
    [
        ("asked <= extras", "Papers overlooked", TIP | PAPERS, TIP, (0, 1)),
        ("asked <= extras", "Papers overlooked", DRINKS | PAPERS, TIP, (0, 0)),
        ("asked <= extras", "Tip overlooked", TIP | PAPERS, TIP, (0, 0)),
        ("asked <= extras", "the other set in this one", TIP, TIP | DRINKS, (1, 0)),
        ("asked <= extras", "the other set in this one", TIP | DRINKS, TIP, (0, 1)),
        ("asked <= extras", "the same labels for none besides", TIP, TIP | DRINKS, (1, 0)),
        ("asked <= extras", "some for all", TIP | DRINKS, TIP, (0, 1)),
        ("asked <= extras", "some for all", 0, TIP, (1, 0)),
        ("extras <= ['Tip', 'Drinks']", "Papers overlooked", 0, TIP | PAPERS, (0, 1)),
        ("extras <= ['Tip', 'Drinks']", "Drinks left out", 0, DRINKS, (1, 0)),
        ("extras <= ['Tip', 'Drinks']", "Tip left out", 0, DRINKS, (1, 1)),
        ("extras <= ['Tip', 'Drinks']", "the other set in this one", 0, TIP, (1, 0)),
        ("extras <= ['Tip', 'Drinks']", "some for all", 0, TIP | PAPERS, (0, 1)),
        ("not extras <= ['Tip']", "not left out", 0, DRINKS, (1, 0)),
    ],
)
def test_whether_all_of_a_set_lies_in_another(
    text: str, words: str, asked: int, extras: int, found: tuple[int, int]
) -> None:
    assert two(parse_condition(text, SCOPE), words, asked=asked, extras=extras) == found


@pytest.mark.parametrize(
    ("words", "extra", "extras", "found"),
    [
        ("Drinks taken for a member", 1, TIP, (0, 1)),
        ("Drinks taken for a member", 2, TIP, (0, 0)),
        ("Drinks taken for no member", 1, DRINKS | PAPERS, (1, 0)),
        ("Drinks taken for no member", 2, DRINKS | PAPERS, (1, 1)),
        ("not in for in", 2, TIP, (0, 1)),
    ],
)
def test_whether_a_label_is_among_those_of_a_set(
    words: str, extra: int, extras: int, found: tuple[int, int]
) -> None:
    assert (
        two(parse_condition("extra in extras", SCOPE), words, extra=extra, extras=extras) == found
    )


@pytest.mark.parametrize(
    ("text", "words", "right", "wrong"),
    [
        ("asked | extras", "& for |", TIP | DRINKS | PAPERS, DRINKS),
        ("asked | extras", "the first set alone for |", TIP | DRINKS | PAPERS, TIP | DRINKS),
        ("asked | extras", "the second set alone for |", TIP | DRINKS | PAPERS, DRINKS | PAPERS),
        ("asked & extras", "| for &", DRINKS, TIP | DRINKS | PAPERS),
        ("asked & extras", "the first set alone for &", DRINKS, TIP | DRINKS),
        ("asked - extras", "the first set alone for -", TIP, TIP | DRINKS),
        ("asked - extras", "the second set without the first", TIP, PAPERS),
        ("asked - extras", "& for -", TIP, DRINKS),
        ("['Tip', 'Papers']", "Tip for Tip; Papers", TIP | PAPERS, TIP),
        ("['Tip', 'Papers']", "Tip; Drinks; Papers for Tip; Papers", TIP | PAPERS, 0b111),
        ("asked | ['Papers']", "none for Papers", 0b111, TIP | DRINKS),
        ("extras if ok else asked", "the first of two values always", TIP | DRINKS, 0b110),
    ],
)
def test_what_is_made_of_sets(text: str, words: str, right: int, wrong: int) -> None:
    """Asked for are a tip and drinks; there are drinks and papers; not ok."""
    case = {"asked": TIP | DRINKS, "extras": DRINKS | PAPERS, "ok": 0}
    kind = SCOPE.fields["extras"]

    assert two(parse_value(text, SCOPE, kind), words, **case) == (right, wrong)


def test_each_label_is_asked_for_in_the_set_and_not() -> None:
    edits = list(derive_edits(parse_condition("extra in extras", SCOPE)))

    assert [edit.words for edit in edits] == [
        *("Tip taken for a member", "Tip taken for no member"),
        *("Drinks taken for a member", "Drinks taken for no member"),
        *("Papers taken for a member", "Papers taken for no member"),
        "not in for in",
    ]


@pytest.mark.parametrize(
    ("text", "words", "right", "wrong"),
    [
        ("m + n", "- for +", 3, 11),
        ("m + n", "the first term left out", 3, -4),
        ("m + n", "the second term left out", 3, 7),
        ("m - n", "+ for -", 11, 3),
        ("m - n", "nothing taken off", 11, 7),
        ("m * 12", "11 for 12", 84, 77),
        ("abs(n)", "the sign kept", 4, -4),
        ("min(m, 5)", "max for min", 5, 7),
        ("min(m, 5)", "min without value 2", 5, 7),
        ("max(n, 0)", "max without value 2", 0, -4),
        ("m if ok else 2", "the second of two values always", 7, 2),
        ("2 if ok else m", "the first of two values always", 2, 2),
    ],
)
def test_a_term(text: str, words: str, right: int, wrong: int) -> None:
    assert two(number(text), words, m=7, n=-4, ok=1) == (right, wrong)


# tables and fields


def test_a_table_has_other_cells_and_other_rows() -> None:
    """Of 0, 2 and 4: a unit less or more, what a cell not beside holds, a row beside."""
    words = [item.words for item in derive_mutants(parcel()) if "formula service_points" in item.id]

    assert sorted(text.partition("', ")[2] for text in words) == sorted(
        [
            *("row Standard, -1 for 0", "row Standard, 1 for 0", "row Standard, 4 for 0"),
            *("row Express, 1 for 2", "row Express, 3 for 2"),
            *("row Night, 3 for 4", "row Night, 5 for 4", "row Night, 0 for 4"),
            "row Express taken for Standard",
            "row Standard taken for Express",
            "row Night taken for Express",
            "row Express taken for Night",
        ]
    )


def test_a_table_with_two_keys_has_mistakes_in_both() -> None:
    """Six cells a unit less and more; near for far of each grade; neighbouring grades."""
    found = [item for item in derive_mutants(claims()) if "formula nightly_limit" in item.id]
    values = {
        item.words.partition("', ")[2]: item.model.decisions["nightly_limit"] for item in found
    }

    cells = [120, 180, 160, 240, 300, 450]
    regions = ["row Far taken for Near", "row Near taken for Far"]
    assert len(found) == 2 * len(cells) + 3 * len(regions) + 4
    assert {words for words in values if "taken" in words} == {
        *regions,
        "row Lead taken for Staff",
        "row Staff taken for Lead",
        "row Chief taken for Lead",
        "row Lead taken for Chief",
    }
    wrong = values["row Chief taken for Lead"]
    assert isinstance(wrong, Formula)
    assert evaluate(wrong.value, {"grade": 1, "region": 1}) == 450


def test_a_missing_label_may_be_read_as_one_and_a_label_as_missing() -> None:
    """A service may be unknown: then a parcel is held; of a Night parcel the sum is 4."""
    model = parcel(
        (
            "values: [Standard, Express, Night], desc",
            "values: [Standard, Express, Night], missing: not chosen, missing_share: 5, desc",
        ),
        (
            '{when: "present(due_on)',
            '{when: not present(service), to: hold}\n          - {when: "present(due_on)',
        ),
    )
    words = {item.words for item in derive_mutants(model) if "reading" in item.id}

    assert {
        f"{name} read as missing in 'service'" for name in ("Standard", "Express", "Night")
    } <= words
    assert {f"missing read as {name} in 'service'" for name in ("Standard", "Night")} <= words
    by_words = {item.words: item.model for item in derive_mutants(model)}
    unknown = row(service=None)
    assert label_row(model, unknown).known["release"] == 1
    assert (
        label_row(by_words["missing read as Standard in 'service'"], unknown).known["release"] == 0
    )
    given = row(service=2)
    assert label_row(model, given).known["release"] == 0
    assert label_row(by_words["Night read as missing in 'service'"], given).known["release"] == 1


@pytest.mark.parametrize(
    ("words", "lateness"),
    [
        ("in 'lateness', the last rule that applies, not the first", "tolerated"),
        ("in 'lateness', rule L2 before rule L1", "tolerated"),
        ("in 'lateness', rule L1 dropped", "tolerated"),
        ("in 'lateness', rule L1, result, charged for in time", "charged"),
    ],
)
def test_the_order_of_rules_and_their_results(words: str, lateness: str) -> None:
    """A book that is not late at all is in time, though less than four days late."""
    model = read_brief(FEES, "fees.yaml").model
    (wrong,) = [item.model for item in derive_mutants(model) if item.words == words]
    walked = Walked(model, {"loan_id": "L00001", "kind": 0, "days_late": 0})

    values = model.primary.type
    assert isinstance(values, EnumType)
    assert values.values[int(str(walked.walk.known["lateness"]))] == "in time"
    other = label_row(wrong, walked.row).known["lateness"]
    assert values.values[int(str(other))] == lateness


# no value


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (NumberType(0, 900, 2), ["0.00 for no value", "9.00 for no value"]),
        (NumberType(5, 9), ["5 for no value", "9 for no value"]),
        (NumberType(-2, 9), ["0 for no value", "-2 for no value", "9 for no value"]),
        (EnumType(("Staff", "Lead")), ["Staff for no value", "Lead for no value"]),
        (BooleanType(), ["no for no value", "yes for no value"]),
    ],
    ids=["an amount", "above zero", "around zero", "a label", "yes or no"],
)
def test_no_value_is_taken_for_one(kind: ValueType, words: list[str]) -> None:
    assert [edit.words for edit in derive_edits(Missing(kind, "none"))] == words
