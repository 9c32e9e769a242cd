"""The policy, the calendars and the days that rules name, as constants of a tools module."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sopforge.artifacts.rendering.tools.methods import wrap_text
from sopforge.artifacts.rendering.tools.source import collect_moments
from sopforge.language.domain.expressions.expressions import Expression, collect_named_constants
from sopforge.language.domain.model import DomainModel, PolicyConstant
from sopforge.language.domain.values.kinds.moment import render_day
from sopforge.language.domain.values.types import (
    MomentType,
    NumberType,
    require_integer,
)
from sopforge.language.logic.readings.python_source import PythonSource


@dataclass(frozen=True, slots=True)
class ModuleConstant:
    """A constant, its source, and what it means in words."""

    name: str
    source: str
    meaning: list[str]


def collect_policy_constants(
    model: DomainModel, expressions: Iterable[Expression]
) -> tuple[ModuleConstant, ...]:
    """Return the constants that some expressions use: calendars, policy, days and times."""
    given = list(expressions)
    used = frozenset().union(*map(collect_named_constants, given))
    calendars = [
        ModuleConstant(name.upper(), _render_days(calendar.holidays), wrap_text(meaning))
        for name, (calendar, meaning) in model.calendars.items()
        if name in used
    ]
    policy = [
        ModuleConstant(name.upper(), _render_constant(item), wrap_text(_describe_constant(item)))
        for name, item in model.policy.items()
        if name in used
    ]
    named = [
        ModuleConstant(name, kind.render_source(value), [])
        for name, (kind, value) in collect_moments(given).items()
    ]
    return (*calendars, *policy, *named)


def _render_constant(item: PolicyConstant) -> str:
    constant = item.constant
    if isinstance(constant.type, MomentType):
        return constant.type.render_source(require_integer(constant.value))
    if isinstance(constant.type, NumberType):
        return repr(constant.value)
    return PythonSource({}).visit_constant(constant)


def _describe_constant(item: PolicyConstant) -> str:
    kind = item.constant.type
    unit = f" {kind.unit}" if isinstance(kind, NumberType) and kind.unit else ""
    return f"{item.meaning}: {kind.to_cell(item.constant.value)}{unit}"


def _render_days(numbers: Iterable[int]) -> str:
    # A comma after each, for a tuple of one day needs it, and one of none must have none.
    return f"({' '.join(f'{render_day(number)},' for number in numbers)})"
