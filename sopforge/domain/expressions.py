"""The expression tree: typed nodes over integers, the one form that every reading interprets.

A node carries what all readings need: the readings over integers (scalar, symbolic) follow the
structure, the readings for people and for Python also use the types and the names of constants.
``Expression`` is a closed union; a reading that lacks a node fails the type check.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from sopforge.domain.types import BOOLEAN, NumberType, ValueType


class Relation(StrEnum):
    """The six comparisons."""

    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="


class Operation(StrEnum):
    """Exact integer arithmetic; operands share their places, a product adds them."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal value, or a named one of the policy."""

    type: ValueType
    value: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Read:
    """The value of a field; total only where the field is present."""

    type: ValueType
    field: str


@dataclass(frozen=True, slots=True)
class Presence:
    """Whether a field that may be missing has a value."""

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
class DaysBetween:
    """The days from ``start`` to ``end``, negative when ``end`` is earlier."""

    type: NumberType
    start: Expression
    end: Expression


@dataclass(frozen=True, slots=True)
class Size:
    """How many members a set has."""

    type: NumberType
    operand: Expression


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison of two values of one scale."""

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
    """One value per label of an enum, in the order of its labels."""

    type: ValueType
    key: Expression
    entries: tuple[Constant, ...]


Expression: TypeAlias = (
    Constant
    | Read
    | Presence
    | Rescale
    | Arithmetic
    | DaysBetween
    | Size
    | Compare
    | OneOf
    | Contains
    | AllOf
    | AnyOf
    | Not
    | Choice
    | Lookup
)


def children(expression: Expression) -> tuple[Expression, ...]:  # noqa: PLR0911 - by node
    """Return the direct operands, left to right."""
    match expression:
        case Constant() | Read() | Presence():
            return ()
        case Rescale() | Size() | OneOf() | Contains() | Not():
            return (expression.operand,)
        case Arithmetic() | Compare():
            return (expression.left, expression.right)
        case DaysBetween():
            return (expression.start, expression.end)
        case AllOf() | AnyOf():
            return expression.operands
        case Choice():
            return (expression.condition, expression.then, expression.otherwise)
        case Lookup():
            return (expression.key,)


def walk(expression: Expression) -> list[Expression]:
    """Return the expression and all its descendants, parents first."""
    found = [expression]
    for child in children(expression):
        found.extend(walk(child))
    return found


def fields_read(expression: Expression) -> frozenset[str]:
    """Return the names of all fields whose value or presence the expression asks for."""
    return frozenset(node.field for node in walk(expression) if isinstance(node, Read | Presence))


def constants_named(expression: Expression) -> frozenset[str]:
    """Return the names of the policy constants used."""
    return frozenset(
        node.name for node in walk(expression) if isinstance(node, Constant) and node.name
    )
