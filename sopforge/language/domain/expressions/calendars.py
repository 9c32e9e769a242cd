"""Calendar arithmetic on day numbers, written once for every reading over integers.

The functions use +, -, * and comparisons only, and take division and choice from the reading, so
that Python integers, numpy columns and solver terms go through the same formulas. Day numbers are
those of ``datetime.date.toordinal``; the civil formulas count eras of 400 years from 1 March.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Generic, Protocol, TypeAlias, TypeVar

T = TypeVar("T")
Interval: TypeAlias = tuple[int, int]

MINUTES_A_DAY = 1_440
HOURS_A_DAY, MINUTES_AN_HOUR, DAYS_A_WEEK = 24, 60, 7
_ERA = 146_097
# Months of 500 years: a date of birth and a day a lifetime later are still followed as cases.
_MOST_CASES = 6_000
_FIRST_MONTH, _LAST_MONTH = date.min.year * 12, date.max.year * 12 + 11
_TO_MARCH = 305  # day numbers start on 1 January of year 1, eras on 1 March of year 0


class Arithmetic(Protocol[T]):
    """What a reading offers; divisors are positive Python integers, quotients round down."""

    def make_number(self, value: int) -> T: ...
    def add(self, left: T, right: T) -> T: ...
    def subtract(self, left: T, right: T) -> T: ...
    def multiply(self, left: T, factor: int) -> T: ...
    def divide(self, left: T, divisor: int) -> T: ...
    def is_at_most(self, left: T, right: T) -> T: ...
    def choose(self, condition: T, then: T, otherwise: T) -> T: ...


class Calendar(Generic[T]):
    """Calendar arithmetic in the terms of one reading."""

    def __init__(self, arithmetic: Arithmetic[T]) -> None:
        self.a = arithmetic

    def add_months(self, day: T, months: T) -> T:
        """Return the day so many months later, clamped to the last day of its month."""
        a = self.a
        month, day_of_month = self._convert_to_civil(day)
        target = a.add(month, months)
        first = self._find_month_start(target)
        length = a.subtract(self._find_month_start(a.add(target, a.make_number(1))), first)
        clamped = a.choose(a.is_at_most(day_of_month, length), day_of_month, length)
        return a.subtract(a.add(first, clamped), a.make_number(1))

    def add_months_between(self, day: T, months: T, days: Interval, counts: Interval) -> T:
        """Return what ``add_months`` does, for a day and a number of months within bounds.

        Where the bounds are near, each month is a case of its own: a solver follows cases far
        better than divisions.
        """
        a = self.a
        if not _has_days(days):
            return self.add_months(day, months)
        known = range(_compute_month(days[0]), _compute_month(days[1]) + 1)
        targets = range(known[0] + counts[0], known[-1] + counts[1] + 1)
        is_far = targets[0] < _FIRST_MONTH or targets[-1] > _LAST_MONTH
        if is_far or len(known) + len(targets) > _MOST_CASES:
            return self.add_months(day, months)
        starts = [_compute_first_day(month) for month in known]
        passed = a.subtract(day, self._choose_case(day, list(zip(starts, starts, strict=True))))
        # A fixed number of months leads from each month to one other: the day alone decides.
        if counts[0] == counts[1]:
            which, cases = day, list(zip(starts, targets, strict=True))
        else:
            which = a.add(self._choose_case(day, list(zip(starts, known, strict=True))), months)
            cases = [(month, month) for month in targets]
        first = self._choose_case(
            which, [(start, _compute_first_day(month)) for start, month in cases]
        )
        last = self._choose_case(
            which, [(start, _count_month_days(month) - 1) for start, month in cases]
        )
        return a.add(first, a.choose(a.is_at_most(passed, last), passed, last))

    def _choose_case(self, which: T, cases: Sequence[tuple[int, int]]) -> T:
        """Return the result of the last case, of those in order, that starts at most there."""
        a = self.a
        if len({result for _, result in cases}) == 1:
            return a.make_number(cases[0][1])
        # By halves: one case after the other would nest as deep as there are months.
        middle = len(cases) // 2
        is_later = a.is_at_most(a.make_number(cases[middle][0]), which)
        return a.choose(
            is_later,
            self._choose_case(which, cases[middle:]),
            self._choose_case(which, cases[:middle]),
        )

    def count_workdays(self, start: T, end: T, holidays: Iterable[int]) -> T:
        """Return the workdays after ``start`` up to and with ``end``; negative if it is earlier."""
        # A holiday on a weekend is no workday anyhow, and must not be taken off once more.
        free = [day for day in holidays if (day - 1) % 7 < 5]  # noqa: PLR2004 - Monday to Friday
        return self.a.subtract(
            self._count_workdays_to(end, free), self._count_workdays_to(start, free)
        )

    def add_workdays(self, day: T, count: T, holidays: Iterable[int]) -> T:
        """Return the first day by which so many workdays after ``day`` are over.

        None after a day is that day, whatever it is; ``count`` is not negative.
        """
        a, one = self.a, self.a.make_number(1)
        free = sorted(day for day in holidays if (day - 1) % 7 < 5)  # noqa: PLR2004 - as above
        # Mondays to Fridays are counted on from day 1; each holiday on the path is one more.
        target = a.add(self._count_workdays_to(day, free), count)
        for holiday in free:
            passed = a.is_at_most(a.make_number(holiday // 7 * 5 + holiday % 7), target)
            target = a.choose(passed, a.add(target, one), target)
        weekends = a.divide(a.subtract(target, one), 5)
        later = a.add(target, a.multiply(weekends, 2))
        return a.choose(a.is_at_most(count, a.make_number(0)), day, later)

    def _count_workdays_to(self, day: T, holidays: list[int]) -> T:
        a = self.a
        # Day number 1 was a Monday, so that weeks end with day numbers that 7 divides: Sundays.
        weeks = a.divide(day, 7)
        rest = a.subtract(day, a.multiply(weeks, 7))
        five = a.make_number(5)
        count = a.add(a.multiply(weeks, 5), a.choose(a.is_at_most(rest, five), rest, five))
        for holiday in holidays:
            passed = a.is_at_most(a.make_number(holiday), day)
            count = a.subtract(count, a.choose(passed, a.make_number(1), a.make_number(0)))
        return count

    def _convert_to_civil(self, day: T) -> tuple[T, T]:
        """Return months since March of year 0, and the day of the month from 1."""
        a = self.a
        days = a.add(day, a.make_number(_TO_MARCH))
        era = a.divide(days, _ERA)
        of_era = a.subtract(days, a.multiply(era, _ERA))
        # Leap days are taken out first: with years of 365 days, one division finds the year.
        # 29 February ends its year, for years begin in March: counted from 0, it is day 1,460 of
        # four years and day 146,096 of an era; the 36,524 days of a century lack one.
        leap = a.subtract(a.divide(of_era, 1_460), a.divide(of_era, 36_524))
        corrected = a.subtract(a.subtract(of_era, leap), a.divide(of_era, 146_096))
        year = a.divide(corrected, 365)
        of_year = a.subtract(of_era, self._count_days_of_years(year))
        # From March on, the lengths 31, 30, 31, 30, 31 repeat: 153 days in five months.
        month = a.divide(a.add(a.multiply(of_year, 5), a.make_number(2)), 153)
        months = a.add(a.multiply(a.add(a.multiply(era, 400), year), 12), month)
        return months, a.add(
            a.subtract(of_year, self._count_days_of_months(month)), a.make_number(1)
        )

    def _find_month_start(self, months: T) -> T:
        """Return the day number of the first day of a month, counted from March of year 0."""
        a = self.a
        year = a.divide(months, 12)
        month = a.subtract(months, a.multiply(year, 12))
        era = a.divide(year, 400)
        of_era = self._count_days_of_years(a.subtract(year, a.multiply(era, 400)))
        days = a.add(a.add(a.multiply(era, _ERA), of_era), self._count_days_of_months(month))
        return a.subtract(days, a.make_number(_TO_MARCH))

    def _count_days_of_years(self, years: T) -> T:
        a = self.a
        leap = a.subtract(a.divide(years, 4), a.divide(years, 100))
        return a.add(a.multiply(years, 365), leap)

    def _count_days_of_months(self, months: T) -> T:
        a = self.a
        return a.divide(a.add(a.multiply(months, 153), a.make_number(2)), 5)


class _Integers:
    """Calendar arithmetic on Python integers."""

    def make_number(self, value: int) -> int:
        return value

    def add(self, left: int, right: int) -> int:
        return left + right

    def subtract(self, left: int, right: int) -> int:
        return left - right

    def multiply(self, left: int, factor: int) -> int:
        return left * factor

    def divide(self, left: int, divisor: int) -> int:
        return left // divisor

    def is_at_most(self, left: int, right: int) -> int:
        return int(left <= right)

    def choose(self, condition: int, then: int, otherwise: int) -> int:
        return then if condition else otherwise


INTEGER_CALENDAR = Calendar(_Integers())
"""Calendar arithmetic on day numbers that are known."""


def _has_days(days: Interval) -> bool:
    """Return whether the calendar of the years 1 to 9999 has the days of an interval."""
    return date.min.toordinal() <= days[0] <= days[1] <= date.max.toordinal()


def _compute_month(day: int) -> int:
    """Return the months from January of year 0 to the month of a day."""
    found = date.fromordinal(day)
    return found.year * 12 + found.month - 1


def _compute_first_day(month: int) -> int:
    return date(month // 12, month % 12 + 1, 1).toordinal()


def _count_month_days(month: int) -> int:
    return monthrange(month // 12, month % 12 + 1)[1]
