"""Lists of items, of which all have the same fields."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from sopforge.language.domain.values.kinds.value_type import (
    AnyType,
    AtomType,
    Item,
    JsonAtom,
    Value,
)
from sopforge.session.score import compose_raw, read_item, read_items


@dataclass(frozen=True, slots=True)
class ListType(AnyType):
    """Up to ``size`` items of the same fields; ``empty`` is the word shown for no item."""

    name: ClassVar[str] = "list"
    noun: ClassVar[str] = "a list"
    sort: ClassVar[str] = "list"

    fields: tuple[tuple[str, AtomType], ...]
    size: int
    empty: str

    def find_field_type(self, name: str) -> AtomType | None:
        """Return the type of an item's field, None if items have no such field."""
        return dict(self.fields).get(name)

    def encode(self, raw: object) -> tuple[Item, ...]:
        readers = {name: part.encode for name, part in self.fields}
        items = read_items(self.size, self.empty, compose_raw(raw))
        return tuple(read_item(readers, item) for item in items)

    def to_cell(self, value: Value) -> str:
        return json.dumps(self.to_json(value), ensure_ascii=False) if value else self.empty

    def to_json(self, value: Value) -> list[dict[str, JsonAtom]]:
        return [
            {name: part.to_json(item[name]) for name, part in self.fields}
            for item in list_items(value)
        ]

    def widen(self) -> Self:
        """Return the type without the bounds of its items' fields."""
        return replace(self, fields=tuple((name, part.widen()) for name, part in self.fields))

    def describe_answer(self) -> dict[str, object]:
        parts = {name: part.describe_answer() for name, part in self.fields}
        return {"type": self.name, "fields": parts, "size": self.size, "empty": self.empty}


def list_items(value: Value | None) -> tuple[Item, ...]:
    """Return the items of a list; none where it is missing."""
    return value if isinstance(value, tuple) else ()
