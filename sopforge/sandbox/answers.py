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
from sopforge.session.environment import replace_surrogates, write_json

JSON: TypeAlias = "bool | int | Decimal | str | list[JSON] | dict[str, JSON] | None"
"""What a tool answers; a number with a fraction or an exponent is an exact Decimal."""

Scalar: TypeAlias = bool | int | Decimal | str
"""A value of an answer that holds no others."""

JSONValue: TypeAlias = (
    "bool | int | float | Decimal | str | Sequence[JSONValue] | Mapping[str, JSONValue] | None"
)
"""What a tool may be called with; the tool sees a Decimal as the nearest float."""

Call: TypeAlias = tuple[str, Mapping[str, JSONValue]]


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """A tool answered with a value; equal to another only where the JSON is the same."""

    value: JSON

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and is_same(self.value, other.value)

    def __hash__(self) -> int:
        return hash(as_text(self.value))


@dataclass(frozen=True, slots=True)
class Refusal:
    """A tool raised; ``code`` is the exception's own string ``code``, else its class name."""

    code: str
    message: str


Answer: TypeAlias = Observation | Refusal
as_text = write_json


_LONGEST_NUMBER = 4300
"""In digits, whatever this process's own Python would read; fractions have two dozen."""
_LARGEST_EXPONENT = 400
"""No float goes beyond it."""


def is_same(one: JSON, other: JSON) -> bool:
    """Return whether two values are the same JSON: 43, 43.0, "43" and true are four values.

    Numbers with a fraction are the same if all their places are; the order of keys is no matter.
    """
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, Decimal) and isinstance(other, Decimal):
        # Equal numbers are not enough: 12.5 and 12.50 differ in their places.
        return one.compare_total(other) == 0
    return one == other


def as_json(value: JSONValue) -> JSON:
    """Return a value as it is read from JSON: a float as the exact number that its text names."""
    match value:
        case float():
            # By its text: made of the float itself, 0.1 would have 55 places.
            return Decimal(repr(value))
        case Mapping():
            return {name: as_json(item) for name, item in value.items()}
        case None | bool() | int() | Decimal() | str():
            return value
        case _:
            return [as_json(item) for item in value]


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
    # Exactly an int, for true is equal to 1.
    if not isinstance(reply, dict) or type(reply.get("n")) is not int or reply["n"] != number:
        raise GarbledError
    match reply:
        case {"value": value}:
            # To count brackets in the text is far cheaper than to walk through the value.
            found = "" if _is_surely_plain(line) else _find_flaw(value)
            return Observation(value) if not found else _make_not_json_fault(found, place)
        case {"refusal": [str(code), str(message)]}:
            return Refusal(replace_surrogates(code), replace_surrogates(message))
        case {"fault": [str(code), str(), str(), str()] as parts} if code in _list_allowed_codes(
            number
        ):
            return Fault(*map(replace_surrogates, parts))
        case _:
            raise GarbledError


def _list_allowed_codes(number: int) -> Collection[str]:
    """Return the codes a reply may have; only the one before foreign code blames the machine."""
    return {"sandbox-too-weak"} if number == CONFINED else FAULTS


def _is_surely_plain(line: bytes) -> bool:
    """Return whether the raw text shows that a value is shallow and has no surrogates."""
    depth = line.count(b"[") + line.count(b"{")
    return depth <= DEEPEST and b"\\ud" not in line and b"\\uD" not in line


def _find_flaw(value: JSON) -> str:
    """Return what keeps parsed JSON from being an answer: too deep, or text that is no text."""
    # With a list of its own, for the nesting that is looked for may be deeper than calls can be.
    rest: list[tuple[JSON, int]] = [(value, 0)]
    while rest:
        part, depth = rest.pop()
        if depth >= DEEPEST and isinstance(part, list | dict):
            return f"the result is nested deeper than {DEEPEST} levels"
        match part:
            case str() if not part.isascii() and replace_surrogates(part) != part:
                return "the result holds half of a character (a lone surrogate)"
            case list():
                rest.extend((item, depth + 1) for item in part)
            case dict():
                rest.extend((item, depth + 1) for pair in part.items() for item in pair)
            case _:
                pass
    return ""


def _make_not_json_fault(message: str, place: str) -> Fault:
    hint = "return null, bool, int, finite float, str, and lists and str-keyed dicts of these"
    return Fault("result-not-json", message, place, hint)


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


def _parse_fraction(text: str) -> Decimal:
    """Return a number as a float's text has it; exact numbers that no float is near are refused."""
    try:
        exact = Decimal(text)
    except InvalidOperation as cause:  # an exponent that not even Decimal has
        raise ValueError(text) from cause
    # Decimal reads 1e999999, and it would fail later, wherever it is handed on as a float.
    if abs(exact.adjusted()) > _LARGEST_EXPONENT or isinf(float(text)):
        raise ValueError(text)
    return exact


def _parse_integer(text: str) -> int:
    # Python's own limit can be switched off, and many digits take long to read.
    if len(text) > _LONGEST_NUMBER:
        message = "an integer of too many digits"
        raise ValueError(message)
    return int(text)


_ENCODE = json.JSONEncoder(allow_nan=False, default=_as_plain).encode
_DECODE = json.JSONDecoder(
    parse_float=_parse_fraction, parse_int=_parse_integer, parse_constant=_refuse_constant
).decode
