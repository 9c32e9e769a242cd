"""The kinds that hold values of other kinds: lists, missing values, values taken as stated."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sopforge.artifacts.rendering.tools.parts.refusals import ToolRefusal, composed, invalid


class ItemList:
    """A list of items with the same fields; ``empty`` stands for none in a cell."""

    def __init__(self, name: str, size: int, empty: str, fields: Mapping[str, Any]) -> None:
        self.name = name
        self.size = size
        self.empty = empty
        self.fields = fields
        self.allowed = f"a list of at most {size} objects, each with {', '.join(fields)}"

    def check(self, value: object) -> tuple[dict[str, Any], ...]:
        if not isinstance(value, list) or len(value) > self.size:
            raise invalid(self.name, value, self.allowed, [] if value == self.empty else None)
        return tuple(self.item(given) for given in value)

    def item(self, value: object) -> dict[str, Any]:
        """Return one item, checked."""
        if not isinstance(value, dict) or value.keys() != self.fields.keys():
            raise invalid(f"an item of {self.name}", value, f"an object of {self.allowed}")
        return {part: kind.check(value[part]) for part, kind in self.fields.items()}

    def read(self, cell: str) -> tuple[dict[str, Any], ...]:
        return () if cell == self.empty else self.check(json.loads(cell))

    def write(self, value: tuple[dict[str, Any], ...]) -> list[dict[str, Any]]:
        parts = self.fields.items()
        return [{part: kind.write(item[part]) for part, kind in parts} for item in value]


class OrMissing:
    """A value of another kind or none, for which ``word`` stands in cells and calls."""

    def __init__(self, kind: Any, word: str) -> None:
        self.kind = kind
        self.word = word

    def check(self, value: object) -> Any:
        return None if composed(value) == self.word else self.kind.check(value)

    def read(self, cell: str) -> Any:
        return None if cell == self.word else self.kind.read(cell)

    def write(self, value: Any) -> Any:
        return self.word if value is None else self.kind.write(value)


class AsStated:
    """A value that callers hand on as it was stated: no refusal hints at what was meant."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind

    def check(self, value: object) -> Any:
        try:
            return self.kind.check(value)
        except ToolRefusal as refusal:
            raise ToolRefusal(refusal.code, refusal.fault) from None

    def read(self, cell: str) -> Any:
        return self.kind.read(cell)

    def write(self, value: Any) -> Any:
        return self.kind.write(value)
