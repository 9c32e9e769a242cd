"""Dates: calendar days, stored as day numbers (proleptic Gregorian ordinals)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar, Self

from sopforge.language.domain.values.kinds.moment import MomentType, render_day
from sopforge.language.domain.values.kinds.value_type import Value, require_integer
from sopforge.session.score import read_day


@dataclass(frozen=True, slots=True)
class DateType(MomentType):
    """A calendar day between two day numbers, both included."""

    name: ClassVar[str] = "date"
    noun: ClassVar[str] = "a date"
    sort: ClassVar[str] = "day"
    condition_hint: ClassVar[str] = "compare it with another date, or write present(field)"
    number_hint: ClassVar[str] = (
        "use days_between(start, end) for a number, or add_days(date, 1) for a date"
    )
    moment_hint: ClassVar[str] = (
        "dates have no time: use add_days or days_between, or declare the field with"
        " 'type: datetime'"
    )
    span: ClassVar[str] = "days"
    form: ClassVar[str] = "year-month-day"
    tool_class: ClassVar[str] = "Day"
    prefix: ClassVar[str] = "_ON"

    def to_cell(self, value: Value) -> str:
        return date.fromordinal(require_integer(value)).isoformat()

    @classmethod
    def get_widest(cls) -> Self:
        return cls(1, date.max.toordinal())

    def read(self, raw: object) -> int:
        return read_day(raw)

    def get_day(self, value: int) -> int:
        return value

    def get_minutes(self, value: int) -> int | None:  # noqa: ARG002 - a day has none
        return None

    def place(self, day: int) -> int:
        return day

    def render_source(self, value: int) -> str:
        return render_day(value)

    def build_schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "date", "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}


ANY_DAY = DateType.get_widest()
