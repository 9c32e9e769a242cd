"""The expression tree: typed nodes over integers, the one form that every reading interprets.

A node carries what all readings need: the readings over integers follow the structure, the
readings for people and for Python also use the types and the names of constants. Text is the one
exception to "every value is an integer": it is only ever compared for equality.

``Expression`` is a closed union; a reading that lacks a node fails the type check.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from sopforge.language.domain.values.types import (
    BOOLEAN,
    EnumType,
    ListType,
    NumberType,
    Value,
    ValueType,
)


class Relation(StrEnum):
    """The six comparisons."""

    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="

    @property
    def mirrored(self) -> Relation:
        """The relation of the right side to the left one."""
        return _MIRRORED.get(self, self)

    @property
    def opposite(self) -> Relation:
        """The relation that holds where this one does not."""
        return _OPPOSITE[self]


_MIRRORED = {
    Relation.LT: Relation.GT,
    Relation.LE: Relation.GE,
    Relation.GT: Relation.LT,
    Relation.GE: Relation.LE,
}
_OPPOSITE = {
    Relation.EQ: Relation.NE,
    Relation.NE: Relation.EQ,
    Relation.LT: Relation.GE,
    Relation.GE: Relation.LT,
    Relation.GT: Relation.LE,
    Relation.LE: Relation.GT,
}


class Operation(StrEnum):
    """Exact integer arithmetic; operands share their places, a product adds them."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"


class Rounding(StrEnum):
    """To which whole number a quotient goes: the nearest, or always the one below or above it."""

    NEAREST = "round"
    DOWN = "floor"
    UP = "ceiling"


class SetOperation(StrEnum):
    """What is made of two sets: all members, those that both have, those that one alone has."""

    UNION = "|"
    INTERSECTION = "&"
    DIFFERENCE = "-"


class Extreme(StrEnum):
    """The least or the greatest of several numbers or dates."""

    MINIMUM = "min"
    MAXIMUM = "max"


class Span(StrEnum):
    """In what the time from a start to an end is counted."""

    DAYS = "days"
    MINUTES = "minutes"


class AggregateFunction(StrEnum):
    """What an aggregate makes of the items of a list."""

    COUNT = "count"
    SUM = "sum"
    MINIMUM = "min"
    MAXIMUM = "max"
    FIRST = "first"
    LAST = "last"
    MEDIAN = "median"
    ANY = "any"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal value, or a named one of the policy."""

    type: ValueType
    value: Value
    name: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """No value, where a decision may give none; texts say ``word`` in its place.

    It stands as a result, a side of a choice or an entry of a look-up that are one, and is read as
    what is missing is: 0.
    """

    type: ValueType
    word: str


@dataclass(frozen=True, slots=True)
class Read:
    """The value of a field; total only where the field is present."""

    type: ValueType
    field: str


@dataclass(frozen=True, slots=True)
class Element:
    """The value of a field of the list item at hand; stands inside of what is about items only."""

    type: ValueType
    list: str
    field: str


@dataclass(frozen=True, slots=True)
class Presence:
    """Whether a field that may be missing has a value, or a reference leads to a record."""

    field: str
    type: ValueType = BOOLEAN


@dataclass(frozen=True, slots=True)
class Rescale:
    """The operand with ``digits`` more decimal places: its integer times 10^digits."""

    type: NumberType
    operand: Expression
    digits: int


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """A sum, difference or product of two numbers."""

    type: NumberType
    operation: Operation
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Quotient:
    """A rounded quotient: round(left / right * 10^digits), where halves go away from zero.

    The divisor's interval is positive. ``digits`` brings the integers to the type's places.
    """

    type: NumberType
    left: Expression
    right: Expression
    digits: int
    rounding: Rounding = Rounding.NEAREST


@dataclass(frozen=True, slots=True)
class Absolute:
    """A number without its sign."""

    type: NumberType
    operand: Expression


@dataclass(frozen=True, slots=True)
class Outermost:
    """The least or greatest of at least two operands of one scale."""

    type: ValueType
    extreme: Extreme
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Elapsed:
    """The days or minutes from ``start`` to ``end``, negative when ``end`` is earlier."""

    type: NumberType
    span: Span
    start: Expression
    end: Expression


@dataclass(frozen=True, slots=True)
class Workdays:
    """The Mondays to Fridays after ``start``, up to and with ``end``, less the holidays.

    Negative, counted from ``end`` to ``start``, when ``end`` is earlier. ``holidays`` are day
    numbers in order, of the calendar called ``calendar``.
    """

    type: NumberType
    start: Expression
    end: Expression
    calendar: str
    holidays: tuple[int, ...]
    is_only_calendar: bool = False

    @property
    def named_calendar(self) -> str:
        """The calendar as a text has to name it, "" for the only one of a domain."""
        return "" if self.is_only_calendar else self.calendar


@dataclass(frozen=True, slots=True)
class AddWorkdays:
    """The first day by which so many workdays after ``date`` are over; none after it is itself.

    ``holidays`` and ``calendar`` are as those of ``Workdays``.
    """

    type: ValueType
    date: Expression
    count: Expression
    calendar: str
    holidays: tuple[int, ...]
    is_only_calendar: bool = False

    @property
    def named_calendar(self) -> str:
        """The calendar as a text has to name it, "" for the only one of a domain."""
        return "" if self.is_only_calendar else self.calendar


@dataclass(frozen=True, slots=True)
class AddDays:
    """The day so many days after another."""

    type: ValueType
    date: Expression
    days: Expression


@dataclass(frozen=True, slots=True)
class AddMinutes:
    """The minute so many times ``each`` minutes after another: 60 for hours, 1440 for days."""

    type: ValueType
    moment: Expression
    count: Expression
    each: int


@dataclass(frozen=True, slots=True)
class AddMonths:
    """The same day of the month so many months later, or the month's last day if it has none."""

    type: ValueType
    date: Expression
    months: Expression


