"""Rows at the limits of either reading: at the numbers that one of them compares, and beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from sopforge.language.domain.expressions.expressions import (
    Compare,
    Constant,
    Expression,
    Read,
    collect_read_fields,
    iterate_parts,
    list_ordered_parts,
)
from sopforge.language.domain.fields import STORED
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.values.types import (
    NumberType,
    OrderedType,
    Value,
    ValueType,
)
from sopforge.language.logic.readings.scalar import evaluate, holds
from sopforge.proof.comparing.translating import Row, Translation, expand_decided

Limit = tuple[Expression, int]
"""A number over our rows, and a value of it at which a reading begins to decide otherwise."""
_MOST_ROWS = 20_000
_MOST_PARTS = 24
"""From a value of more parts on, to move it is a matter of luck."""


def list_limits(translation: Translation) -> list[Limit]:
    """Return what both readings compare with numbers, over our rows; each once."""
    held = frozenset(item.name for item in translation.ours.with_role(*STORED))
    ours = _iterate_limits(translation.ours, held, lambda part: part)
    known = frozenset(translation.known)
    theirs = _iterate_limits(translation.theirs, known, translation.translate)
    found: dict[tuple[Expression, int], Limit] = {}
    for subject, value in (*ours, *theirs):
        found.setdefault((subject, value), (subject, value))
    return list(found.values())


def _iterate_limits(
    model: DomainModel, names: frozenset[str], translate: Callable[[Expression], Expression]
) -> Iterator[Limit]:
    decided = frozenset(model.decisions)
    # What is compared inside of an aggregate is about items, of which a row has many.
    for node in list_ordered_parts(collect_deciding_expressions(model)):
        if not isinstance(node, Compare) or not isinstance(node.left.type, OrderedType):
            continue
        for side, limit in ((node.left, node.right), (node.right, node.left)):
            if isinstance(limit, Constant) and isinstance(limit.value, int):
                subject = _expand(model, side) if collect_read_fields(side) & decided else side
                if subject is not None and collect_read_fields(subject) <= names:
                    yield translate(subject), limit.value


def _expand(model: DomainModel, side: Expression) -> Expression | None:
    """Return a number with formulas in the place of what is decided; None where it is too long."""
    whole = expand_decided(model, side)
    parts = list(islice(iterate_parts(whole), _MOST_PARTS + 1))
    return None if len(parts) > _MOST_PARTS else whole


def move_rows(translation: Translation, rows: Sequence[Row]) -> list[Row]:
    """Return some rows moved to each limit, and by one unit to each side of it."""
    limits = list_limits(translation)
    room = max(1, _MOST_ROWS // max(1, 3 * len(limits)))
    found: list[Row] = []
    for subject, limit in limits:
        for row in rows[:room]:
            for value in (limit - 1, limit, limit + 1):
                moved = move_row(translation.ours, row, subject, value)
                if moved is not None:
                    found.append(moved)
    return found


def move_row(model: DomainModel, row: Row, subject: Expression, value: int) -> Row | None:
    """Return a row on which a number has a value, by a change of one field that it reads."""
    now = evaluate(subject, row)
    if not isinstance(now, int):
        return None
    for name in _list_movable(model, subject, row):
        for change in _list_changes(subject.type, model.fields[name].type, value - now):
            moved = _shift(model, row, name, change)
            if moved is not None and evaluate(subject, moved) == value:
                return moved
    return None


def _list_movable(model: DomainModel, subject: Expression, row: Row) -> list[str]:
    """Return the numbers and dates that a value is worked out from, the last one first."""
    reads = [part.field for part in iterate_parts(subject) if isinstance(part, Read)]
    return [
        name
        for name in dict.fromkeys(reads)
        if isinstance(model.fields[name].type, OrderedType) and row.get(name) is not None
    ]


def _list_changes(kind: ValueType, own: ValueType, change: int) -> list[int]:
    places = [part.places if isinstance(part, NumberType) else 0 for part in (kind, own)]
    scale = 10 ** abs(places[0] - places[1])
    return [change, -change, change // scale, -(change // scale)]


def _shift(model: DomainModel, row: Row, name: str, change: int) -> Row | None:
    low, high = model.fields[name].type.bounds
    before = row[name]
    value = before + change if isinstance(before, int) else low - 1
    if not low <= value <= high:
        return None
    moved: dict[str, Value | None] = {**row, name: value}
    return moved if is_case(model, moved) else None


def is_case(model: DomainModel, row: Row) -> bool:
    """Return whether a row meets what holds of every row."""
    return all(holds(condition, row) for condition in model.row_conditions)
