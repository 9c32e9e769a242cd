"""Calendar formulas against ``datetime``, in every reading over integers, on many random days."""

from __future__ import annotations

import calendar
from datetime import date, datetime, timedelta
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
import z3

from sopforge.artifacts.rendering.tools.source import ToolSource, render_tool_source
from sopforge.language.domain.expressions.expressions import (
    AddMinutes,
    AddMonths,
    AddWorkdays,
    Constant,
    Expression,
    Read,
    Workdays,
)
from sopforge.language.domain.values.types import (
    ANY_DAY,
    ANY_MINUTE,
    DateType,
    NumberType,
    require_integer,
)
from sopforge.language.logic.readings.python_source import collect_helpers
from sopforge.language.logic.readings.scalar import evaluate
from sopforge.language.logic.readings.solver_variables import Variables
from sopforge.language.logic.readings.symbolic import Symbolic
from sopforge.language.logic.readings.vector import Columns, evaluate_columns

DAYS = 20_000
ERA_ENDS = ["1600-02-29", "1600-03-01", "1999-12-31", "2000-02-29", "2100-02-28", "2100-03-01"]
HOLIDAYS = tuple(
    date.fromisoformat(text).toordinal()
    for text in ("1600-02-29", "2000-01-01", "2024-02-29", "2026-04-03", "2026-05-01", "2100-03-01")
)
START, END, MONTHS = Read(ANY_DAY, "start"), Read(ANY_DAY, "end"), Read(NumberType(-999, 999), "n")
LATER = AddMonths(ANY_DAY, START, MONTHS)
DUE = AddWorkdays(ANY_DAY, START, Read(NumberType(0, 60), "k"), "", HOLIDAYS)
BETWEEN = Workdays(NumberType(-9_999_999, 9_999_999), START, END, "", HOLIDAYS)


def months_later(day: int, months: int) -> int:
    """Return the day so many months later, worked out with the standard library."""
    start = date.fromordinal(day)
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(start.day, last)).toordinal()


def counted(start: int, end: int) -> int:
    """Return the workdays after one day up to another by looking at each."""
    if end < start:
        return -counted(end, start)
    days = (date.fromordinal(day) for day in range(start + 1, end + 1))
    return sum(day.weekday() < 5 and day.toordinal() not in HOLIDAYS for day in days)


def workdays_later(start: int, count: int) -> int:
    """Return the first day up to which so many workdays after a day lie."""
    day = start
    while counted(start, day) < count:
        day += 1
    return day


def random_days(count: int, seed: int) -> list[int]:
    """Return days of the years 85 to 9915, those at the ends of eras and leap years among them."""
    source = Random(seed)  # noqa: S311 - the days are no secret
    low, high = date(85, 1, 1).toordinal(), date(9915, 12, 31).toordinal()
    edges = [date.fromisoformat(text).toordinal() for text in ERA_ENDS]
    years = filter(calendar.isleap, range(1600, 2401))
    leap_days = [date(year, 2, 29).toordinal() for year in years]
    drawn = [source.randint(low, high) for _ in range(count)]
    return [*edges, *leap_days, *drawn][:count]


def test_months_and_workdays_in_columns_are_those_of_the_calendar() -> None:
    source, starts = Random(2), np.array(random_days(DAYS, 1), dtype=np.int64)  # noqa: S311
    months = np.array([source.randint(-999, 999) for _ in starts], dtype=np.int64)
    ends = starts + np.array([source.randint(-40, 40) for _ in starts], dtype=np.int64)
    counts = np.array([source.randint(0, 12) for _ in starts], dtype=np.int64)
    columns = Columns(len(starts), {"start": starts, "end": ends, "n": months, "k": counts})

    later = evaluate_columns(LATER, columns).tolist()
    days = evaluate_columns(BETWEEN, columns).tolist()
    due = evaluate_columns(DUE, columns).tolist()

    for start, end, count, k, *found in zip(
        starts, ends, months, counts, later, days, due, strict=True
    ):
        first = int(start)
        assert found == [
            *(months_later(first, int(count)), counted(first, int(end))),
            workdays_later(first, int(k)),
        ]


def test_the_emitted_functions_agree_with_the_calendar() -> None:
    scope: dict[str, Any] = {"date": date}
    for helper in collect_helpers([LATER, BETWEEN, DUE]):
        exec(helper, scope)  # noqa: S102 - our own output
    source = Random(6)  # noqa: S311 - the numbers are no secret

    for day in random_days(5_000, 7):
        months, end = source.randint(-999, 999), day + source.randint(-40, 40)
        assert scope["add_months"](day, months) == months_later(day, months)
        assert scope["workdays"](day, end, HOLIDAYS) == counted(day, end)
        count = source.randint(0, 12)
        assert scope["add_workdays"](day, count, HOLIDAYS) == workdays_later(day, count)


def readings(node: Expression, row: dict[str, int]) -> list[int]:
    """Return what each reading of a row says, the solver's and the emitted code's among them."""
    columns = {name: np.array([value]) for name, value in row.items()}
    return [
        require_integer(evaluate(node, row)),
        int(evaluate_columns(node, Columns(1, columns))[0]),
        solved(node, row),
        run(node, row),
    ]


def solved(node: Expression, row: dict[str, int]) -> int:
    reading = Symbolic(Variables(z3.Context()))
    term = reading.build_term(node)
    values = reading.variables.values
    pairs = [(values[name][0], z3.IntVal(row[name], reading.variables.context)) for name in row]
    assert isinstance(term, z3.ArithRef)
    value = z3.simplify(z3.substitute(term, *pairs))
    assert isinstance(value, z3.IntNumRef)
    return value.as_long()


