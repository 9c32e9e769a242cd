"""What an item of a model says that prose can be compared with: figures, limits, labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from typing import TypeAlias

from sopforge.domain.language.expressions import (
    AddDays,
    AddMonths,
    Aggregate,
    Arithmetic,
    Compare,
    Constant,
    Contains,
    Elapsed,
    Expression,
    Lookup,
    Missing,
    Not,
    OneOf,
    Operation,
    Presence,
    Quotient,
    Read,
    Relation,
    Rescale,
    Selection,
    Workdays,
    list_children,
)
from sopforge.domain.values.types import (
    MINUTES_A_DAY,
    BooleanType,
    DateTimeType,
    DateType,
    EnumType,
    NumberType,
    SetType,
    Value,
    ValueType,
    list_set_members,
    require_integer,
)
from sopforge.sources.prose.bounds import Side
from sopforge.sources.prose.quantities import Quantity
from sopforge.sources.prose.units import ANY, Unit, are_same_amount, read_unit

Labels: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of the model with its unit; that of a day is its number. ``name`` is a constant's.

    ``side`` is where the figure itself belongs to, where it is a limit; ``is_upwards`` says that
    what is more than it meets the condition. One that ``is_factor`` may only convert units.
    """

    value: Fraction
    unit: Unit = ANY
    is_day: bool = False
    name: str = ""
    side: Side | None = None
    is_upwards: bool | None = None
    is_factor: bool = False

    def is_said_by(self, quantity: Quantity) -> bool:
        """Return whether a quantity of prose may be this figure."""
        if quantity.is_day != self.is_day:
            return False
        if quantity.is_yearless:
            day = date.fromordinal(int(self.value))
            return quantity.value == 100 * day.month + day.day
        # Divided by two is half of it.
        if self.is_factor and self.value:
            part = 1 / self.value
            if are_same_amount(quantity.value, quantity.unit, part, ANY):
                return True
        return are_same_amount(quantity.value, quantity.unit, self.value, self.unit)


@dataclass(frozen=True, slots=True)
class Facts:
    """The figures and labels of an item, and the fields that it reads.

    ``labels`` are those that it names, ``meant`` those of them that a case must have, ``given``
    those that it gives; each with all labels that could stand in its place. ``cells`` are the
    figures of a look-up by its labels, ``grid`` those by two labels. ``flags`` are the
    answers that yes/no fields must have.
    ``compared`` are fields with which something is compared, each as a limit of no value, and
    ``spans`` the constants that are added to a day, each with the field of that day.
    """

    figures: tuple[Figure, ...] = ()
    labels: frozenset[tuple[str, Labels]] = frozenset()
    meant: frozenset[tuple[str, Labels]] = frozenset()
    given: frozenset[tuple[str, Labels]] = frozenset()
    fields: frozenset[str] = frozenset()
    cells: tuple[tuple[str, Figure], ...] = ()
    grid: tuple[tuple[str, str, Figure], ...] = ()
    flags: frozenset[tuple[str, bool]] = frozenset()
    compared: frozenset[tuple[str, Side, bool]] = frozenset()
    spans: tuple[tuple[Figure, str], ...] = ()

    def join(self, *others: Facts) -> Facts:
        """Return these facts and others."""
        parts = (self, *others)
        return Facts(
            figures=tuple(item for part in parts for item in part.figures),
            labels=frozenset().union(*(part.labels for part in parts)),
            meant=frozenset().union(*(part.meant for part in parts)),
            given=frozenset().union(*(part.given for part in parts)),
            fields=frozenset().union(*(part.fields for part in parts)),
            cells=tuple(item for part in parts for item in part.cells),
            grid=tuple(item for part in parts for item in part.grid),
            flags=frozenset().union(*(part.flags for part in parts)),
            compared=frozenset().union(*(part.compared for part in parts)),
            spans=tuple(item for part in parts for item in part.spans),
        )


NO_FACTS = Facts()


