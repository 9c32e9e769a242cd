"""Other values of a field: each label, the bounds, the ends of months, drawn texts."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from datetime import date

from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.text_shapes import find_shape
from sopforge.language.domain.values.types import (
    Atom,
    AtomType,
    DateType,
    Item,
    ListType,
    OrderedType,
    SetType,
    TextType,
    Value,
)
from sopforge.seeds import LARGEST, draw_below

_SEED = 0


def draw_other_value(item: Field, value: Value | None, number: int) -> Value | None:
    """Return another value for a field, None where there is none; over many numbers, all kinds."""
    kind = item.type
    if isinstance(kind, ListType):
        other: Value | None = _draw_other_list(kind, value, number)
    else:
        other = _draw_other_atom(kind, item.name, number)
    return None if other == value else other


def _draw_other_atom(kind: AtomType, name: str, number: int) -> Atom | None:
    if isinstance(kind, TextType):
        return _draw_text(kind, name, number)
    low, high = kind.bounds
    span = high - low + 1
    if isinstance(kind, SetType):
        return _draw_set(len(kind.values), name, number)
    if not isinstance(kind, OrderedType):
        return low + number % span
    drawn = low + draw_below(span, _SEED, "other", name, number)
    draws: tuple[Callable[[], int], ...] = (
        lambda: drawn,
        lambda: low,
        lambda: high,
        lambda: min(_compute_month_end(drawn), high) if isinstance(kind, DateType) else drawn,
    )
    return draws[number % len(draws)]()


def _draw_set(size: int, name: str, number: int) -> int:
    """Return each label alone, then none, all, and drawn ones."""
    turn = number % (size + 4)
    if turn < size:
        return 1 << turn
    if turn == size:
        return 0
    return (
        (1 << size) - 1 if turn == size + 1 else draw_below(1 << size, _SEED, "other", name, number)
    )


def _draw_text(kind: TextType, name: str, number: int) -> str | None:
    shape = find_shape(kind)
    if shape is not None:
        return shape.build_text(draw_below(min(shape.size, LARGEST), _SEED, "other", name, number))
    return kind.pool[number % len(kind.pool)] if kind.pool else None


def _draw_other_list(kind: ListType, value: Value | None, number: int) -> tuple[Item, ...]:
    """Return the list without its last item, or with drawn ones: some, none or all of them."""
    given = value if isinstance(value, tuple) else ()
    turn, size = number % 4, kind.size
    if turn == 0 and given:
        return given[:-1]
    count = {1: size, 2: 0}.get(turn, 1 + draw_below(size, _SEED, "items", number))
    return tuple(_draw_item(kind, number * size + place) for place in range(count))


def _draw_item(kind: ListType, number: int) -> Item:
    found: dict[str, Atom] = {}
    for place, (name, part) in enumerate(kind.fields):
        # In steps of its own, or all fields of an item would be at their least at the same time.
        drawn = _draw_other_atom(part, name, number // (place + 1))
        found[name] = "x" if drawn is None else drawn
    return found


def _compute_month_end(day: int) -> int:
    found = date.fromordinal(day)
    return day - found.day + monthrange(found.year, found.month)[1]
