"""Calls as graders compare them: tools by the procedure's names, arguments as values."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TypeAlias

from sopforge.domain.model import DomainModel
from sopforge.domain.tasks import GoldCall
from sopforge.domain.values.types import ValueNotAllowedError
from sopforge.environment.events import Called
from sopforge.sandbox.answers import JSONValue, as_json

Made: TypeAlias = tuple[str, dict[str, object], str]
"""A call: its tool, its arguments as values, and the code of its refusal."""


def resolve_call(model: DomainModel, event: Called) -> Made:
    """Return a call under the name by which the procedure knows the tool."""
    name = resolve_tool(model, event.tool)
    return name, read_arguments(model, event.arguments), event.reply.refusal


def resolve_tool(model: DomainModel, name: str) -> str:
    """Return the name by which the procedure knows a tool, that of an unknown one as it is."""
    tool = model.tools.get(name)
    return tool.same_as or tool.name if tool else name


def read_gold_call(model: DomainModel, call: GoldCall) -> Made:
    """Return a gold call as calls are compared."""
    return call.tool, read_arguments(model, call.arguments), call.refusal


def read_arguments(model: DomainModel, given: Mapping[str, JSONValue]) -> dict[str, object]:
    """Return arguments as values of their fields, what is none of these as it was given."""
    return {name: _read_argument(model, name, value) for name, value in given.items()}


def _read_argument(model: DomainModel, name: str, value: JSONValue) -> object:
    if name in model.fields:
        with suppress(ValueNotAllowedError):
            return model.fields[name].parse(value)
    # In a list, which no value is: 1 is no label, and the number by which one is held.
    return [as_json(value)]
