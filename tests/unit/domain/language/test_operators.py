from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sopforge.language.domain.expressions.aggregates import AGGREGATES
from sopforge.language.domain.expressions.expressions import (
    AddDays,
    AddMinutes,
    AddMonths,
    DateOf,
    Expression,
    Read,
    Workdays,
)
from sopforge.language.domain.expressions.numbers import TypeRuleError
from sopforge.language.domain.expressions.operators import (
    FUNCTIONS,
    OPERATORS,
    Calendar,
    render_operators_page,
)
from sopforge.language.domain.values.types import (
    DateTimeType,
    DateType,
    NumberType,
    TextType,
)

DAY = date(2026, 1, 1).toordinal()
MINUTE = (date(2026, 1, 1).toordinal() - 1) * 1440
NEW_YEAR = Calendar("office", (DAY, DAY + 5))
SMALL = st.tuples(st.integers(-4, 4), st.integers(0, 4)).map(lambda it: (it[0], sum(it)))


def number(low: int, high: int, places: int = 0, unit: str = "") -> Read:
    return Read(NumberType(low, high, places, unit), "n")


def days(low: int, high: int, name: str = "d") -> Read:
    """Return a date field, bounds counted from 1 January 2026."""
    return Read(DateType(DAY + low, DAY + high), name)


def called(name: str, *arguments: object) -> Expression:
    return FUNCTIONS[name].build(*arguments)


def numbers_of(*fields: Read) -> Iterator[tuple[int, ...]]:
    """Return all values that the fields can have together."""
    return product(*(range(low, high + 1) for low, high in (item.type.bounds for item in fields)))


def spread(results: Iterable[int]) -> tuple[int, int]:
    found = list(results)
    return min(found), max(found)


# Numbers


@given(SMALL)
def test_bounds_of_an_absolute_number_are_exact(interval: tuple[int, int]) -> None:
    item = number(*interval)
    assert called("abs", item).type.bounds == spread(abs(n) for (n,) in numbers_of(item))


@given(st.lists(SMALL, min_size=2, max_size=3), st.sampled_from(["min", "max"]))
def test_bounds_of_the_least_and_greatest_are_exact(
    intervals: list[tuple[int, int]], name: str
) -> None:
    fields = [number(*interval) for interval in intervals]
    choose = {"min": min, "max": max}[name]
    expected = spread(choose(values) for values in numbers_of(*fields))
    assert called(name, *fields).type.bounds == expected


# Dates


@given(SMALL, SMALL)
def test_bounds_of_days_between_are_exact(first: tuple[int, int], last: tuple[int, int]) -> None:
    start, end = days(*first), days(*last)
    found = called("days_between", start, end)
    assert found.type.bounds == spread(b - a for a, b in numbers_of(start, end))


def workdays(start: int, end: int) -> int:
    """Count Mondays to Fridays after the start, the holidays of NEW_YEAR left out."""
    if end < start:
        return -workdays(end, start)
    all_days = [date.fromordinal(day) for day in range(start + 1, end + 1)]
    return sum(
        day.isoweekday() <= 5 and day.toordinal() not in NEW_YEAR.holidays for day in all_days
    )


SPANS = st.tuples(st.integers(-9, 9), st.integers(0, 5)).map(lambda it: (it[0], sum(it)))


@given(SPANS, SPANS)
def test_bounds_of_workdays_are_exact(first: tuple[int, int], last: tuple[int, int]) -> None:
    start, end = days(*first), days(*last)
    found = called("workdays_between", start, end, NEW_YEAR)
    assert found.type.bounds == spread(workdays(a, b) for a, b in numbers_of(start, end))


def test_weekends_and_holidays_are_no_working_days_of_a_range() -> None:
    # From Thursday 1 or Friday 2 to Wednesday 7 or Thursday 8 January; Tuesday is a holiday.
    start, end = days(0, 1, "a"), days(6, 7, "b")
    assert called("workdays_between", start, end, NEW_YEAR) == Workdays(
        NumberType(2, 4, unit="working days"), start, end, "office", (DAY, DAY + 5)
    )