@dataclass(slots=True)
class _Collecting:
    """Collects what is met on a walk through an expression."""

    figures: list[Figure] = field(default_factory=list)
    labels: set[tuple[str, Labels]] = field(default_factory=set)
    meant: set[tuple[str, Labels]] = field(default_factory=set)
    fields: set[str] = field(default_factory=set)
    cells: list[tuple[str, Figure]] = field(default_factory=list)
    grid: list[tuple[str, str, Figure]] = field(default_factory=list)
    flags: set[tuple[str, bool]] = field(default_factory=set)
    compared: set[tuple[str, Side, bool]] = field(default_factory=set)
    spans: list[tuple[Figure, str]] = field(default_factory=list)


def collect_facts(*expressions: Expression | None) -> Facts:
    """Return the facts of conditions and values."""
    found = _Collecting()
    for expression in expressions:
        if expression is not None:
            _visit(expression, found, is_denied=False)
    return Facts(
        figures=tuple(found.figures),
        labels=frozenset(found.labels),
        meant=frozenset(found.meant),
        fields=frozenset(found.fields),
        cells=tuple(found.cells),
        grid=tuple(found.grid),
        flags=frozenset(found.flags),
        compared=frozenset(found.compared),
        spans=tuple(found.spans),
    )


def collect_result_facts(*results: Expression) -> Facts:
    """Return the facts of what rules and ends give: their labels are given ones."""
    facts = collect_facts(*results)
    return replace(facts, given=facts.labels)


def make_figures(kind: ValueType, value: Value, name: str = "") -> tuple[Figure, ...]:
    """Return a value of a type as a figure; none for what is no number and no day."""
    match kind:
        case NumberType():
            scaled = Fraction(require_integer(value), 10**kind.places)
            return (Figure(scaled, read_unit(kind.unit), name=name),)
        case DateType():
            return (Figure(Fraction(require_integer(value)), is_day=True, name=name),)
        case DateTimeType():
            day, minutes = divmod(require_integer(value), MINUTES_A_DAY)
            time = Figure(Fraction(minutes), read_unit("minutes"), name=name)
            return (Figure(Fraction(day + 1), is_day=True, name=name), time)
        case _:
            return ()


def read_constant(value: Expression) -> tuple[Figure, ...]:
    """Return the figure that an expression is, none where it is worked out or is no number."""
    inner = value.operand if isinstance(value, Rescale) else value
    if not isinstance(inner, Constant):
        return ()
    return make_figures(inner.type, inner.value, inner.name)


def list_labels(kind: ValueType, value: Value) -> frozenset[tuple[str, Labels]]:
    """Return the labels that a value of a type is; none for what has none."""
    match kind:
        case EnumType(values=values):
            return frozenset({(values[require_integer(value)], values)})
        case SetType(values=values):
            return frozenset((label, values) for label in list_set_members(kind, value))
        case _:
            return frozenset()


def _visit(node: Expression, found: _Collecting, *, is_denied: bool) -> None:  # noqa: C901, PLR0912 - one case per node
    match node:
        case Constant():
            found.figures.extend(make_figures(node.type, node.value, node.name))
            found.labels |= list_labels(node.type, node.value)
        case Missing(word=word):
            found.labels.add((word, (word,)))
        case Read() | Presence():
            found.fields.add(node.field)
            if isinstance(node, Read) and isinstance(node.type, BooleanType):
                found.flags.add((node.field, not is_denied))
        case Not(operand=operand):
            _visit(operand, found, is_denied=not is_denied)
        case Compare():
            _visit_comparison(node, found, is_denied=is_denied)
        case OneOf(operand=operand, options=options):
            _visit(operand, found, is_denied=is_denied)
            for option in options:
                _visit(option, found, is_denied=is_denied)
                if not is_denied:
                    found.meant |= list_labels(option.type, option.value)
        case Contains(operand=operand, member=member):
            _visit(operand, found, is_denied=is_denied)
            values = operand.type.values if isinstance(operand.type, SetType) else (member,)
            found.labels.add((member, values))
            if not is_denied:
                found.meant.add((member, values))
        case Lookup():
            _visit_lookup(node, found)
        case Arithmetic() | Quotient():
            _visit_arithmetic(node, found)
        case AddDays(date=Read(field=name), days=Constant() as days):
            found.spans.extend((item, name) for item in make_figures(days.type, days.value))
            _visit_children(node, found, is_denied=is_denied)
        case Aggregate() | Selection():
            found.fields.add(node.list)
            _visit_children(node, found, is_denied=is_denied)
        case _:
            _visit_children(node, found, is_denied=is_denied)


