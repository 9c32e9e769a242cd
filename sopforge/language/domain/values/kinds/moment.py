"""Points in time, counted in whole days or minutes."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar, Self

from sopforge.language.domain.values.kinds.value_type import OrderedType


@dataclass(frozen=True, slots=True)
class MomentType(OrderedType):
    """Points in time between two, both included, without a time zone.

    They are counted in the unit ``span`` and written in the ``form``. ``tool_class`` checks them in
    tools, where ``prefix`` begins the names of those that rules name.
    """

    span: ClassVar[str]
    form: ClassVar[str]
    tool_class: ClassVar[str]
    prefix: ClassVar[str]

    @classmethod
    @abstractmethod
    def get_widest(cls) -> Self:
        """Return the type of all points in time that can be written."""

    @abstractmethod
    def read(self, raw: object) -> int:
        """Return the number of a point in time, whatever the bounds."""

    @abstractmethod
    def get_day(self, value: int) -> int:
        """Return the day number of the day on which a value lies."""

    @abstractmethod
    def get_minutes(self, value: int) -> int | None:
        """Return the minutes since midnight, None where there is no time of day."""

    @abstractmethod
    def place(self, day: int) -> int:
        """Return a value on a day, in the morning if it has a time of day."""

    @abstractmethod
    def render_source(self, value: int) -> str:
        """Return the source of a value as tools hold it."""

    def encode(self, raw: object) -> int:
        return self.require_in_range(self.read(raw), raw)

    def widen(self) -> Self:
        return self.get_widest()

    @abstractmethod
    def build_schema(self) -> dict[str, Any]: ...

    def build_tool_kind(self, name: str) -> tuple[str, tuple[object, ...], dict[str, object]]:
        return self.tool_class, (name, *self.bound_cells), {}

    def name_constant(self, value: int) -> str:
        """Return the name of the constant for a value in tools: ``_ON_2026_03_01``."""
        digits = self.to_cell(value).replace("-", "_").replace(" ", "_").replace(":", "")
        return f"{self.prefix}_{digits}"


def render_day(number: int) -> str:
    """Return the source of a day number."""
    found = date.fromordinal(number)
    return f"date({found.year}, {found.month}, {found.day}).toordinal()"
