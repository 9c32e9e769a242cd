"""What a tool answered, read from its process as if it were hostile."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import isinf
from typing import NoReturn, TypeAlias

from sopforge.errors import Fault
from sopforge.sandbox.child.answers import CONFINED, DEEPEST, FAULTS

JSON: TypeAlias = "bool | int | Decimal | str | list[JSON] | dict[str, JSON] | None"
"""What a tool answers; a number with a fraction or an exponent is an exact Decimal."""

JSONValue: TypeAlias = (
    "bool | int | float | Decimal | str | Sequence[JSONValue] | Mapping[str, JSONValue] | None"
)
"""What a tool may be called with; the tool sees a Decimal as the nearest float."""

Call: TypeAlias = tuple[str, Mapping[str, JSONValue]]


@dataclass(frozen=True, slots=True)
class Observation:
    """A tool answered with a value."""

    value: JSON


@dataclass(frozen=True, slots=True)
class Refusal:
    """A tool raised; ``code`` is the exception's own string ``code``, else its class name."""

    code: str
    message: str


Answer: TypeAlias = Observation | Refusal


_LONGEST_NUMBER = 4300
"""In digits, whatever this process's own Python would read; fractions have two dozen."""
_LARGEST_EXPONENT = 400
"""No float goes beyond it."""


class GarbledError(Exception):
    """A line is no reply to the request it stands for."""


def write_request(number: int, tool: str, arguments: Mapping[str, JSONValue]) -> bytes:
    """Return the line that asks for a call.

    Raises:
        ValueError: a number among the arguments is not finite.
        TypeError: an argument is of a type that JSON does not have.
    """
    return _ENCODE({"n": number, "tool": tool, "arguments": arguments}).encode() + b"\n"


def read_reply(line: bytes, number: int, place: str) -> Answer | Fault:
    """Return what the line says; ``place`` is whom to blame.

    Raises:
        GarbledError: it is no reply to the request of this number.
    """
    try:
        reply = _DECODE(line.decode())
    except (ValueError, RecursionError) as raised:
        raise GarbledError from raised
    if not isinstance(reply, dict) or type(reply.get("n")) is not int or reply["n"] != number:
        raise GarbledError
    match reply:
        case {"value": value}:
            found = "" if _is_surely_plain(line) else _flaw(value)
            return Observation(value) if not found else _not_json(found, place)
        case {"refusal": [str(code), str(message)]}:
            return Refusal(_legible(code), _legible(message))
        case {"fault": [str(code), str(), str(), str()] as parts} if code in _codes(number):
            return Fault(*map(_legible, parts))
        case _:
            raise GarbledError


def _codes(number: int) -> Collection[str]:
    """Return what can be told; only the reply before foreign code is entered blames the machine."""
    return {"sandbox-too-weak"} if number == CONFINED else FAULTS


def _is_surely_plain(line: bytes) -> bool:
    """Tell from the raw text that a value is shallow and has no surrogates, as most are."""
    depth = line.count(b"[") + line.count(b"{")
    return depth <= DEEPEST and b"\\ud" not in line and b"\\uD" not in line


def _flaw(value: JSON) -> str:
    """Return what keeps parsed JSON from being an answer: too deep, or text that is no text."""
    rest: list[tuple[JSON, int]] = [(value, 0)]
    while rest:
        part, depth = rest.pop()
        if depth >= DEEPEST and isinstance(part, list | dict):
            return f"the result is nested deeper than {DEEPEST} levels"
        match part:
            case str() if not part.isascii() and _legible(part) != part:
                return "the result holds half of a character (a lone surrogate)"
            case list():
                rest.extend((item, depth + 1) for item in part)
            case dict():
                rest.extend((item, depth + 1) for pair in part.items() for item in pair)
            case _:
                pass
    return ""


def _not_json(message: str, place: str) -> Fault:
    hint = "return null, bool, int, finite float, str, and lists and str-keyed dicts of these"
    return Fault("result-not-json", message, place, hint)


def _legible(text: str) -> str:
    return text.encode(errors="replace").decode()


def _as_plain(value: object) -> object:
    match value:
        case Decimal():
            return float(value)
        case Mapping():
            return dict(value)
        case Sequence():
            return list(value)
        case _:
            message = f"a tool cannot be called with a {type(value).__name__}"
            raise TypeError(message)


def _refuse_constant(name: str) -> NoReturn:
    message = f"{name} is not JSON"
    raise ValueError(message)


def _fraction(text: str) -> Decimal:
    """Return a number as a float's text has it; exact numbers that no float is near are refused."""
    try:
        exact = Decimal(text)
    except InvalidOperation as cause:  # an exponent that not even Decimal has
        raise ValueError(text) from cause
    if abs(exact.adjusted()) > _LARGEST_EXPONENT or isinf(float(text)):
        raise ValueError(text)
    return exact


def _whole(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        message = "an integer of too many digits"
        raise ValueError(message)
    return int(text)


_ENCODE = json.JSONEncoder(allow_nan=False, default=_as_plain).encode
_DECODE = json.JSONDecoder(
    parse_float=_fraction, parse_int=_whole, parse_constant=_refuse_constant
).decode
