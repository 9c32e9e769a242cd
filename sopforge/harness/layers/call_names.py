"""What layers do alike in sessions: calls and tools by their names."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sopforge.sandbox.answers import JSONValue
from sopforge.session import layers
from sopforge.session.environment import write_json


def name_call(tool: str, arguments: Mapping[str, JSONValue]) -> str:
    """Return the name by which equal calls of a tool go."""
    return layers.name_call(write_json, tool, arguments)


def find_free_name(name: str, taken: Collection[str]) -> str:
    """Return a name that is not taken, with a number where it has to be."""
    number = 1
    while (found := name if number == 1 else f"{name}{number}") in taken:
        number += 1
    return found
