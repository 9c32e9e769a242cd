"""Mistakes with dates: days counted otherwise, months and years of fixed length, holidays."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import reduce

from sopforge.language.domain.expressions import numbers
from sopforge.language.domain.expressions.calendars import MINUTES_A_DAY, MINUTES_AN_HOUR
from sopforge.language.domain.expressions.expressions import (
    AddDays,
    AddMinutes,
    AddMonths,
    AddWorkdays,
    AllOf,
    Compare,
    Constant,
    Elapsed,
    Expression,
    OneOf,
    Operation,
    Relation,
    Span,
    Workdays,
)
from sopforge.language.domain.expressions.later import add_days
from sopforge.language.domain.expressions.numbers import TypeRuleError, make_number_constant
from sopforge.language.domain.values.types import DateType, NumberType, require_integer
from sopforge.language.logic.tables import build_choice
from sopforge.proof.dataset.mutants.about import About

MOST_HOLIDAYS = 40
MOST_OTHER_DAYS = 80
MOST_YEARS = 40
DAYS_A_WEEK, DAYS_A_MONTH, DAYS_A_YEAR, MONTHS_A_YEAR = 7, 30, 365, 12
SATURDAY = 6  # day number 1 was a Monday
WEEKEND = (6, 0)
_UNITS = {
    1: ("a minute", "minutes"),
    MINUTES_AN_HOUR: ("an hour", "hours"),
    MINUTES_A_DAY: ("a day", "days"),
}
LONGEST_MONTH = 31
MOST_DAYS_OVER = 3  # from 31 January to 28 February
Found = Iterator[tuple[About, str, Expression]]


def derive_date_mistakes(node: Expression) -> Found:  # noqa: C901 - one case per node
    """Return the node with each mistake that dates allow, with what it is about and its words."""
    try:
        match node:
            case Workdays():
                yield from _derive_workday_mistakes(node)
            case Elapsed(span=Span.DAYS):
                yield from _derive_elapsed_mistakes(node)
            case AddWorkdays():
                yield from _derive_deadline_mistakes(node)
            case AddMonths():
                yield from _derive_month_mistakes(node)
            case Compare(left=Elapsed(span=Span.DAYS) as elapsed, right=Constant() as limit):
                yield from _derive_period_mistakes(node, elapsed, limit)
            case AddDays():
                for words, change in (("a day less", -1), ("a day more", 1)):
                    yield About.CALENDAR, words, replace(node, days=_add_change(node.days, change))
            case AddMinutes():
                yield from _derive_time_mistakes(node)
            case _:
                return
    except TypeRuleError:
        return  # a number passes 2^62: nobody can count so


def _derive_workday_mistakes(node: Workdays) -> Found:
    days = Elapsed(node.type, Span.DAYS, node.start, node.end)
    yield About.CALENDAR, "days for workdays", days
    yield About.CALENDAR, "a workday less", _add_change(node, -1)
    yield About.CALENDAR, "a workday more", _add_change(node, 1)
    yield About.CALENDAR, "Saturdays as workdays", _with_saturdays(node)
    for day in node.holidays[:MOST_HOLIDAYS]:
        kept = tuple(other for other in node.holidays if other != day)
        words = f"{DateType(day, day).to_cell(day)} as no holiday"
        yield About.CALENDAR, words, replace(node, holidays=kept)
    for day in _list_false_holidays(node):
        words = f"{DateType(day, day).to_cell(day)} as a holiday"
        added = tuple(sorted({*node.holidays, day}))
        yield About.CALENDAR, words, replace(node, holidays=added)
    if len(node.holidays) > 1:
        yield About.CALENDAR, "no holidays", replace(node, holidays=())


def _derive_deadline_mistakes(node: AddWorkdays) -> Found:
    yield About.CALENDAR, "days for workdays", add_days(node.date, node.count)
    yield About.CALENDAR, "a workday less", replace(node, count=_add_change(node.count, -1))
    yield About.CALENDAR, "a workday more", replace(node, count=_add_change(node.count, 1))
    for day in node.holidays[:MOST_HOLIDAYS]:
        kept = tuple(other for other in node.holidays if other != day)
        words = f"{DateType(day, day).to_cell(day)} as no holiday"
        yield About.CALENDAR, words, replace(node, holidays=kept)
    if len(node.holidays) > 1:
        yield About.CALENDAR, "no holidays", replace(node, holidays=())


def _list_false_holidays(node: Workdays) -> list[int]:
    """Return workdays that might be taken for holidays: beside one, first of a month, Mondays."""
    low, high = node.start.type.bounds[0], node.end.type.bounds[1]
    beside = {day + step for day in node.holidays for step in (-1, 1)}
    firsts = {
        date(year, month, 1).toordinal()
        for year in _list_years(low, high)
        for month in range(1, MONTHS_A_YEAR + 1)
    }
    mondays = range(low + (1 - low) % DAYS_A_WEEK, high + 1, DAYS_A_WEEK)
    found = [
        day
        for day in (*sorted(beside), *sorted(firsts), *mondays)
        if low < day <= high and day not in node.holidays and day % DAYS_A_WEEK not in WEEKEND
    ]
    return list(dict.fromkeys(found))[:MOST_OTHER_DAYS]


def _with_saturdays(node: Workdays) -> Expression:
    """Return the workdays and the Saturdays after the start, up to and with the end."""
    first = min(node.start.type.bounds[0], node.end.type.bounds[0])
    # The last Saturday that no day in question lies before: weeks are counted from it.
    before = first - (first - SATURDAY) % DAYS_A_WEEK

    def count_weeks(day: Expression) -> Expression:
        low, high = day.type.bounds
        elapsed = NumberType(low - before, high - before)
        since = Elapsed(elapsed, Span.DAYS, _make_day(before), day)
        # Rounded to the nearest, so that a week counts from its last day on: (2n - 6) / 14.
        twice = numbers.build_arithmetic(Operation.MULTIPLY, since, make_number_constant(2))
        shifted = numbers.build_arithmetic(
            Operation.SUBTRACT, twice, make_number_constant(DAYS_A_WEEK - 1)
        )
        return numbers.build_quotient(shifted, make_number_constant(2 * DAYS_A_WEEK), 0)

    saturdays = numbers.build_arithmetic(
        Operation.SUBTRACT, count_weeks(node.end), count_weeks(node.start)
    )
    return numbers.build_arithmetic(Operation.ADD, node, saturdays)


def _derive_elapsed_mistakes(node: Elapsed) -> Found:
    yield About.CALENDAR, "a day less", _add_change(node, -1)
    yield About.CALENDAR, "a day more", _add_change(node, 1)
    swapped = replace(node, start=node.end, end=node.start)
    yield About.CALENDAR, "from the end to the start", swapped
    low, high = node.start.type.bounds[0], node.end.type.bounds[1]
    leaps = [day for year in _list_years(low, high) if (day := _find_day(year, 2, 29)) is not None]
    if inside := [day for day in leaps if low < day <= high]:
        yield About.CALENDAR, "29 February not counted", _subtract_days(node, inside)
    turns = [date(year, 1, 1).toordinal() for year in _list_years(low, high)]
    if inside := [day for day in turns if low < day <= high]:
        yield About.CALENDAR, "a day lost at the turn of a year", _subtract_days(node, inside)


def _subtract_days(node: Elapsed, days: list[int]) -> Expression:
    """Return the elapsed days less those of the given ones that lie after the start, to the end."""
    passed = [
        build_choice(
            AllOf(
                (
                    Compare(Relation.LT, node.start, _make_day(day)),
                    Compare(Relation.LE, _make_day(day), node.end),
                )
            ),
            make_number_constant(1),
            make_number_constant(0),
        )
        for day in days
    ]
    total = reduce(lambda left, right: numbers.build_arithmetic(Operation.ADD, left, right), passed)
    return numbers.build_arithmetic(Operation.SUBTRACT, node, total)


def _derive_period_mistakes(node: Compare, elapsed: Elapsed, limit: Constant) -> Found:
    """Return a number of days taken for as many months or years of the calendar."""
    for words, length, months in (
        ("calendar years for days", DAYS_A_YEAR, MONTHS_A_YEAR),
        ("calendar months for days", DAYS_A_MONTH, 1),
    ):
        days = require_integer(limit.value)
        if days > 0 and days % length == 0:
            count = days // length * months
            low, high = elapsed.start.type.bounds
            # No month is longer than 31 days: a day so many months later lies within.
            kind = DateType(low, high + (count + 1) * (DAYS_A_MONTH + 1))
            end = AddMonths(kind, elapsed.start, make_number_constant(count))
            yield About.CALENDAR, words, Compare(node.relation, elapsed.end, end)


def _derive_time_mistakes(node: AddMinutes) -> Found:
    """Return the time with one hour, or the like, more or less, and with another unit."""
    said = _count_hours(node)
    one, unit = _UNITS[said.each]
    for words, change in (("less", -1), ("more", 1)):
        changed = replace(said, count=_add_change(said.count, change))
        yield About.CALENDAR, f"{one} {words}", changed
    for each, (_, other) in _UNITS.items():
        if each != said.each:
            yield About.CALENDAR, f"{other} for {unit}", replace(said, each=each)


def _count_hours(node: AddMinutes) -> AddMinutes:
    """Return the time with a written number of minutes in hours, as texts say it."""
    minutes = node.count.value if isinstance(node.count, Constant) else None
    if node.each > 1 or not isinstance(minutes, int) or not minutes or minutes % MINUTES_AN_HOUR:
        return node
    return replace(
        node, count=make_number_constant(minutes // MINUTES_AN_HOUR), each=MINUTES_AN_HOUR
    )


def _derive_month_mistakes(node: AddMonths) -> Found:
    for words, change in (("a day less", -1), ("a day more", 1)):
        yield About.CALENDAR, words, AddDays(node.type, node, make_number_constant(change))
    if isinstance(node.months, Constant):
        months = require_integer(node.months.value)
        kinds = [("months of 30 days", months * DAYS_A_MONTH)]
        if months % MONTHS_A_YEAR == 0 and months:
            kinds.append(("years of 365 days", months // MONTHS_A_YEAR * DAYS_A_YEAR))
        for words, days in kinds:
            yield About.CALENDAR, words, AddDays(node.type, node.date, make_number_constant(days))
    yield from _derive_month_end_mistakes(node)


def _derive_month_end_mistakes(node: AddMonths) -> Found:
    """Return the months added with the end of a month not taken as its last day."""
    low, high = node.type.bounds
    ends = list(_iterate_month_ends(low, high))
    leaps = [end for end in ends if (end.month, end.day) == (2, 29)]
    longest = [end for end in ends if end.day == LONGEST_MONTH]
    earlier = AddDays(node.type, node, make_number_constant(-1))
    for words, found in (("28 for 29 February", leaps), ("the 30th for the 31st", longest)):
        if found:
            yield About.CALENDAR, words, build_choice(_is_one(node, found), earlier, node)
    low, high = node.date.type.bounds
    shorter = [end for end in _iterate_month_ends(low, high) if end.day < LONGEST_MONTH]
    if shorter:
        # The day before the first of a month, so many months after the first of the next one.
        first = AddMonths(
            node.type, AddDays(node.type, node.date, make_number_constant(1)), node.months
        )
        last = AddDays(node.type, first, make_number_constant(-1))
        words = "from the end of a month to the end of a month"
        yield About.CALENDAR, words, build_choice(_is_one(node.date, shorter), last, node)
    # What going back does not restore is what the month was short of: from 31 January a month leads
    # to 28 February, and back to 28 January, which is 3 days less.
    back = AddMonths(node.date.type, node, _negate_number(node.months))
    over = Elapsed(NumberType(0, MOST_DAYS_OVER), Span.DAYS, back, node.date)
    yield (
        About.CALENDAR,
        "on into the next month from a shorter one",
        AddDays(node.type, node, over),
    )
    for days in range(1, MOST_DAYS_OVER + 1):
        words = f"a day less where the month is {days} short"
        is_short = Compare(Relation.EQ, over, make_number_constant(days))
        earlier = AddDays(node.type, node, make_number_constant(-1))
        yield About.CALENDAR, words, build_choice(is_short, earlier, node)


def _iterate_month_ends(low: int, high: int) -> Iterator[date]:
    """Yield the last days of months that lie in a range, of its last years if it is long."""
    for year in _list_years(low, high):
        for month in range(1, MONTHS_A_YEAR + 1):
            end = date(year, month, monthrange(year, month)[1])
            if low <= end.toordinal() <= high:
                yield end


def _is_one(day: Expression, days: Sequence[date]) -> Expression:
    return OneOf(day, tuple(_make_day(item.toordinal()) for item in days))


def _negate_number(number: Expression) -> Expression:
    return numbers.build_arithmetic(Operation.SUBTRACT, make_number_constant(0), number)


def _add_change(number: Expression, change: int) -> Expression:
    places = numbers.require_number_type(number).places
    return numbers.build_arithmetic(
        Operation.ADD, number, make_number_constant(change * 10**places, places)
    )


def _make_day(day: int) -> Constant:
    return Constant(DateType(day, day), day)


def _list_years(low: int, high: int) -> range:
    """Return the years of which days lie in a range, the last ones of many."""
    first, last = date.fromordinal(max(1, low)).year, date.fromordinal(max(1, high)).year
    return range(max(first, last - MOST_YEARS + 1), last + 1)


def _find_day(year: int, month: int, day: int) -> int | None:
    try:
        return date(year, month, day).toordinal()
    except ValueError:
        return None