def _visit_arithmetic(node: Expression, found: _Collecting) -> None:
    """Visit what is worked out: a figure without a name may be one by which units are converted."""
    for child in list_children(node):
        inner = child.operand if isinstance(child, Rescale) else child
        if isinstance(inner, Constant) and not inner.name:
            figures = make_figures(inner.type, inner.value)
            found.figures += [replace(item, is_factor=True) for item in figures]
        else:
            _visit(child, found, is_denied=False)


def _visit_children(node: Expression, found: _Collecting, *, is_denied: bool) -> None:
    for child in list_children(node):
        _visit(child, found, is_denied=is_denied)


def _visit_lookup(node: Lookup, found: _Collecting) -> None:
    _visit_children(node, found, is_denied=False)
    kind = node.key.type
    labels = kind.values if isinstance(kind, EnumType) else ()
    for label, entry in zip(labels, node.entries, strict=False):
        found.labels.add((label, tuple(labels)))
        found.cells.extend((label, item) for item in read_constant(entry))
        if isinstance(entry, Lookup):
            found.grid.extend((label, *cell) for cell in _list_cells(entry))


def _list_cells(node: Lookup) -> list[tuple[str, Figure]]:
    """Return the figures of a look-up by its labels."""
    labels = node.key.type.values if isinstance(node.key.type, EnumType) else ()
    return [
        (label, figure)
        for label, entry in zip(labels, node.entries, strict=False)
        for figure in read_constant(entry)
    ]


def _visit_comparison(node: Compare, found: _Collecting, *, is_denied: bool) -> None:
    relation = node.relation.opposite if is_denied else node.relation
    if isinstance(node.left.type, BooleanType):
        _visit_answer(node, found, relation)
        return
    for side, other, seen in (
        (node.right, node.left, relation),
        (node.left, node.right, relation.mirrored),
    ):
        limit = _find_limit(side)
        if limit is None:
            _visit(side, found, is_denied=False)
            found.compared |= set(_list_compared(side, seen))
            found.figures += _list_addends(side, other, seen)
            continue
        constant, start = limit
        if start is not None:
            _visit(start, found, is_denied=False)
        labels = list_labels(constant.type, constant.value)
        found.labels |= labels
        found.meant |= labels if seen is Relation.EQ else frozenset()
        found.figures += [
            _make_limit(item, seen, _find_unit(other))
            for item in make_figures(constant.type, constant.value, constant.name)
        ]


def _visit_answer(node: Compare, found: _Collecting, relation: Relation) -> None:
    """Note which answer of a yes/no field is meant, where it is compared with one."""
    for side, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(side, Read):
            found.fields.add(side.field)
            if isinstance(other, Constant):
                found.flags.add((side.field, bool(other.value) == (relation is Relation.EQ)))
        elif not isinstance(side, Constant):
            _visit(side, found, is_denied=False)


def _list_addends(side: Expression, other: Expression, relation: Relation) -> list[Figure]:
    """Return the constants that are added on a side as limits: of "a > b - 20" the 20 is one.

    ``relation`` is that of the other side to this one.
    """
    unit = _find_unit(other)
    return [
        # What is taken off here is added there.
        _make_limit(item, relation if is_added else relation.mirrored, unit)
        for constant, is_added in _iterate_addends(side, is_added=True)
        for item in make_figures(constant.type, constant.value, constant.name)
    ]


