"""The closed list of operators: syntax, types, meaning and edge values, in one table.

The parser takes the functions from here, and the documentation its page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from sopforge.language.domain.expressions import numbers
from sopforge.language.domain.expressions.calendars import (
    HOURS_A_DAY,
    INTEGER_CALENDAR,
)
from sopforge.language.domain.expressions.expressions import (
    Absolute,
    AddWorkdays,
    DateOf,
    Elapsed,
    Expression,
    Extreme,
    HourOf,
    Outermost,
    Rounding,
    Size,
    Span,
    WeekdayOf,
    Workdays,
)
from sopforge.language.domain.expressions.later import (
    add_days,
    add_hours,
    add_minutes,
    add_months,
    make_day_type,
    require_date_type,
    require_time_type,
)
from sopforge.language.domain.expressions.numbers import (
    TypeRuleError,
    make_number_type,
    require_number_type,
)
from sopforge.language.domain.values.types import (
    AtomType,
    DateTimeType,
    DateType,
    EnumType,
    MomentType,
    NumberType,
    SetType,
)

WEEKDAYS = EnumType(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"))


class ParameterKind(Enum):
    """What a function takes at a place, where no type says it."""

    WHOLE = "a whole number"
    MOMENT = "a date, or a date and time"
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

    parameters: tuple[ParameterKind | type[AtomType], ...]
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
    first, last = require_date_type(start), require_date_type(end)
    # An earlier start or a later end never takes a working day away, so that the ends decide.
    low, high = (
        INTEGER_CALENDAR.count_workdays(*span, calendar.holidays)
        for span in ((first.maximum, last.minimum), (first.minimum, last.maximum))
    )
    kind = NumberType(low, high, 0, "working days")
    return Workdays(kind, start, end, calendar.name, calendar.holidays, calendar.is_only)


def build_add_workdays(date: Expression, count: Expression, calendar: Calendar) -> Expression:
    """Return the day by which so many working days after another are over."""
    kind, number = require_date_type(date), numbers.require_number_type(count)
    if number.minimum < 0:
        message = "the number of working days can be negative here"
        raise TypeRuleError("type-error", message, "write max(n, 0), or raise 'min' of the field")
    # A later day, or a working day more, never leads to an earlier day, so that the ends decide.
    low, high = (
        INTEGER_CALENDAR.add_workdays(*ends, calendar.holidays)
        for ends in ((kind.minimum, number.minimum), (kind.maximum, number.maximum))
    )
    later = make_day_type(low, high)
    return AddWorkdays(later, date, count, calendar.name, calendar.holidays, calendar.is_only)


def build_date_of(moment: Expression) -> Expression:
    """Return the day of a date-time."""
    return DateOf(require_time_type(moment).derive_day_type(), moment)


def build_hour_of(moment: Expression) -> Expression:
    """Return the hour of a date-time."""
    require_time_type(moment)
    return HourOf(NumberType(0, HOURS_A_DAY - 1), moment)


def build_weekday_of(date: Expression) -> Expression:
    """Return the day of the week of a date."""
    require_date_type(date)
    return WeekdayOf(WEEKDAYS, date)


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
    """Return the least of several numbers, or labels of one order."""
    return _build_extreme(Extreme.MINIMUM, operands)


def build_greatest(*operands: Expression) -> Expression:
    """Return the greatest of several numbers, or labels of one order."""
    return _build_extreme(Extreme.MAXIMUM, operands)


ROUNDINGS: Mapping[str, Rounding] = {str(rounding): rounding for rounding in Rounding}
"""The functions that round a number or a quotient, by what they are called."""

FUNCTIONS: Mapping[str, Function] = {
    "abs": Function((NumberType,), build_absolute),
    "min": Function((NumberType, NumberType), build_least, is_variadic=True),
    "max": Function((NumberType, NumberType), build_greatest, is_variadic=True),
    "remainder": Function((NumberType, NumberType), numbers.build_remainder),
    "count": Function((SetType,), build_set_size),
    "days_between": Function((DateType, DateType), build_days_between),
    "workdays_between": Function(
        (DateType, DateType, ParameterKind.CALENDAR), build_workdays_between
    ),
    "minutes_between": Function((DateTimeType, DateTimeType), build_minutes_between),
    "add_minutes": Function((DateTimeType, ParameterKind.WHOLE), add_minutes),
    "add_hours": Function((DateTimeType, ParameterKind.WHOLE), add_hours),
    "add_days": Function((ParameterKind.MOMENT, ParameterKind.WHOLE), add_days),
    "add_months": Function((DateType, ParameterKind.WHOLE), add_months),
    "add_workdays": Function(
        (DateType, ParameterKind.WHOLE, ParameterKind.CALENDAR), build_add_workdays
    ),
    "date_of": Function((DateTimeType,), build_date_of),
    "hour_of": Function((DateTimeType,), build_hour_of),
    "weekday_of": Function((DateType,), build_weekday_of),
}

OPERATORS: tuple[Operator, ...] = (
    Operator(
        "a and b, a or b, not a",
        "conditions",
        "a condition",
        "Logical and, or, not. A condition is always true or false.",
    ),
    Operator(
        "a == b, a != b",
        "two numbers, dates, date-times, labels of one field's list, or strings",
        "a condition",
        "Equality. Numbers with different decimal places are converted to the same scale.",
        "`1.50` equals `1.5`.",
    ),
    Operator(
        "a < b, a <= b, a > b, a >= b",
        "two numbers, dates, date-times, or labels of an enum with `ordered: true`",
        "a condition",
        "Order. You can chain comparisons: `a <= x < b`. Of labels, the later in `values` is "
        "greater.",
        "Other labels and strings have no order.",
    ),
    Operator(
        "x in ['A', 'B'], x not in [...]",
        "an enum or string field, and quoted strings",
        "a condition",
        "The value is (not) one of the listed strings.",
    ),
    Operator(
        "'A' in s, 'A' not in s",
        "a quoted label and a set",
        "a condition",
        "The set contains (does not contain) the label.",
        "The empty set contains no label.",
    ),
    Operator(
        "x in s, x not in s",
        "an enum field and a set with the same labels, in the same order",
        "a condition",
        "The set contains (does not contain) the field's label.",
        "The empty set contains no label.",
    ),
    Operator(
        "s <= t, t >= s",
        "two sets with the same labels, in the same order. One can be a literal, as in `s <= "
        "['A', 'B']`",
        "a condition",
        "Every label of s is in t.",
        "The empty set is a subset of every set.",
    ),
    Operator(
        "s | t, s & t, s - t",
        "two sets with the same labels, in the same order. One can be a literal, as in `s | ['A']`",
        "a set",
        "Union: the labels of s or t. Intersection: the labels in both sets. Difference: the "
        "labels of s that are not in t.",
        "`[]` is the empty set.",
    ),
    Operator(
        "present(x)",
        "a field that declares a `missing` word",
        "a condition",
        "The field has a value.",
        "If an expression reads such a field where the value may be missing, SOPForge reports "
        "a finding.",
    ),
    Operator(
        "well_formed(x)",
        "an input that declares `malformed`",
        "a condition",
        "The text that the task states matches the field's pattern.",
        "Allowed only under `when` of the procedure's edges.",
    ),
    Operator(
        "a + b, a - b, -a",
        "numbers",
        "a number",
        "Exact. The result has the larger number of decimal places.",
    ),
    Operator(
        "a * b",
        "numbers",
        "a number",
        "Exact. The result has the sum of the decimal places.",
        "A product can contain at most two fields.",
    ),
    Operator(
        "round(a / b, places), round(a, places)",
        "numbers. `places` is a literal number",
        "a number with this many decimal places",
        "Rounded, with halves away from zero.",
        "`round(0.125, 2)` is 0.13, and `round(-0.125, 2)` is -0.13. The divisor's range must "
        "be above 0.",
    ),
    Operator(
        "floor(a / b), floor(a), ceiling(a / b), ceiling(a)",
        "numbers",
        "a whole number; a number with `places` decimal places for `floor(a / b, places)`",
        "Rounded down, or up, to the next whole number.",
        "`floor(-0.5)` is -1, and `ceiling(-0.5)` is 0. The divisor's range must be above 0.",
    ),
    Operator(
        "remainder(a, b)",
        "numbers",
        "a number from 0 to below b",
        "What is left of a when b is taken off it as often as it goes into it: `a - b * floor(a / "
        "b)`.",
        "`remainder(7, 3)` is 1, and `remainder(-7, 3)` is 2. The range of b must be above 0.",
    ),
    Operator(
        "a ** n",
        "a number, and a whole number that is written out",
        "a number",
        "a times itself, n times. Exact. The result has n times the decimal places.",
        "Numbers that are written out can have any exponent inside `round`: `round(1.005 ** -60, "
        "6)`. A product can contain at most two fields, so a field's exponent is at most 2.",
    ),
    Operator(
        "a / b < c (any comparison)",
        "numbers",
        "a condition",
        "Compared exactly, by multiplying both sides by the divisor.",
        "The divisor's range must be above 0.",
    ),
    Operator(
        "x if c else y",
        "a condition, and two numbers, dates, date-times, sets or labels of one field's list",
        "a value of the same type",
        "Returns x if c is true, otherwise y.",
    ),
    Operator(
        "x if c else missing",
        "a condition, and a number, date, date-time or label",
        "a value of the same type, or no value",
        "Returns x if c is true. Otherwise, the decided field has no value.",
        "Allowed only as the whole expression of a decision, for a field that declares a word "
        "for missing.",
    ),
    Operator(
        "abs(a)",
        "a number",
        "a number",
        "The absolute value.",
    ),
    Operator(
        "min(a, b, ...), max(a, b, ...)",
        "numbers, or labels of one enum with `ordered: true`",
        "a value of the same type",
        "The smallest or largest number, the lowest or highest label.",
    ),
    Operator(
        "count(s)",
        "a set",
        "a whole number",
        "The number of labels in the set.",
        "0 for the empty set.",
    ),
    Operator(
        "days_between(start, end)",
        "two dates",
        "a whole number",
        "The number of calendar days from start to end.",
        "0 on the same day. Negative if end is earlier than start.",
    ),
    Operator(
        "workdays_between(start, end, calendar)",
        "two dates and a calendar of the model",
        "a whole number",
        "The number of Mondays to Fridays after start, up to and including end, without the "
        "calendar's holidays.",
        "0 on the same day. Negative if end is earlier than start.",
    ),
    Operator(
        "minutes_between(start, end)",
        "two date-times",
        "a whole number",
        "The number of minutes from start to end.",
        "Negative if end is earlier than start.",
    ),
    Operator(
        "add_days(date, n)",
        "a date or date-time, and a whole number",
        "a value of the same type",
        "The date n days later. If n is negative, an earlier date. Of a date-time: the same time "
        "of that day.",
    ),
    Operator(
        "add_hours(t, n), add_minutes(t, n)",
        "a date-time and a whole number",
        "a date-time",
        "The date-time n hours or minutes later. If n is negative, an earlier one.",
        "Add a duration with `add_minutes`.",
    ),
    Operator(
        "add_months(date, n)",
        "a date and a whole number",
        "a date",
        "The same day of the month, n months later.",
        "If the month has no such day, its last day: 31 January plus 1 is 28 or 29 February.",
    ),
    Operator(
        "add_workdays(date, n, calendar)",
        "a date, a whole number that is not negative, and a calendar of the model",
        "a date",
        "The first date by which n working days after the date are over.",
        "The date itself for 0. From a Friday, 1 is the next Monday unless it is a holiday.",
    ),
    Operator(
        "date_of(t)",
        "a date-time",
        "a date",
        "The day of the date-time.",
    ),
    Operator(
        "hour_of(t)",
        "a date-time",
        "a whole number",
        "The hour of the date-time, from 0 to 23.",
        "The hour of 17:59 is 17.",
    ),
    Operator(
        "weekday_of(date)",
        "a date",
        "a label",
        "The day of the week: `Monday`, `Tuesday`, `Wednesday`, `Thursday`, `Friday`, `Saturday` "
        "or `Sunday`. Of a date-time: `weekday_of(date_of(t))`.",
    ),
    Operator(
        "count(i for i in items if c)",
        "a list field. The condition c reads `i.field`",
        "a whole number",
        "The number of items that meet c. Without `if`, the number of all items.",
        "0 for the empty list.",
    ),
    Operator(
        "sum(i.x for i in items if c)",
        "a list field",
        "a number",
        "The sum of `i.x` over the items that meet c.",
        "0 if no item meets c.",
    ),
    Operator(
        "min((i.x for i in items if c), default=d), max(...)",
        "a list field of numbers or of labels with `ordered: true`, and a literal of their type",
        "a value of the same type",
        "The smallest or largest `i.x` of the items that meet c.",
        "Returns d if no item meets c.",
    ),
    Operator(
        "first((i.x for i in items if c), default=d), last(...)",
        "a list field of numbers or of labels, and a literal of their type",
        "a value of the same type",
        "`i.x` of the first or last item that meets c, in the order of the list.",
        "Returns d if no item meets c.",
    ),
    Operator(
        "median((i.x for i in items if c), default=d)",
        "a list field of numbers or of labels with `ordered: true`, and a literal of their type",
        "a value of the same type",
        "The middle `i.x` of the items that meet c. Of an even number, the lower middle one.",
        "Returns d if no item meets c.",
    ),
    Operator(
        "average((i.x for i in items if c), places=p, default=d)",
        "a list field and literal numbers",
        "a number with p decimal places",
        "The sum divided by the count, rounded, with halves away from zero.",
        "Returns d if no item meets c.",
    ),
    Operator(
        "any(c2 for i in items if c), all(c2 for i in items if c)",
        "a list field",
        "a condition",
        "Of the items that meet c, at least one (`any`) or each (`all`) meets c2.",
        "If no item meets c, `any` is false and `all` is true.",
    ),
    Operator(
        "[i for i in items if c]",
        "a list field",
        "a list",
        "The items that meet c, in their order, with the fields that the new list declares.",
        "An empty list if no item meets c.",
    ),
    Operator(
        "[item(a=i.x, b=i.y * 2) for i in items if c]",
        "a list field, and a value for each field of the new list",
        "a list",
        "A new item for each item that meets c, in their order.",
        "Allowed only as the value of a list field.",
    ),
)


def render_operators_page() -> str:
    """Return the documentation's page on operators."""
    lines = [
        "# Operators",
        "",
        "Use these operators in conditions and values. There are no others. No operator fails on a",
        "value that its types allow. SOPForge generates this page from the operators in its code.",
        "",
        "| Write | Takes | Returns | Meaning | Edge cases and limits |",
        "| --- | --- | --- | --- | --- |",
    ]
    rows = [
        (f"`{item.syntax}`", item.takes, item.gives, item.meaning, item.edges) for item in OPERATORS
    ]
    # A bar inside of a cell would end it.
    cells = [" | ".join(part.replace("|", "\\|") for part in row) for row in rows]
    return "\n".join([*lines, *(f"| {row} |" for row in cells)]) + "\n"


def _build_extreme(extreme: Extreme, operands: Sequence[Expression]) -> Expression:
    if isinstance(operands[0].type, EnumType):
        return Outermost(operands[0].type, extreme, tuple(operands))
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


def _require_moment_type(expression: Expression) -> MomentType:
    if not isinstance(expression.type, MomentType):
        raise TypeError(f"{expression!r} is no date")
    return expression.type
