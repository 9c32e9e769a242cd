"""Date-times: minutes, counted from the first of year 1."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar, Self

from sopforge.language.domain.values.kinds.date import ANY_DAY, DateType
from sopforge.language.domain.values.kinds.moment import MomentType, render_day
from sopforge.language.domain.values.kinds.value_type import Value, require_integer
from sopforge.session.score import read_minute

MINUTES_A_DAY = 1_440
_EPOCH = datetime(1, 1, 1)  # noqa: DTZ001 - no zones
_MORNING = 10 * 60


@dataclass(frozen=True, slots=True)
class DateTimeType(MomentType):
    """A minute between two, both included, counted from the first of year 1; no time zone."""

    name: ClassVar[str] = "date and time"
    noun: ClassVar[str] = "a date and time"
    sort: ClassVar[str] = "time"
    condition_hint: ClassVar[str] = "compare it with another date and time, or write present(field)"
    number_hint: ClassVar[str] = (
        "use minutes_between(start, end) for a number, or date_of(time) for a date"
    )
    moment_hint: ClassVar[str] = "use date_of(time)"
    span: ClassVar[str] = "minutes"
    form: ClassVar[str] = "year-month-day hour:minute"
    tool_class: ClassVar[str] = "Minute"
    prefix: ClassVar[str] = "_AT"

    def to_cell(self, value: Value) -> str:
        return (_EPOCH + timedelta(minutes=require_integer(value))).isoformat(" ", "minutes")

    @classmethod
    def get_widest(cls) -> Self:
        return cls(0, ANY_DAY.maximum * MINUTES_A_DAY - 1)

    def read(self, raw: object) -> int:
        return read_minute(raw)

    def get_day(self, value: int) -> int:
        return value // MINUTES_A_DAY + 1

    def get_minutes(self, value: int) -> int | None:
        return value % MINUTES_A_DAY

    def place(self, day: int) -> int:
        return (day - 1) * MINUTES_A_DAY + _MORNING

    def render_source(self, value: int) -> str:
        hour, minute = divmod(value % MINUTES_A_DAY, 60)
        return f"({render_day(self.get_day(value))} - 1) * {MINUTES_A_DAY} + {hour} * 60 + {minute}"

    def build_schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}$"}

    def derive_day_type(self) -> DateType:
        """Return the type of the days."""
        return DateType(self.get_day(self.minimum), self.get_day(self.maximum))


ANY_MINUTE = DateTimeType.get_widest()