def _iterate_addends(value: Expression, *, is_added: bool) -> Iterator[tuple[Constant, bool]]:
    match value:
        case Rescale(operand=operand):
            yield from _iterate_addends(operand, is_added=is_added)
        case Arithmetic(operation=Operation.ADD):
            yield from _iterate_addends(value.left, is_added=is_added)
            yield from _iterate_addends(value.right, is_added=is_added)
        case Arithmetic(operation=Operation.SUBTRACT):
            yield from _iterate_addends(value.left, is_added=is_added)
            yield from _iterate_addends(value.right, is_added=not is_added)
        case Constant():
            yield value, is_added
        case _:
            return


def _list_compared(side: Expression, relation: Relation) -> Iterator[tuple[str, Side, bool]]:
    """Yield the field that a side is, as a limit: what is decided for it may be one."""
    inner = side.operand if isinstance(side, Rescale) else side
    if isinstance(inner, Read) and relation not in (Relation.EQ, Relation.NE):
        shown = _make_limit(Figure(Fraction(0)), relation, ANY)
        yield inner.field, shown.side or Side.BELOW, bool(shown.is_upwards)


def _make_limit(item: Figure, relation: Relation, unit: Unit) -> Figure:
    """Return a figure as the limit that a value is compared with, on the right."""
    known = item.unit if item.unit != ANY or item.is_day else unit
    if relation in (Relation.EQ, Relation.NE):
        return Figure(item.value, known, item.is_day, item.name)
    side = Side.BELOW if relation in (Relation.GT, Relation.LE) else Side.ABOVE
    is_upwards = relation in (Relation.GT, Relation.GE)
    return Figure(item.value, known, item.is_day, item.name, side, is_upwards)


def _find_limit(side: Expression) -> tuple[Constant, Expression | None] | None:  # noqa: PLR0911 - one case per node
    """Return the constant that a side is, or the span after a day that it is, with that day."""
    match side:
        case Constant():
            return side, None
        case Rescale(operand=operand):
            return _find_limit(operand)
        case AddDays(date=start, days=Constant() as days):
            return Constant(_with_unit(days.type, "days"), days.value, days.name), start
        case AddMonths(date=start, months=Constant() as months):
            return Constant(_with_unit(months.type, "months"), months.value, months.name), start
        case AddDays(date=start, days=Arithmetic(operation=Operation.MULTIPLY) as days):
            return _find_multiple(days, {7: "weeks"}, start)
        case AddMonths(date=start, months=Arithmetic(operation=Operation.MULTIPLY) as months):
            return _find_multiple(months, {12: "years"}, start)
        case _:
            return None


def _find_multiple(
    product: Arithmetic, units: Mapping[int, str], start: Expression
) -> tuple[Constant, Expression] | None:
    """Return a constant that is counted in another unit: twelve times so many months are years."""
    sides = ((product.left, product.right), (product.right, product.left))
    for factor, other in sides:
        if isinstance(factor, Constant) and isinstance(other, Constant) and not factor.name:
            unit = units.get(require_integer(factor.value))
            if unit is not None:
                return Constant(_with_unit(other.type, unit), other.value, other.name), start
    return None


def _with_unit(kind: ValueType, unit: str) -> ValueType:
    return replace(kind, unit=unit) if isinstance(kind, NumberType) else kind


def _find_unit(value: Expression) -> Unit:
    """Return the unit in which a value is counted."""
    match value:
        case Elapsed(span=span):
            return read_unit(span.value)
        case Workdays():
            return read_unit("working days")
        case Rescale(operand=operand):
            return _find_unit(operand)
        case _ if isinstance(value.type, NumberType):
            return read_unit(value.type.unit)
        case _:
            return ANY


def list_type_figures(kind: ValueType) -> Iterable[Figure]:
    """Return the least and the greatest value of a type as figures."""
    match kind:
        case NumberType(minimum=low, maximum=high) | DateType(minimum=low, maximum=high):
            yield from make_figures(kind, low)
            yield from make_figures(kind, high)
        case _:
            return


def list_type_labels(kind: ValueType) -> frozenset[tuple[str, Labels]]:
    """Return all labels of a type."""
    match kind:
        case EnumType(values=values) | SetType(values=values):
            return frozenset((label, values) for label in values)
        case _:
            return frozenset()
