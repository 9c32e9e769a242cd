"""What an item of a model says that prose can be compared with: figures and labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from typing import TypeAlias

from sopforge.authors.sources.prose.quantities import Quantity
from sopforge.authors.sources.prose.units import ANY, Unit, are_same_amount, read_unit
from sopforge.language.domain.expressions.expressions import (
    AddDays,
    AddMinutes,
    AddMonths,
    AddWorkdays,
    Aggregate,
    Arithmetic,
    Compare,
    Constant,
    Contains,
    Elapsed,
    Expression,
    Lookup,
    Presence,
    Quotient,
    Read,
    Rescale,
    Selection,
    Workdays,
    list_children,
)
from sopforge.language.domain.values.types import (
    DateType,
    EnumType,
    MomentType,
    NumberType,
    SetType,
    Value,
    ValueType,
    list_set_members,
    require_integer,
)

Labels: TypeAlias = tuple[str, ...]
Label: TypeAlias = tuple[str, Labels]
"""A label, with all labels that could stand in its place."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of the model with its unit; that of a day is its number. ``name`` is a constant's.

    One that ``is_factor`` stands in a calculation, and may only convert units.
    """

    value: Fraction
    unit: Unit = ANY
    is_day: bool = False
    name: str = ""
    is_factor: bool = False

    def is_said_by(self, quantity: Quantity) -> bool:
        """Return whether a quantity of prose may be this figure."""
        if quantity.is_day != self.is_day:
            return False
        if quantity.is_yearless:
            day = date.fromordinal(int(self.value))
            return quantity.value == 100 * day.month + day.day
        return are_same_amount(quantity.value, quantity.unit, self.value, self.unit)

    def __str__(self) -> str:
        if self.is_day:
            return date.fromordinal(int(self.value)).isoformat()
        is_whole = self.value.denominator == 1
        number = str(self.value.numerator if is_whole else float(self.value))
        return f"{self.name} = {number}" if self.name else number


@dataclass(frozen=True, slots=True)
class Facts:
    """The figures and labels of an item, and the fields that it reads."""

    figures: tuple[Figure, ...] = ()
    labels: frozenset[Label] = frozenset()
    fields: frozenset[str] = frozenset()

    def join(self, others: Iterable[Facts]) -> Facts:
        """Return these facts and others."""
        parts = (self, *others)
        return Facts(
            tuple(item for part in parts for item in part.figures),
            frozenset().union(*(part.labels for part in parts)),
            frozenset().union(*(part.fields for part in parts)),
        )


@dataclass(slots=True)
class _Collecting:
    """Collects what is met on a walk through expressions."""

    figures: list[Figure] = field(default_factory=list)
    labels: set[Label] = field(default_factory=set)
    fields: set[str] = field(default_factory=set)

    def visit(self, node: Expression, unit: Unit = ANY) -> None:  # noqa: C901 - one case per node
        """Collect what a node says; a bare number in it is counted in a unit."""
        match node:
            case Constant():
                self.figures += make_figures(node.type, node.value, node.name, unit)
                self.labels |= list_labels(node.type, node.value)
            case Read() | Presence():
                self.fields.add(node.field)
            case Aggregate() | Selection():
                self.fields.add(node.list)
            case Contains(operand=operand, member=member) if isinstance(operand.type, SetType):
                self.labels.add((member, operand.type.values))
            case Lookup(key=key):
                self.labels |= list_type_labels(key.type)
            case Compare(left=left, right=right):
                unit = _find_unit(left) if _find_unit(left) != ANY else _find_unit(right)
            case AddDays() | AddMonths():
                unit = read_unit("days" if isinstance(node, AddDays) else "months")
            case AddWorkdays():
                unit = read_unit("working days")
            case AddMinutes():
                unit = Unit(read_unit("minutes").measure, Fraction(node.each))
            case _:
                pass
        is_worked_out = isinstance(node, Arithmetic | Quotient)
        for child in list_children(node):
            (self.visit_factor if is_worked_out else self.visit)(child, unit)

    def visit_factor(self, node: Expression, unit: Unit = ANY) -> None:
        inner = node.operand if isinstance(node, Rescale) else node
        if isinstance(inner, Constant) and not inner.name:
            found = make_figures(inner.type, inner.value)
            self.figures += [replace(item, is_factor=True) for item in found]
        else:
            self.visit(node, unit)


def collect_facts(*expressions: Expression | None) -> Facts:
    """Return the facts of conditions and values."""
    found = _Collecting()
    for expression in expressions:
        if expression is not None:
            found.visit(expression)
    return Facts(tuple(found.figures), frozenset(found.labels), frozenset(found.fields))


def make_figures(
    kind: ValueType, value: Value, name: str = "", unit: Unit = ANY
) -> tuple[Figure, ...]:
    """Return a value of a type as figures; none for what is no number and no day."""
    match kind:
        case NumberType():
            own = read_unit(kind.unit)
            scaled = Fraction(require_integer(value), 10**kind.places)
            return (Figure(scaled, own if own != ANY else unit, name=name),)
        case MomentType():
            day, minutes = (
                kind.get_day(require_integer(value)),
                kind.get_minutes(require_integer(value)),
            )
            found = Figure(Fraction(day), is_day=True, name=name)
            if minutes is None:
                return (found,)
            return found, Figure(Fraction(minutes), read_unit("minutes"), name=name)
        case _:
            return ()


def list_labels(kind: ValueType, value: Value) -> frozenset[Label]:
    """Return the labels that a value of a type is; none for what has none."""
    match kind:
        case EnumType(values=values):
            return frozenset({(values[require_integer(value)], values)})
        case SetType(values=values):
            return frozenset((label, values) for label in list_set_members(kind, value))
        case _:
            return frozenset()


def list_type_labels(kind: ValueType) -> frozenset[Label]:
    """Return all labels of a type."""
    values = kind.values if isinstance(kind, EnumType | SetType) else ()
    return frozenset((label, values) for label in values)


def list_type_figures(kind: ValueType) -> Iterator[Figure]:
    """Yield the least and the greatest value of a type."""
    if isinstance(kind, NumberType | DateType):
        for value in kind.bounds:
            yield from make_figures(kind, value)


def _find_unit(value: Expression) -> Unit:
    """Return the unit in which a value is counted."""
    match value:
        case Elapsed(span=span):
            return read_unit(span.value)
        case Workdays():
            return read_unit("working days")
        case Rescale(operand=operand):
            return _find_unit(operand)
        case _:
            return read_unit(value.type.unit) if isinstance(value.type, NumberType) else ANY
