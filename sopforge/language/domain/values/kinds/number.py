"""Numbers: exact decimals, stored as integers of their last place."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, Self

from sopforge.language.domain.values.kinds.value_type import (
    AnyType,
    OrderedType,
    Value,
    require_integer,
)
from sopforge.session.score import read_number

WIDEST = 2**61
"""No number of a row is greater, so that sums of two are exact in 64 bits."""


@dataclass(frozen=True, slots=True)
class NumberType(OrderedType):
    """Exact decimals with ``places`` digits after the point; bounds are scaled integers."""

    name: ClassVar[str] = "number"
    noun: ClassVar[str] = "a number"
    sort: ClassVar[str] = "number"
    condition_hint: ClassVar[str] = (
        "compare it with a number or a policy constant, by == != < <= > or >="
    )

    places: int = 0
    unit: str = ""

    def encode(self, raw: object) -> int:
        return self.require_in_range(read_number(raw, self.places), raw)

    def to_cell(self, value: Value) -> str:
        return f"{Decimal(require_integer(value)).scaleb(-self.places):f}"

    def to_json(self, value: Value) -> int | float:
        return float(self.to_cell(value)) if self.places else require_integer(value)

    def is_like(self, other: AnyType) -> bool:
        return isinstance(other, NumberType)

    def widen(self) -> Self:
        return self.with_bounds(-WIDEST, WIDEST)

    def describe_answer(self) -> dict[str, object]:
        least, most = self.bound_cells
        return {"type": NumberType.name, "places": self.places, "least": least, "most": most}

    def build_schema(self) -> dict[str, Any]:
        low, high = (self.to_json(bound) for bound in self.bounds)
        return {"type": "number" if self.places else "integer", "minimum": low, "maximum": high}

    def build_tool_kind(self, name: str) -> tuple[str, tuple[object, ...], dict[str, object]]:
        if self.places:
            return "Number", (name, *self.bound_cells), {"places": self.places}
        return "Integer", (name, *self.bounds), {}
