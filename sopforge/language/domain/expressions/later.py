"""Days and times so long after others, with the types that they have."""

from __future__ import annotations

from typing import TypeVar

from sopforge.language.domain.expressions.calendars import (
    INTEGER_CALENDAR,
    MINUTES_A_DAY,
    MINUTES_AN_HOUR,
)
from sopforge.language.domain.expressions.expressions import (
    AddDays,
    AddMinutes,
    AddMonths,
    Expression,
)
from sopforge.language.domain.expressions.numbers import TypeRuleError, require_number_type
from sopforge.language.domain.values.types import (
    ANY_DAY,
    ANY_MINUTE,
    DateTimeType,
    DateType,
    MomentType,
)

Moment = TypeVar("Moment", bound=MomentType)


def add_days(date: Expression, days: Expression) -> Expression:
    """Return the day so many days later, or the minute of a date-time."""
    if isinstance(date.type, DateTimeType):
        return _add_time(date, days, MINUTES_A_DAY)
    low, high = require_date_type(date).minimum, require_date_type(date).maximum
    count = require_number_type(days)
    return AddDays(make_day_type(low + count.minimum, high + count.maximum), date, days)


def add_hours(moment: Expression, hours: Expression) -> Expression:
    """Return the minute so many hours later."""
    return _add_time(moment, hours, MINUTES_AN_HOUR)


def add_minutes(moment: Expression, minutes: Expression) -> Expression:
    """Return the minute so many minutes later."""
    return _add_time(moment, minutes, 1)


def add_months(date: Expression, months: Expression) -> Expression:
    """Return the day so many months later, clamped to the end of its month."""
    kind, count = require_date_type(date), require_number_type(months)
    # A later day, or a month more, never leads to an earlier day, so that the ends decide.
    low = INTEGER_CALENDAR.add_months(kind.minimum, count.minimum)
    high = INTEGER_CALENDAR.add_months(kind.maximum, count.maximum)
    return AddMonths(make_day_type(low, high), date, months)


def require_date_type(expression: Expression) -> DateType:
    """Return the type of an expression that is known to be a date."""
    if not isinstance(expression.type, DateType):
        raise TypeError(f"{expression!r} is no date")
    return expression.type


def require_time_type(expression: Expression) -> DateTimeType:
    """Return the type of an expression that is known to be a date and time."""
    if not isinstance(expression.type, DateTimeType):
        raise TypeError(f"{expression!r} is no date-time")
    return expression.type


def _add_time(moment: Expression, count: Expression, each: int) -> Expression:
    kind, number = require_time_type(moment), require_number_type(count)
    if each > 1 and number.unit == "minutes":
        message = "this number counts minutes"
        raise TypeRuleError("type-error", message, "write add_minutes(time, n)")
    low, high = kind.minimum + number.minimum * each, kind.maximum + number.maximum * each
    return AddMinutes(_make_within(low, high, ANY_MINUTE), moment, count, each)


def make_day_type(low: int, high: int) -> DateType:
    """Return the type of days between two.

    Raises:
        TypeRuleError: the calendar has not all of them.
    """
    return _make_within(low, high, ANY_DAY)


def _make_within(low: int, high: int, widest: Moment) -> Moment:
    """Return the type of days or minutes between two, which the calendar has to have."""
    if low < widest.minimum or high > widest.maximum:
        hint = "narrow the range of the date, or of the number that is added"
        raise TypeRuleError(
            "date-out-of-range", "the date can fall outside the years 1 to 9999", hint
        )
    return widest.with_bounds(low, high)
