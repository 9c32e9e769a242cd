"""Which JSON values a tool takes as a parameter: the strict reading that tools are held to."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel, Tool, ToolKind
from sopforge.language.domain.tool_checks import INVALID_PARAMETER
from sopforge.language.domain.values.malformed_inputs import is_malformed
from sopforge.language.domain.values.types import (
    BOOLEAN_WORDS,
    AtomType,
    BooleanType,
    ListType,
    NumberType,
    SetType,
    TextType,
    Value,
    ValueNotAllowedError,
    ValueType,
)
from sopforge.language.logic.tool_calls import Frame, Refused
from sopforge.session.score import compose_raw

LONGEST_TEXT = 200


class NoValueError(ValueError):
    """A JSON value is none of the parameter's field."""


def parse_parameter(item: Field, tool: Tool, raw: object) -> Value | None:
    """Return the value that a tool is given; None for the word of a missing one.

    Raises:
        NoValueError: it is no value of the field, or not written as tools want it.
    """
    raw = compose_raw(raw)
    if item.missing and tool.kind is ToolKind.LOOKUP and raw == item.missing:
        return None
    kind = item.type
    if not _has_form(kind, raw):
        raise NoValueError
    try:
        value = kind.encode(raw)
    except ValueNotAllowedError as cause:
        raise NoValueError from cause
    if is_malformed(kind, value):
        raise NoValueError
    return value


def parse_call(model: DomainModel, tool: Tool, raw: Mapping[str, object]) -> Frame | Refused:
    """Return the arguments of a call, or the refusal of what a tool does not take."""
    if raw.keys() != set(tool.takes):
        return Refused(INVALID_PARAMETER, "its parameters are not those of the tool")
    items = model.list_tool_parameters(tool)
    try:
        return {item.name: parse_parameter(item, tool, raw[item.name]) for item in items}
    except NoValueError:
        return Refused(INVALID_PARAMETER, "a parameter has no value of its kind")


def _has_form(kind: ValueType, raw: object) -> bool:
    """Return whether a value is in the type's JSON form; cells are read less strictly."""
    if not isinstance(kind, ListType):
        return _has_atom_form(kind, raw)
    fields = dict(kind.fields)
    return isinstance(raw, list) and all(
        isinstance(item, dict)
        and item.keys() == fields.keys()
        and all(_has_atom_form(part, item[name]) for name, part in fields.items())
        for item in raw
    )


def _has_atom_form(kind: AtomType, raw: object) -> bool:
    match kind:
        case NumberType():
            return _is_number(raw)
        case SetType():
            return _is_set(raw)
        case BooleanType():
            return isinstance(raw, str) and raw in BOOLEAN_WORDS
        case TextType():
            return isinstance(raw, str) and bool(raw.strip()) and len(raw) <= LONGEST_TEXT
        case _:
            return isinstance(raw, str)


def _is_number(raw: object) -> bool:
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return False
    # Python's JSON has NaN and Infinity too.
    try:
        return Decimal(str(raw)).is_finite()
    except (InvalidOperation, ValueError):
        return False


def _is_set(raw: object) -> bool:
    if not isinstance(raw, list) or not all(isinstance(label, str) for label in raw):
        return False
    return len(set(raw)) == len(raw)
