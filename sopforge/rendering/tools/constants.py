"""The policy, the calendars and the days that rules name, as constants of a tools module."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from sopforge.domain.language.expressions import Expression, constants_named
from sopforge.domain.model import DomainModel, PolicyConstant
from sopforge.domain.values.types import (
    MINUTES_A_DAY,
    DateTimeType,
    DateType,
    NumberType,
    ValueType,
    to_cell,
    whole,
)
from sopforge.logic.readings.python_source import PythonSource
from sopforge.rendering.tools.methods import wrapped
from sopforge.rendering.tools.source import moments


@dataclass(frozen=True, slots=True)
class ModuleConstant:
    """A constant, its source, and what it means in words."""

    name: str
    source: str
    meaning: list[str]


def policy_constants(
    model: DomainModel, expressions: Iterable[Expression]
) -> tuple[ModuleConstant, ...]:
    """Return the constants that some expressions use: calendars, policy, days and times."""
    given = list(expressions)
    used = frozenset().union(*map(constants_named, given))
    calendars = [
        ModuleConstant(name.upper(), _days(calendar.holidays), wrapped(meaning))
        for name, (calendar, meaning) in model.calendars.items()
        if name in used
    ]
    policy = [
        ModuleConstant(name.upper(), _source(item), wrapped(_meaning(item)))
        for name, item in model.policy.items()
        if name in used
    ]
    named = [
        ModuleConstant(name, moment_source(kind, value), [])
        for name, (kind, value) in moments(given).items()
    ]
    return (*calendars, *policy, *named)


def moment_source(kind: ValueType, value: int) -> str:
    """Return the source of a day or a time as tools hold it."""
    if isinstance(kind, DateType):
        return _day(value)
    day, minutes = divmod(value, MINUTES_A_DAY)
    return f"({_day(day + 1)} - 1) * 1440 + {minutes // 60} * 60 + {minutes % 60}"


def _source(item: PolicyConstant) -> str:
    constant = item.constant
    if isinstance(constant.type, DateType | DateTimeType):
        return moment_source(constant.type, whole(constant.value))
    if isinstance(constant.type, NumberType):
        return repr(constant.value)
    return PythonSource({}).constant(constant)


def _meaning(item: PolicyConstant) -> str:
    kind = item.constant.type
    unit = f" {kind.unit}" if isinstance(kind, NumberType) and kind.unit else ""
    return f"{item.meaning}: {to_cell(kind, item.constant.value)}{unit}"


def _days(numbers: Iterable[int]) -> str:
    return f"({', '.join(map(_day, numbers))},)"


def _day(number: int) -> str:
    found = date.fromordinal(number)
    return f"date({found.year}, {found.month}, {found.day}).toordinal()"