@dataclass(frozen=True, slots=True)
class DateOf:
    """The day of a date-time."""

    type: ValueType
    operand: Expression


@dataclass(frozen=True, slots=True)
class HourOf:
    """The hour of a date-time, from 0 to 23."""

    type: NumberType
    operand: Expression


@dataclass(frozen=True, slots=True)
class WeekdayOf:
    """The day of the week on which a date lies."""

    type: EnumType
    operand: Expression


@dataclass(frozen=True, slots=True)
class Size:
    """How many members a set has."""

    type: NumberType
    operand: Expression


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison of two values of one scale; labels and text only for equality."""

    relation: Relation
    left: Expression
    right: Expression
    type: ValueType = BOOLEAN


@dataclass(frozen=True, slots=True)
class OneOf:
    """Whether the operand equals one of the listed constants."""

    operand: Expression
    options: tuple[Constant, ...]
    type: ValueType = BOOLEAN


@dataclass(frozen=True, slots=True)
class Contains:
    """Whether a set has the member at ``position`` of its type's labels."""

    operand: Expression
    member: str
    position: int
    type: ValueType = BOOLEAN


@dataclass(frozen=True, slots=True)
class Among:
    """Whether a label is a member of a set; the two have the same labels in the same order."""

    operand: Expression
    members: Expression
    type: ValueType = BOOLEAN


@dataclass(frozen=True, slots=True)
class Subset:
    """Whether every member of one set is in another; the two have the same labels in order."""

    left: Expression
    right: Expression
    type: ValueType = BOOLEAN


@dataclass(frozen=True, slots=True)
class Combination:
    """One set made of two; all have the same labels in the same order."""

    type: ValueType
    operation: SetOperation
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every operand holds."""

    operands: tuple[Expression, ...]
    type: ValueType = BOOLEAN


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one operand holds."""

    operands: tuple[Expression, ...]
    type: ValueType = BOOLEAN


@dataclass(frozen=True, slots=True)
class Not:
    """The operand does not hold."""

    operand: Expression
    type: ValueType = BOOLEAN