@given(SPANS, st.tuples(st.integers(0, 4), st.integers(0, 4)).map(lambda it: (it[0], sum(it))))
def test_bounds_of_added_workdays_are_exact(first: tuple[int, int], more: tuple[int, int]) -> None:
    start, count = days(*first), number(*more)

    def later(day: int, wanted: int) -> int:
        return next(end for end in range(day, day + 40) if workdays(day, end) >= wanted)

    found = called("add_workdays", start, count, NEW_YEAR)
    assert found.type.bounds == spread(later(a, n) for a, n in numbers_of(start, count))


def test_working_days_later_are_never_negative() -> None:
    with pytest.raises(TypeRuleError) as caught:
        called("add_workdays", days(0, 9), number(-1, 3), NEW_YEAR)
    assert caught.value.hint == "write max(n, 0), or raise 'min' of the field"


@given(SMALL, SMALL)
def test_bounds_of_added_days_are_exact(first: tuple[int, int], count: tuple[int, int]) -> None:
    start, more = days(*first), number(*count)
    found = called("add_days", start, more)
    assert found == AddDays(found.type, start, more)
    assert found.type.bounds == spread(a + b for a, b in numbers_of(start, more))


def months_later(day: int, months: int) -> int:
    """Step month by month, then back from days that the month lacks."""
    start = date.fromordinal(day)
    year, month = start.year, start.month
    for _ in range(abs(months)):
        month += 1 if months > 0 else -1
        if month in {0, 13}:
            year, month = (year - 1, 12) if month == 0 else (year + 1, 1)
    for last in range(start.day, 0, -1):
        try:
            return date(year, month, last).toordinal()
        except ValueError:
            continue
    raise AssertionError


@given(
    st.integers(-400, 400),
    st.integers(0, 40),
    st.tuples(st.integers(-26, 26), st.integers(0, 4)).map(lambda it: (it[0], sum(it))),
)
def test_bounds_of_added_months_are_exact(first: int, width: int, count: tuple[int, int]) -> None:
    start, more = days(first, first + width), number(*count)
    found = called("add_months", start, more)
    assert found == AddMonths(found.type, start, more)
    assert found.type.bounds == spread(months_later(a, b) for a, b in numbers_of(start, more))


@pytest.mark.parametrize(
    ("first", "last", "months", "low", "high"),
    [
        ("2026-01-31", "2026-03-31", 1, "2026-02-28", "2026-04-30"),
        ("2024-01-30", "2024-02-29", 12, "2025-01-30", "2025-02-28"),
        ("2026-03-31", "2026-05-30", -1, "2026-02-28", "2026-04-30"),
    ],
)
def test_added_months_reach_from_the_first_day_to_the_last(
    first: str, last: str, months: int, low: str, high: str
) -> None:
    start = Read(DateType(*(date.fromisoformat(text).toordinal() for text in (first, last))), "d")
    found = called("add_months", start, number(months, months)).type.bounds
    assert [date.fromordinal(day).isoformat() for day in found] == [low, high]


def test_no_added_month_leaves_the_day() -> None:
    assert called("add_months", days(0, 30), number(0, 0)).type.bounds == (DAY, DAY + 30)


@pytest.mark.parametrize(
    ("name", "start", "count"),
    [
        ("add_days", DateType(1, 10), number(-1, 0)),
        ("add_days", DateType(3_652_050, 3_652_059), number(0, 1)),
        ("add_months", DateType(1, 10), number(-1, 0)),
        ("add_months", DateType(3_652_050, 3_652_059), number(0, 1)),
        ("add_months", DateType(DAY, DAY), number(0, 10**6)),
    ],
    ids=["before year 1", "after 9999", "months before year 1", "months after 9999", "far"],
)
def test_a_date_that_can_leave_the_calendar_is_refused(
    name: str, start: DateType, count: Read
) -> None:
    with pytest.raises(
        TypeRuleError, match="the date can fall outside the years 1 to 9999"
    ) as caught:
        called(name, Read(start, "d"), count)
    assert caught.value.code == "date-out-of-range"
    assert caught.value.hint == "narrow the range of the date, or of the number that is added"


