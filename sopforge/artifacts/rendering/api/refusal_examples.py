"""Refusals as the tools word them, made by the very code that the tools consist of."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from sopforge.artifacts.rendering.refusal_codes import list_compared_fields, list_refusal_codes
from sopforge.artifacts.rendering.tools.kinds import Built, build_kind, takes_missing
from sopforge.artifacts.rendering.tools.library import MODULES, PARTS
from sopforge.artifacts.rendering.tools.parts.records import mismatch, unfit, unknown_record
from sopforge.artifacts.rendering.tools.parts.refusals import ToolRefusal
from sopforge.language.domain.fields import Field
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.tool_checks import INVALID_PARAMETER, UNKNOWN_RECORD
from sopforge.language.domain.values.patterns import read_pattern
from sopforge.language.domain.values.types import (
    BooleanType,
    EnumType,
    ListType,
    MomentType,
    NumberType,
    SetType,
    TextType,
    ValueType,
)
from sopforge.language.logic.tool_calls import RECORD_MISMATCH


def build_refusal_messages(model: DomainModel, tool: Tool) -> Mapping[str, Mapping[str, str]]:
    """Return messages with which a tool refuses, by code and by what is wrong with the call."""
    said = {
        code: _build_code_messages(model, tool, code) for code in list_refusal_codes(model, tool)
    }
    return {code: messages for code, messages in said.items() if messages}


def _build_code_messages(model: DomainModel, tool: Tool, code: str) -> Mapping[str, str]:
    if code == INVALID_PARAMETER:
        return {**_build_missing_message(tool), **_build_wrong_value_messages(model, tool)}
    if code == UNKNOWN_RECORD:
        return _build_unknown_key_messages(model, tool)
    if code == RECORD_MISMATCH:
        return {"another_value": mismatch(list_compared_fields(model, tool)[0]).message}
    failing = [check for check in list_guard_checks(tool.guard) if check.refusal == code]
    return {f"guard_{check.id}": " ".join(check.says.split()) for check in failing}


def _build_missing_message(tool: Tool) -> Mapping[str, str]:
    given = dict.fromkeys(tool.takes[:-1], "")
    return {"missing_parameter": unfit(tool.name, tool.takes, given).message}


def _build_wrong_value_messages(model: DomainModel, tool: Tool) -> Mapping[str, str]:
    """Return the refusal of a wrong value for each parameter."""
    found = {}
    for item in model.list_tool_parameters(tool):
        kind = _build(build_kind(item, with_missing=takes_missing(item, tool)))
        try:
            kind.check(make_wrong_value(item.type))  # type: ignore[attr-defined]  # every kind has it
        except ToolRefusal as refusal:
            found[f"wrong_{item.name}"] = refusal.message
    return found


def make_wrong_value(kind: ValueType) -> object:  # noqa: PLR0911 - one case per type
    """Return a value that callers may well give and that is none of the type."""
    match kind:
        case NumberType():
            return kind.to_json(kind.maximum + 1)
        case BooleanType():
            return True
        case EnumType(values):
            return next((v.lower() for v in values if not v.islower()), values[0].upper())
        case SetType():
            return list(kind.values[:1]) * 2
        case MomentType():
            return kind.bound_cells[0].replace("-", "/")
        case TextType(pattern=pattern):
            return f"{read_pattern(pattern).build_text(0)} " if pattern else ""
        case ListType():
            return kind.empty
        case _:
            raise TypeError(f"nothing is known to be no value of {kind!r}")


def _build_unknown_key_messages(model: DomainModel, tool: Tool) -> Mapping[str, str]:
    found = {}
    for entity in model.list_entities_read(tool):
        key = _make_unlikely_key(model.fields[entity.key])
        found[f"unknown_{entity.name}"] = unknown_record(entity.name, entity.key, key).message
    return found


def _make_unlikely_key(item: Field) -> str:
    """Return the last text of a key's pattern."""
    pattern = read_pattern(getattr(item.type, "pattern", ""))
    return pattern.build_text(pattern.size - 1)


def _build(value: object) -> object:
    """Return the object that the tools have for a kind."""
    if isinstance(value, dict):
        return {name: _build(part) for name, part in value.items()}
    if not isinstance(value, Built):
        return value
    modules = (import_module(f"{PARTS}.{name}") for name in MODULES)
    of = next(vars(module)[value.of] for module in modules if value.of in vars(module))
    given = [_build(part) for part in value.given]
    return of(*given, **{name: _build(part) for name, part in value.named.items()})
