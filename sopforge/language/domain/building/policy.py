"""Policy and calendars: documents become constants and holidays."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

from sopforge.language.domain.building.field_parts.labels import check_name
from sopforge.language.domain.building.fields import require_valid_bounds
from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.documents.model_schema import CalendarDocument, PolicyDocument
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.expressions.expressions import Constant
from sopforge.language.domain.expressions.operators import Calendar
from sopforge.language.domain.model import PolicyConstant
from sopforge.language.domain.values.kinds.duration import read_duration
from sopforge.language.domain.values.types import (
    ANY_DAY,
    ANY_MINUTE,
    DurationType,
    MomentType,
    NumberType,
    OrderedType,
    ValueNotAllowedError,
    require_integer,
    scale_decimal,
)


def build_policy(
    gathering: Gathering, documents: dict[str, PolicyDocument]
) -> dict[str, PolicyConstant]:
    """Return the named constants that could be built."""
    policy = {}
    for name, document in documents.items():
        path: Path = ("policy", name)
        check_name(gathering, path, name)
        constant = gathering.try_build(path, partial(_build_policy_constant, name, document))
        if constant is not None:
            policy[name] = constant
    return policy


def build_calendars(
    gathering: Gathering, documents: dict[str, CalendarDocument]
) -> dict[str, Calendar]:
    """Return the calendars, their holidays as day numbers in order."""
    calendars = {}
    for name, document in documents.items():
        path: Path = ("calendars", name)
        check_name(gathering, path, name)
        days = gathering.try_build(path, partial(_list_holidays, document))
        if days is not None:
            calendars[name] = Calendar(name, days, is_only=len(documents) == 1)
    return calendars


def _list_holidays(document: CalendarDocument) -> tuple[int, ...]:
    return tuple(sorted({require_integer(ANY_DAY.encode(day)) for day in document.holidays}))


def _build_policy_constant(name: str, document: PolicyDocument) -> PolicyConstant:
    if isinstance(document.value, str):
        read = _read_policy_text(document.value)
        return PolicyConstant(Constant(read, read.minimum, name), document.meaning)
    # A constant is as exact as it is written: 12.50 has two places, and texts show both.
    places = max(0, -int(Decimal(document.value).as_tuple().exponent))
    value = scale_decimal(str(document.value), places)
    kind = require_valid_bounds(NumberType(value, value, places, document.unit))
    return PolicyConstant(Constant(kind, value, name), document.meaning)


def _read_policy_text(text: str) -> OrderedType:
    """Return the type of a duration, a date or a date and time alone."""
    minutes = read_duration(text)
    if minutes is not None:
        return require_valid_bounds(DurationType(minutes, minutes))
    widest: MomentType = ANY_MINUTE if ":" in text else ANY_DAY
    try:
        value = require_integer(widest.encode(text))
    except ValueNotAllowedError as cause:
        message = (
            f"'{text}' is no number, date (2026-03-31), time (2026-03-31 14:05) or duration"
            " (1 hour and 30 minutes)"
        )
        hint = "write only one of these, and put the unit of a number under 'unit'"
        raise ValueNotAllowedError(message, hint) from cause
    return widest.with_bounds(value, value)
