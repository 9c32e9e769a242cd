"""Labels: yes or no, one of several named values, or any of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from sopforge.language.domain.values.kinds.value_type import (
    AtomType,
    ScalarType,
    Value,
    require_integer,
)
from sopforge.session.score import (
    BOOLEAN_WORDS,
    SET_SEPARATOR,
    compose_raw,
    read_boolean,
    read_label,
    read_set,
)


@dataclass(frozen=True, slots=True)
class BooleanType(ScalarType):
    """Yes or no."""

    name: ClassVar[str] = "yes or no"
    noun: ClassVar[str] = "a yes/no value"
    sort: ClassVar[str] = "answer"

    def encode(self, raw: object) -> int:
        return read_boolean(compose_raw(raw))

    def to_cell(self, value: Value) -> str:
        return BOOLEAN_WORDS[require_integer(value)]

    @property
    def bounds(self) -> tuple[int, int]:
        return 0, 1

    def build_schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(BOOLEAN_WORDS)}

    def build_tool_kind(self, name: str) -> tuple[str, tuple[object, ...], dict[str, object]]:
        return "YesOrNo", (name,), {}


@dataclass(frozen=True, slots=True)
class EnumType(ScalarType):
    """One of the named values, which may stand in an order, from the lowest to the highest."""

    name: ClassVar[str] = "label"
    noun: ClassVar[str] = "a label"
    sort: ClassVar[str] = "label"
    condition_hint: ClassVar[str] = "compare it: status == 'A', or status in ['A', 'B']"

    values: tuple[str, ...]
    is_ordered: bool = False

    def encode(self, raw: object) -> int:
        return read_label(self.values, compose_raw(raw))

    def to_cell(self, value: Value) -> str:
        return self.values[require_integer(value)]

    @property
    def bounds(self) -> tuple[int, int]:
        return 0, len(self.values) - 1

    def describe_answer(self) -> dict[str, object]:
        return {"type": self.name, "labels": list(self.values)}

    def build_schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.values)}

    def build_tool_kind(self, name: str) -> tuple[str, tuple[object, ...], dict[str, object]]:
        return "Label", (name, *self.values), {}


@dataclass(frozen=True, slots=True)
class SetType(AtomType):
    """Any subset of the named values; ``empty`` is the word shown for none of them."""

    name: ClassVar[str] = "set of labels"
    noun: ClassVar[str] = "a set"
    sort: ClassVar[str] = "set"
    condition_hint: ClassVar[str] = "write 'A' in field, count(field) > 0, or field <= other"

    values: tuple[str, ...]
    empty: str

    def encode(self, raw: object) -> int:
        return read_set(self.values, self.empty, compose_raw(raw))

    def to_cell(self, value: Value) -> str:
        return SET_SEPARATOR.join(list_set_members(self, value)) or self.empty

    def to_json(self, value: Value) -> list[str]:
        return list_set_members(self, value)

    @property
    def bounds(self) -> tuple[int, int]:
        return 0, (1 << len(self.values)) - 1

    def describe_answer(self) -> dict[str, object]:
        return {"type": self.name, "labels": list(self.values), "empty": self.empty}


def list_set_members(kind: SetType, value: Value) -> list[str]:
    """Return the labels whose bits are set, in declared order."""
    return [label for bit, label in enumerate(kind.values) if require_integer(value) >> bit & 1]
