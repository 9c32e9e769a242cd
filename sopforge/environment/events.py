"""What happens in a session: calls with their replies, and what an agent says."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from sopforge.sandbox.answers import JSON, JSONValue, as_json, as_text, replace_surrogates

UNKNOWN_TOOL = "unknown_tool"
TOOL_FAULT = "tool_fault"
"""The tool gave no answer at all: it hung, died, or answered what is no JSON."""
DEEPEST = 64
"""How deep values of an argument may lie within each other; no tool takes any of such depth."""
Arguments: TypeAlias = Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a call is answered: a result, or a refusal's code with its words."""

    result: JSON = None
    refusal: str = ""
    message: str = ""

    def as_text(self) -> str:
        """Return what an agent reads: the result as JSON, or the code and the words."""
        if self.refusal:
            # Tools that SOPForge writes begin their words with the code.
            said = self.message.removeprefix(f"{self.refusal}: ")
            return f"{self.refusal}: {said}"
        return as_text(self.result)


@dataclass(frozen=True, slots=True)
class Called:
    """An agent called a tool."""

    tool: str
    arguments: Arguments
    reply: Reply


@dataclass(frozen=True, slots=True)
class Said:
    """An agent said something that is no call and no answer.

    ``reply`` is what a user said to it, empty where nobody heard it. Where the user speaks first,
    the text is empty.
    """

    text: str
    reply: str = ""


Event: TypeAlias = Called | Said


def make_arguments(given: Mapping[str, JSONValue]) -> Arguments:
    """Return arguments as they would be read from JSON, with U+FFFD for half of a character.

    Raises:
        TypeError: a name is no text, or a value is of a type that JSON does not have.
        ValueError: a number is not finite, or values lie within each other too deeply to be logged.
    """
    names: Iterable[object] = given
    if unnamed := [name for name in names if not isinstance(name, str)]:
        raise TypeError(f"the name of a parameter is a text, not {type(unnamed[0]).__name__}")
    require_loggable(given.values())
    return {name: as_json(item) for name, item in replace_in_arguments(given).items()}


def replace_in_arguments(given: Mapping[str, JSONValue]) -> dict[str, JSONValue]:
    """Return arguments in their own types, with U+FFFD for half of a character."""
    return {replace_surrogates(name): _replace_in(item) for name, item in given.items()}


def _replace_in(value: JSONValue) -> JSONValue:
    match value:
        case str():
            return replace_surrogates(value)
        case Mapping():
            return replace_in_arguments(value)
        case None | bool() | int() | float() | Decimal():
            return value
        case _:
            return [_replace_in(item) for item in value]


def require_loggable(values: Iterable[object], left: int = DEEPEST) -> None:
    """Raise ``ValueError`` where a number is not finite, or values lie too deeply."""
    if not left:
        raise ValueError(f"values lie within each other more than {DEEPEST} deep")
    for value in values:
        if isinstance(value, float | Decimal) and not math.isfinite(value):
            raise ValueError(f"{value} is not JSON")
        if isinstance(value, Mapping):
            require_loggable(value.values(), left - 1)
        elif isinstance(value, list | tuple):
            require_loggable(value, left - 1)


def write_events(events: Iterable[Event]) -> str:
    """Return events as one JSON array, which ``read_events`` reads."""
    return "[" + ", ".join(as_text(_as_record(event)) for event in events) + "]"


def write_log(head: Mapping[str, object], events: Iterable[Event]) -> str:
    """Return the line of a session in a log: what it is known by, then its events."""
    begun = json.dumps(head, ensure_ascii=False).removesuffix("}")
    # The events as they are written: read as JSON, numbers would lose their places.
    return f'{begun}, "events": {write_events(events)}}}'


def read_events(text: str) -> tuple[Event, ...]:
    """Return the events that ``write_events`` wrote."""
    return tuple(read_event(entry) for entry in json.loads(text, parse_float=Decimal))


def _as_record(event: Event) -> JSON:
    if isinstance(event, Said):
        return {"said": event.text, **({"user": event.reply} if event.reply else {})}
    reply = event.reply
    answered: dict[str, JSON] = (
        {"refusal": reply.refusal, "message": reply.message}
        if reply.refusal
        else {"result": reply.result}
    )
    return {"tool": event.tool, "arguments": dict(event.arguments), **answered}


def read_event(entry: dict[str, Any]) -> Event:
    """Return the event of one entry of that array, its fractions read as decimals."""
    if "said" in entry:
        return Said(entry["said"], entry.get("user", ""))
    reply = Reply(entry.get("result"), entry.get("refusal", ""), entry.get("message", ""))
    return Called(entry["tool"], entry["arguments"], reply)