@dataclass(frozen=True, slots=True)
class Choice:
    """``then`` where the condition holds, else ``otherwise``."""

    type: ValueType
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Lookup:
    """One value per label of an enum, in the order of its labels; an entry may look up further."""

    type: ValueType
    key: Expression
    entries: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A function of the items of a list that meet ``where`` (None: all of them).

    ``value`` is what it takes of each item, None for a count; ``default`` is the answer where no
    item meets ``where``, given where the answer is the value of one item. Of an even number of
    values, the median is the lower of the two in the middle.
    """

    type: ValueType
    function: AggregateFunction
    list: str
    size: int
    where: Expression | None
    value: Expression | None
    default: Expression | None


@dataclass(frozen=True, slots=True)
class Selection:
    """A list made of the items of another that meet ``where`` (None: of all), in their order.

    ``parts`` are what its items have, in the order of its type's fields, worked out of each item.
    The other list has up to ``size`` items, which its own type has room for.
    """

    type: ListType
    list: str
    size: int
    where: Expression | None
    parts: tuple[Expression, ...]


Expression: TypeAlias = (
    Constant
    | Missing
    | Read
    | Element
    | Presence
    | Rescale
    | Arithmetic
    | Quotient
    | Absolute
    | Outermost
    | Elapsed
    | Workdays
    | AddWorkdays
    | AddDays
    | AddMinutes
    | AddMonths
    | DateOf
    | HourOf
    | WeekdayOf
    | Size
    | Compare
    | OneOf
    | Contains
    | Among
    | Subset
    | Combination
    | AllOf
    | AnyOf
    | Not
    | Choice
    | Lookup
    | Aggregate
    | Selection
)


def list_children(expression: Expression) -> tuple[Expression, ...]:  # noqa: C901, PLR0911, PLR0912 - one case per node
    """Return the direct operands, left to right."""
    match expression:
        case Constant() | Missing() | Read() | Element() | Presence():
            return ()
        case (
            Rescale()
            | Absolute()
            | DateOf()
            | HourOf()
            | WeekdayOf()
            | Size()
            | OneOf()
            | Contains()
            | Not()
        ):
            return (expression.operand,)
        case Arithmetic() | Quotient() | Compare() | Subset() | Combination():
            return (expression.left, expression.right)
        case Among():
            return (expression.operand, expression.members)
        case Elapsed() | Workdays():
            return (expression.start, expression.end)
        case AddDays():
            return (expression.date, expression.days)
        case AddWorkdays():
            return (expression.date, expression.count)
        case AddMinutes():
            return (expression.moment, expression.count)
        case AddMonths():
            return (expression.date, expression.months)
        case Outermost() | AllOf() | AnyOf():
            return expression.operands
        case Choice():
            return (expression.condition, expression.then, expression.otherwise)
        case Lookup():
            return (expression.key, *expression.entries)
        case Aggregate():
            parts = (expression.where, expression.value, expression.default)
            return tuple(part for part in parts if part is not None)
        case Selection():
            return (*(() if expression.where is None else (expression.where,)), *expression.parts)


def list_item_values(node: Aggregate | Selection) -> tuple[Expression, ...]:
    """Return what is taken of each item that meets the condition."""
    if isinstance(node, Selection):
        return node.parts
    return () if node.value is None else (node.value,)


def may_be_missing(value: Expression) -> bool:
    """Return whether a result is no value in some case."""
    # A loop over the else-branches: a table becomes a chain of as many of them as it has rules.
    while isinstance(value, Choice):
        if may_be_missing(value.then):
            return True
        value = value.otherwise
    if isinstance(value, Lookup):
        return any(map(may_be_missing, value.entries))
    return isinstance(value, Missing)


def walk(expression: Expression) -> Iterable[Expression]:
    """Return the expression and all its descendants, parents first."""
    yield expression
    for child in list_children(expression):
        yield from walk(child)


def iterate_parts(*expressions: Expression) -> Iterable[Expression]:
    """Return the expressions and all their parts, each once, however often it is shared."""
    # By identity: equal parts are one object where it matters, and to compare trees by value would
    # walk all below them each time.
    seen: set[int] = set()
    waiting = list(expressions)
    while waiting:
        node = waiting.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            waiting.extend(list_children(node))


def list_ordered_parts(
    expressions: Iterable[Expression], known: Container[int] = ()
) -> list[Expression]:
    """Return the parts of expressions, each once and after its own parts, however deep they lie.

    What is inside of an aggregate or a selection is about its items, and stays there; so do the
    parts of what is ``known`` by its identity.
    """
    # A stack of our own: unfolded, a procedure nests deeper than Python may recurse.
    ordered: dict[int, Expression] = {}
    opened: set[int] = set()
    waiting = list(expressions)
    while waiting:
        node = waiting[-1]
        if id(node) in opened:
            # A shared part may wait at two places before it is opened at one of them.
            ordered.setdefault(id(waiting.pop()), node)
            continue
        opened.add(id(node))
        if not isinstance(node, Aggregate | Selection) and id(node) not in known:
            waiting.extend(part for part in list_children(node) if id(part) not in opened)
    return list(ordered.values())


def collect_read_fields(expression: Expression) -> frozenset[str]:
    """Return the names of all fields whose value, items or presence the expression asks for."""
    return collect_all_read_fields((expression,))


def collect_all_read_fields(expressions: Iterable[Expression]) -> frozenset[str]:
    """Return the names of the fields that any of the expressions reads."""
    found: set[str] = set()
    for node in iterate_parts(*expressions):
        match node:
            case Read() | Presence():
                found.add(node.field)
            case Aggregate() | Selection():
                found.add(node.list)
            case _:
                pass
    return frozenset(found)


def collect_named_constants(expression: Expression) -> frozenset[str]:
    """Return the names of the policy constants and calendars used."""
    found: set[str] = set()
    for node in iterate_parts(expression):
        match node:
            case Constant() if node.name:
                found.add(node.name)
            case Workdays() | AddWorkdays() if node.calendar:
                found.add(node.calendar)
            case _:
                pass
    return frozenset(found)