def test_the_first_and_last_day_of_the_calendar_can_be_reached() -> None:
    assert called("add_days", Read(DateType(2, 3_652_058), "d"), number(-1, 1)).type.bounds == (
        1,
        3_652_059,
    )


# Date-times


def times(low: int, high: int, name: str = "t") -> Read:
    """Return a date-time field, bounds in minutes from the start of 2026."""
    return Read(DateTimeType(MINUTE + low, MINUTE + high), name)


@given(SMALL, SMALL)
def test_bounds_of_minutes_between_are_exact(first: tuple[int, int], last: tuple[int, int]) -> None:
    start, end = times(*first), times(*last)
    found = called("minutes_between", start, end)
    assert found.type.bounds == spread(b - a for a, b in numbers_of(start, end))


@given(st.integers(-3000, 3000), st.integers(0, 3000))
def test_the_day_of_a_date_time_is_the_calendar_s(first: int, width: int) -> None:
    moment = times(first, first + width)
    found = called("date_of", moment)
    assert isinstance(found, DateOf)
    ends = [datetime(2026, 1, 1) + timedelta(minutes=first + more) for more in (0, width)]  # noqa: DTZ001 - no zones
    assert found.type.bounds == (ends[0].toordinal(), ends[1].toordinal())


@given(SMALL, SMALL, st.sampled_from([("minutes", 1), ("hours", 60), ("days", 1440)]))
def test_bounds_of_added_times_are_exact(
    first: tuple[int, int], count: tuple[int, int], unit: tuple[str, int]
) -> None:
    start, more = times(*first), number(*count)
    found = called(f"add_{unit[0]}", start, more)
    assert found == AddMinutes(found.type, start, more, unit[1])
    assert found.type.bounds == spread(a + b * unit[1] for a, b in numbers_of(start, more))


def test_a_time_that_can_leave_the_calendar_is_refused() -> None:
    last = Read(DateTimeType(MINUTE, 5_258_964_959), "t")
    with pytest.raises(TypeRuleError, match="the date can fall outside the years 1 to 9999"):
        called("add_minutes", last, number(0, 1))


@pytest.mark.parametrize("name", ["add_hours", "add_days"])
def test_minutes_are_never_taken_for_hours_or_days(name: str) -> None:
    with pytest.raises(TypeRuleError, match="this number counts minutes") as caught:
        called(name, times(0, 9), number(0, 1, unit="minutes"))
    assert caught.value.hint == "write add_minutes(time, n)"


# The table


SOURCES = {
    "made at random": ("generators/expressions.py", "generators/written_values.py"),
    "said in English": ("generators/english.py",),
    "judged": ("judges/reference_interpreter.py",),
}


def test_every_aggregate_is_made_at_random_and_judged() -> None:
    tests = Path(__file__).parents[3]
    for files in SOURCES.values():
        text = "\n".join((tests / file).read_text(encoding="utf-8") for file in files)
        assert not set(AGGREGATES) - set(re.findall(r"\w+", text)), files


def test_the_table_shows_every_function() -> None:
    shown = set(re.findall(r"\w+(?=\()", " ".join(operator.syntax for operator in OPERATORS)))
    assert not {*FUNCTIONS, *AGGREGATES} - shown


def test_the_page_has_a_line_for_each_operator() -> None:
    rows = [line for line in render_operators_page().splitlines() if line.startswith("| `")]
    assert len(rows) == len(OPERATORS)
    assert all(row.count(" | ") == 4 for row in rows)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("abs", [Read(TextType("A"), "t")]),
        ("days_between", [number(0, 1), days(0, 1)]),
        ("add_days", [number(0, 1), number(0, 1)]),
        ("add_hours", [days(0, 1), number(0, 1)]),
        ("date_of", [days(0, 1)]),
        ("hour_of", [days(0, 1)]),
        ("weekday_of", [number(0, 1)]),
    ],
)
def test_a_function_is_never_built_of_other_types(name: str, arguments: list[Expression]) -> None:
    with pytest.raises(TypeError, match="is no "):
        called(name, *arguments)
