"""What layers do alike in sessions: calls and tools by their names, and what is drawn of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import sha256

from sopforge.sandbox.answers import JSONValue, as_json, as_text


def name_call(tool: str, arguments: Mapping[str, JSONValue]) -> str:
    """Return the name by which equal calls of a tool go."""
    given = {name: as_json(arguments[name]) for name in sorted(arguments)}
    return f"{tool} {as_text(given)}"


def find_free_name(name: str, taken: Collection[str]) -> str:
    """Return a name that is not taken, with a number where it has to be."""
    number = 1
    while (found := name if number == 1 else f"{name}{number}") in taken:
        number += 1
    return found


def draw_in_session(limit: int, *key: object) -> int:
    """Return a number below a limit, as a package draws it by itself in its sessions."""
    text = "|".join(map(str, key))
    return int(sha256(text.encode()).hexdigest()[:12], 16) % limit
