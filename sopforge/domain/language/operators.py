"""The closed list of operators: syntax, types, meaning and edge values, in one table.

The parser takes the functions from here, and the documentation its page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from sopforge.domain.language import numbers
from sopforge.domain.language.calendars import INTEGER_CALENDAR
from sopforge.domain.language.expressions import (
    Absolute,
    AddDays,
    AddMonths,
    DateOf,
    Elapsed,
    Expression,
    Extreme,
    Outermost,
    Size,
    Span,
    Workdays,
)
from sopforge.domain.language.numbers import TypeRuleError, make_number_type, require_number_type
from sopforge.domain.values.types import (
    ANY_DAY,
    DateTimeType,
    DateType,
    NumberType,
    SetType,
    derive_day_type,
)


class Kind(Enum):
    """What a function takes at a place."""

    NUMBER = "a number"
    WHOLE = "a whole number"
    DATE = "a date"
    DATE_TIME = "a date and time"
    SET = "a set"
    CALENDAR = "the name of a calendar"


@dataclass(frozen=True, slots=True)
class Calendar:
    """A list of holidays under a name; day numbers in order.

    ``is_only``: the domain has no other, so that texts need no name for it.
    """

    name: str
    holidays: tuple[int, ...]
    is_only: bool = False


Argument = Expression | Calendar


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the language: its parameters, and the node that it stands for."""

    parameters: tuple[Kind, ...]
    build: Callable[..., Expression]
    is_variadic: bool = False


@dataclass(frozen=True, slots=True)
class Operator:
    """A line of the table, as the documentation shows it."""

    syntax: str
    takes: str
    gives: str
    meaning: str
    edges: str = ""


def build_days_between(start: Expression, end: Expression) -> Expression:
    """Return the days from one date to another."""
    return Elapsed(_derive_elapsed_type(start, end, "days"), Span.DAYS, start, end)


def build_minutes_between(start: Expression, end: Expression) -> Expression:
    """Return the minutes from one date-time to another."""
    return Elapsed(_derive_elapsed_type(start, end, "minutes"), Span.MINUTES, start, end)


def build_workdays_between(start: Expression, end: Expression, calendar: Calendar) -> Expression:
    """Return the working days after one date up to another."""
    first, last = _require_date_type(start), _require_date_type(end)
    # An earlier start or a later end never takes a working day away, so that the ends decide.
    low, high = (
        INTEGER_CALENDAR.count_workdays(*span, calendar.holidays)
        for span in ((first.maximum, last.minimum), (first.minimum, last.maximum))
    )
    kind = NumberType(low, high, 0, "working days")
    return Workdays(kind, start, end, calendar.name, calendar.holidays, calendar.is_only)


def add_days(date: Expression, days: Expression) -> Expression:
    """Return the day so many days later."""
    low, high = _require_date_type(date).minimum, _require_date_type(date).maximum
    count = require_number_type(days)
    return AddDays(_make_day_type(low + count.minimum, high + count.maximum), date, days)


def add_months(date: Expression, months: Expression) -> Expression:
    """Return the day so many months later, clamped to the end of its month."""
    kind, count = _require_date_type(date), require_number_type(months)
    # A later day, or a month more, never leads to an earlier day, so that the ends decide.
    low = INTEGER_CALENDAR.add_months(kind.minimum, count.minimum)
    high = INTEGER_CALENDAR.add_months(kind.maximum, count.maximum)
    return AddMonths(_make_day_type(low, high), date, months)


def build_date_of(moment: Expression) -> Expression:
    """Return the day of a date-time."""
    if not isinstance(moment.type, DateTimeType):
        raise TypeError(f"{moment!r} is no date-time")
    return DateOf(derive_day_type(moment.type), moment)


def build_absolute(number: Expression) -> Expression:
    """Return a number without its sign."""
    kind = require_number_type(number)
    ends = (abs(kind.minimum), abs(kind.maximum))
    low = 0 if kind.minimum <= 0 <= kind.maximum else min(ends)
    return Absolute(make_number_type(low, max(ends), kind.places, kind.unit), number)


def build_set_size(members: Expression) -> Expression:
    """Return how many members a set has."""
    labels = members.type.values if isinstance(members.type, SetType) else ()
    return Size(NumberType(0, len(labels)), members)


def build_least(*operands: Expression) -> Expression:
    """Return the least of several numbers."""
    return _build_extreme(Extreme.MINIMUM, operands)


