"""What every type of values knows of itself, so that others need not know the types.

A new type derives from one of these classes: from ``AtomType`` if nothing else fits, from
``ScalarType`` if each of its values is one integer and shown as one word, and from ``OrderedType``
if these have an order. Numbers and points in time are such; see ``NumberType`` and ``MomentType``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeAlias

from sopforge.session.score import require_in_range

Atom: TypeAlias = int | str
Item: TypeAlias = Mapping[str, Atom]
Value: TypeAlias = Atom | tuple[Item, ...]
JsonAtom: TypeAlias = str | int | float | list[str]
Json: TypeAlias = JsonAtom | list[dict[str, JsonAtom]]


class AnyType(ABC):
    """A type of values: which there are, and how they are written and read.

    ``name`` stands where people and programs read of columns, ``noun`` in messages. The lexicon of
    English has its ``sort`` of phrases. The hints say what to write where a condition or a number
    is needed, and not such a value.
    """

    __slots__ = ()
    name: ClassVar[str]
    noun: ClassVar[str]
    sort: ClassVar[str]
    condition_hint: ClassVar[str] = ""
    number_hint: ClassVar[str] = ""
    moment_hint: ClassVar[str] = ""

    @abstractmethod
    def encode(self, raw: object) -> Value:
        """Return the stored form of a value as written in YAML, in a CSV cell or in JSON.

        However letters with marks are written, they are the same letters.

        Raises:
            ValueNotAllowedError: the value is not one of the type.
        """

    @abstractmethod
    def to_cell(self, value: Value) -> str:
        """Return the value as a person reads it, and as a CSV cell holds it."""

    def to_json(self, value: Value) -> Json:
        """Return the value as a tool parameter or result carries it."""
        return self.to_cell(value)

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest stored integer; (0, 0) where values are none."""
        return 0, 0

    def describe_answer(self) -> dict[str, object]:
        """Return what a scorer outside of SOPForge has to know to read a value."""
        return {"type": self.name}

    def widen(self) -> Self:
        """Return the type without its bounds, itself where it has none."""
        return self


class AtomType(AnyType):
    """A type whose values are no lists of items, so that items can have them."""

    __slots__ = ()

    @abstractmethod
    def encode(self, raw: object) -> Atom: ...

    def to_json(self, value: Value) -> JsonAtom:
        return self.to_cell(value)


class ScalarType(AtomType):
    """A type of which each integer from one bound to the other is a value, shown as one word."""

    __slots__ = ()

    @abstractmethod
    def encode(self, raw: object) -> int: ...

    @abstractmethod
    def build_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the values."""

    @abstractmethod
    def build_tool_kind(self, name: str) -> tuple[str, tuple[object, ...], dict[str, object]]:
        """Return the class by which tools check a value of a name, and what that is given."""


@dataclass(frozen=True, slots=True)
class OrderedType(ScalarType):
    """Integers with an order on which all works that compares, moves or draws values."""

    minimum: int
    maximum: int

    @property
    def bounds(self) -> tuple[int, int]:
        return self.minimum, self.maximum

    @property
    def bound_cells(self) -> tuple[str, str]:
        """The bounds as people read them."""
        return self.to_cell(self.minimum), self.to_cell(self.maximum)

    def with_bounds(self, low: int, high: int) -> Self:
        """Return the type with other bounds."""
        return replace(self, minimum=low, maximum=high)

    def is_like(self, other: AnyType) -> bool:
        """Return whether values of both types can be compared."""
        return type(self) is type(other)

    def join(self, other: OrderedType) -> Self:
        """Return the type of the values of both."""
        low, high = min(self.minimum, other.minimum), max(self.maximum, other.maximum)
        return self.with_bounds(low, high)

    @abstractmethod
    def widen(self) -> Self: ...

    def describe_answer(self) -> dict[str, object]:
        least, most = self.bound_cells
        return {"type": self.name, "least": least, "most": most}

    def require_in_range(self, value: int, raw: object) -> int:
        """Return a value that lies between the bounds.

        Raises:
            ValueNotAllowedError: it does not.
        """
        if self.minimum <= value <= self.maximum:
            return value
        return require_in_range(value, self.bounds, self.bound_cells, raw)


def require_integer(value: Value) -> int:
    """Return a value that is known to be an integer."""
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is not an integer")
    return value