def run(node: Expression, row: dict[str, int]) -> int:
    scope: dict[str, object] = {"date": date, **row}
    for helper in collect_helpers([node]):
        exec(helper, scope)  # noqa: S102 - our own output
    found = eval(render_tool_source(ToolSource({}), node), scope)  # noqa: S307 - our own output
    assert isinstance(found, int)
    return found


MONTHS_BY_HAND = [
    ("2026-01-31", 1, "2026-02-28"),
    ("2024-02-29", 12, "2025-02-28"),
    ("2000-01-30", 1, "2000-02-29"),
    ("2100-01-30", 1, "2100-02-28"),
    ("1600-03-31", -1, "1600-02-29"),
    ("2026-12-31", 2, "2027-02-28"),
    ("2026-05-31", 0, "2026-05-31"),
    ("9999-11-30", 1, "9999-12-30"),
    ("0001-02-01", -1, "0001-01-01"),
]
WORKDAYS_BY_HAND = [
    ("2026-03-02", "2026-03-02", 0),
    ("2026-03-06", "2026-03-09", 1),
    ("2026-03-09", "2026-03-06", -1),
    ("2026-03-02", "2026-03-30", 20),
    ("2026-04-02", "2026-04-07", 2),
    ("2026-04-07", "2026-04-02", -2),
    ("2026-04-03", "2026-04-06", 1),
    ("1999-12-31", "2000-01-03", 1),
    ("0001-01-01", "0001-01-08", 5),
]


# The Fridays 3 April and 1 May of 2026 are holidays.
DUE_BY_HAND = [
    ("2026-03-02", 0, "2026-03-02"),
    ("2026-03-07", 0, "2026-03-07"),
    ("2026-03-06", 1, "2026-03-09"),
    ("2026-03-07", 1, "2026-03-09"),
    ("2026-03-02", 5, "2026-03-09"),
    ("2026-04-02", 1, "2026-04-06"),
    ("2026-04-03", 1, "2026-04-06"),
    ("2026-04-01", 20, "2026-04-30"),
    ("2026-04-01", 21, "2026-05-04"),
]


def ordinal(text: str) -> int:
    return date.fromisoformat(text).toordinal()


def test_months_and_workdays_by_hand_in_every_reading() -> None:
    for start, months, end in MONTHS_BY_HAND:
        row = {"start": ordinal(start), "n": months}
        assert readings(LATER, row) == [ordinal(end)] * 4, (start, months)
    for start, end, days in WORKDAYS_BY_HAND:
        row = {"start": ordinal(start), "end": ordinal(end)}
        assert readings(BETWEEN, row) == [days] * 4, (start, end)
    for start, count, end in DUE_BY_HAND:
        row = {"start": ordinal(start), "k": count}
        assert readings(DUE, row) == [ordinal(end)] * 4, (start, count)


def test_every_reading_agrees_with_the_calendar_on_random_rows() -> None:
    source = Random(4)  # noqa: S311 - the numbers are no secret
    for day in random_days(25, 5):
        months, end = source.randint(-999, 999), day + source.randint(-500, 500)

        assert readings(LATER, {"start": day, "n": months}) == [months_later(day, months)] * 4
        assert readings(BETWEEN, {"start": day, "end": end}) == [counted(day, end)] * 4


TIMES = ("0004-02-28 23:59", "2000-02-29 00:00", "2025-12-31 12:30", "9999-11-30 23:59")


@pytest.mark.parametrize(("each", "unit"), [(1, "minutes"), (60, "hours"), (1440, "days")])
def test_times_so_long_after_others_are_those_of_the_clock(each: int, unit: str) -> None:
    at, count = Read(ANY_MINUTE, "start"), Read(NumberType(-99, 99), "n")
    node = AddMinutes(ANY_MINUTE, at, count, each)

    for start, length in product(TIMES, (-25, -1, 0, 1, 30)):
        end = datetime.fromisoformat(start) + timedelta(**{unit: length})
        row = {"start": ANY_MINUTE.encode(start), "n": length}
        assert readings(node, row) == [ANY_MINUTE.encode(f"{end:%Y-%m-%d %H:%M}".zfill(16))] * 4


@pytest.mark.parametrize(("low", "high"), [(3, 3), (-1, -1), (0, 0), (-14, 14)])
def test_months_within_near_bounds_are_cases_of_their_own(low: int, high: int) -> None:
    first, last = date(1999, 12, 15).toordinal(), date(2001, 3, 10).toordinal()
    start, count = Read(DateType(first, last), "start"), Read(NumberType(low, high), "n")
    source = Random(8)  # noqa: S311 - the numbers are no secret
    ends = [day for day in range(first, last) if date.fromordinal(day + 1).day in {1, 2, 29, 30}]

    for day in [first, last, *ends]:
        months = source.randint(low, high)
        row = {"start": day, "n": months} if low < high else {"start": day}
        node = AddMonths(ANY_DAY, start, count if low < high else Constant(count.type, low))
        assert solved(node, row) == months_later(day, months)


def test_the_solver_proves_that_a_month_is_28_to_31_days_long() -> None:
    low, high = date(1999, 1, 1).toordinal(), date(2004, 12, 31).toordinal()
    start = Read(DateType(low, high), "start")
    one = Read(NumberType(1, 1), "one")
    reading = Symbolic(Variables(z3.Context()))
    later = reading.build_term(AddMonths(ANY_DAY, start, one))
    solver = z3.Solver(ctx=reading.variables.context)
    day = reading.build_term(start)
    assert isinstance(later, z3.ArithRef)
    assert isinstance(day, z3.ArithRef)

    solver.add(*reading.variables.limits, z3.Or(later - day < 28, later - day > 31))

    assert solver.check() == z3.unsat