def build_greatest(*operands: Expression) -> Expression:
    """Return the greatest of several numbers."""
    return _build_extreme(Extreme.MAXIMUM, operands)


FUNCTIONS: Mapping[str, Function] = {
    "abs": Function((Kind.NUMBER,), build_absolute),
    "min": Function((Kind.NUMBER, Kind.NUMBER), build_least, is_variadic=True),
    "max": Function((Kind.NUMBER, Kind.NUMBER), build_greatest, is_variadic=True),
    "count": Function((Kind.SET,), build_set_size),
    "days_between": Function((Kind.DATE, Kind.DATE), build_days_between),
    "workdays_between": Function((Kind.DATE, Kind.DATE, Kind.CALENDAR), build_workdays_between),
    "minutes_between": Function((Kind.DATE_TIME, Kind.DATE_TIME), build_minutes_between),
    "add_days": Function((Kind.DATE, Kind.WHOLE), add_days),
    "add_months": Function((Kind.DATE, Kind.WHOLE), add_months),
    "date_of": Function((Kind.DATE_TIME,), build_date_of),
}

OPERATORS: tuple[Operator, ...] = (
    Operator("a and b, a or b, not a", "conditions", "a condition", "as usual; two-valued"),
    Operator(
        "a == b, a != b",
        "two numbers, dates, date-times, labels of one field's list, or texts",
        "a condition",
        "equality; numbers of different places are brought to one scale",
        "1.50 equals 1.5",
    ),
    Operator(
        "a < b, a <= b, a > b, a >= b",
        "two numbers, dates or date-times",
        "a condition",
        "order; may be chained: a <= x < b",
        "labels and texts have no order",
    ),
    Operator(
        "x in ['A', 'B'], x not in [...]",
        "an enum or text field and quoted texts",
        "a condition",
        "the value is one of those listed",
    ),
    Operator(
        "'A' in s, 'A' not in s",
        "a quoted label and a set",
        "a condition",
        "the set has the member",
        "no label is in the empty set",
    ),
    Operator(
        "x in s, x not in s",
        "an enum field and a set with the same labels, in the same order",
        "a condition",
        "the set has the label that the field is",
        "no label is in the empty set",
    ),
    Operator(
        "s <= t, t >= s",
        "two sets with the same labels, in the same order; one may be written: s <= ['A', 'B']",
        "a condition",
        "all of s lies in t",
        "the empty set lies in every set",
    ),
    Operator(
        "s | t, s & t, s - t",
        "two sets with the same labels, in the same order; one may be written: s | ['A']",
        "a set",
        "the labels of both together, those that both have, those of s without those of t",
        "[] is the empty set",
    ),
    Operator(
        "present(x)",
        "a field that declares a word for missing",
        "a condition",
        "the field has a value",
        "reading such a field where it may be missing is a finding",
    ),
    Operator(
        "well_formed(x)",
        "an input that declares malformed",
        "a condition",
        "the task states a text that the field's pattern has",
        "only under 'when' of the procedure's edges",
    ),
    Operator("a + b, a - b, -a", "numbers", "a number", "exact; the larger number of places"),
    Operator(
        "a * b",
        "numbers",
        "a number",
        "exact; places add up",
        "at most two fields in a product",
    ),
    Operator(
        "round(a / b, places), round(a, places)",
        "numbers; places as a written number",
        "a number with these places",
        "rounded, halves away from zero",
        "round(0.125, 2) is 0.13 and round(-0.125, 2) is -0.13; the divisor's range is above 0",
    ),
    Operator(
        "a / b < c (any comparison)",
        "numbers",
        "a condition",
        "compared exactly, by multiplying with the divisor",
        "the divisor's range is above 0",
    ),
    Operator(
        "x if c else y",
        "a condition, and two numbers, dates, date-times, sets or labels of one field's list",
        "what they are",
        "x where c holds, else y",
    ),
    Operator(
        "x if c else missing",
        "a condition, and a number, date, date-time or label",
        "what it is, or no value",
        "x where c holds, else the field that is decided has no value",
        "only as the whole of a decision, on a field that declares a word for missing",
    ),
    Operator("abs(a)", "a number", "a number", "without its sign"),
    Operator("min(a, b, ...), max(a, b, ...)", "numbers", "a number", "the least, the greatest"),
    Operator("count(s)", "a set", "a whole number", "how many members", "0 for the empty set"),
    Operator(
        "days_between(start, end)",
        "two dates",
        "a whole number",
        "calendar days from start to end",
        "0 on the same day; negative if end is earlier",
    ),
    Operator(
        "workdays_between(start, end, calendar)",
        "two dates and a calendar of the model",
        "a whole number",
        "Mondays to Fridays after start, up to and with end, less the calendar's holidays",
        "0 on the same day; negative if end is earlier",
    ),
    Operator(
        "minutes_between(start, end)",
        "two date-times",
        "a whole number",
        "minutes from start to end",
        "negative if end is earlier",
    ),
    Operator(
        "add_days(date, n)", "a date, a whole number", "a date", "n days later; -n days earlier"
    ),
    Operator(
        "add_months(date, n)",
        "a date, a whole number",
        "a date",
        "the same day of the month, n months later",
        "the month's last day where it has no such day: 31 January plus 1 is 28 or 29 February",
    ),
    Operator("date_of(t)", "a date-time", "a date", "its day"),
    Operator(
        "count(i for i in items if c)",
        "a list field; c about i.field",
        "a whole number",
        "the items that meet c; without 'if', all",
        "0 for the empty list",
    ),
    Operator(
        "sum(i.x for i in items if c)",
        "a list field",
        "a number",
        "the sum over the items that meet c",
        "0 where there is none",
    ),
    Operator(
        "min((i.x for i in items if c), default=d), max(...)",
        "a list field, a written number",
        "a number",
        "the least or greatest over the items that meet c",
        "d where there is none",
    ),
    Operator(
        "average((i.x for i in items if c), places=p, default=d)",
        "a list field, written numbers",
        "a number with p places",
        "the sum over the count, rounded, halves away from zero",
        "d where there is none",
    ),
    Operator(
        "any(c2 for i in items if c), all(c2 for i in items if c)",
        "a list field",
        "a condition",
        "c2 holds for some item, for every item, of those that meet c",
        "where there is none, any is false and all is true",
    ),
    Operator(
        "[i for i in items if c]",
        "a list field",
        "a list",
        "the items that meet c, in their order, with the fields that the new list declares",
        "empty where there is none",
    ),
    Operator(
        "[item(a=i.x, b=i.y * 2) for i in items if c]",
        "a list field, and a value for each field of the new list",
        "a list",
        "an item made of each that meets c, in their order",
        "as the value of a list field only",
    ),
)


def render_operators_page() -> str:
    """Return the documentation's page on operators."""
    lines = [
        "# Operators",
        "",
        "Generated from the table of operators in the code. No operator fails on a value that its",
        "types allow, and there are no others.",
        "",
        "| Write | Takes | Gives | Means | At the edges |",
        "| --- | --- | --- | --- | --- |",
    ]
    rows = [
        (f"`{item.syntax}`", item.takes, item.gives, item.meaning, item.edges) for item in OPERATORS
    ]
    # A bar inside of a cell would end it.
    cells = [" | ".join(part.replace("|", "\\|") for part in row) for row in rows]
    return "\n".join([*lines, *(f"| {row} |" for row in cells)]) + "\n"


def _build_extreme(extreme: Extreme, operands: Sequence[Expression]) -> Expression:
    parts = numbers.align_places(operands)
    kinds = [require_number_type(part) for part in parts]
    choose = min if extreme is Extreme.MINIMUM else max
    low = choose(kind.minimum for kind in kinds)
    high = choose(kind.maximum for kind in kinds)
    unit = numbers.compute_hull(parts).unit
    return Outermost(make_number_type(low, high, kinds[0].places, unit), extreme, parts)


def _derive_elapsed_type(start: Expression, end: Expression, unit: str) -> NumberType:
    first, last = _require_moment_type(start), _require_moment_type(end)
    return make_number_type(last.minimum - first.maximum, last.maximum - first.minimum, 0, unit)


def _require_moment_type(expression: Expression) -> DateType | DateTimeType:
    if not isinstance(expression.type, DateType | DateTimeType):
        raise TypeError(f"{expression!r} is no date")
    return expression.type


def _require_date_type(expression: Expression) -> DateType:
    if not isinstance(expression.type, DateType):
        raise TypeError(f"{expression!r} is no date")
    return expression.type


def _make_day_type(low: int, high: int) -> DateType:
    if low < ANY_DAY.minimum or high > ANY_DAY.maximum:
        hint = "narrow the range of the date, or of the number that is added"
        raise TypeRuleError(
            "date-out-of-range", "the date can fall outside the years 1 to 9999", hint
        )
    return DateType(low, high)
