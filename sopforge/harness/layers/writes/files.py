"""All that was changed on the files of a session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.harness.environment.events import Called, Event
from sopforge.harness.layers.writes.rules import FILE_NUMBER, TAKES, Act
from sopforge.sandbox.answers import JSON
from sopforge.session.environment import write_json
from sopforge.session.layers import write_text


@dataclass(frozen=True, slots=True)
class FileChange:
    """What was done to a file: the act, and what it took besides the file, as texts."""

    act: Act
    values: tuple[str, ...] = ()


Journal: TypeAlias = tuple[FileChange, ...]
"""Every change of a file in a session, in order."""


def read_journals(acts: Mapping[str, Act], events: Iterable[Event]) -> dict[str, Journal]:
    """Return the journals of all files that were changed by calls, by the act of each tool."""
    found: dict[str, Journal] = {}
    for event in events:
        if not isinstance(event, Called) or event.tool not in acts or event.reply.refusal:
            continue
        act, given = acts[event.tool], event.arguments
        if act is not Act.LOOK:
            change = FileChange(act, tuple(write_value(given[name]) for name in TAKES[act]))
            number = write_value(given[FILE_NUMBER])
            found[number] = (*found.get(number, ()), change)
    return found


def write_value(value: JSON) -> str:
    """Return a value as a text: members of a list as a cell has them, all else as JSON."""
    return write_text(value, write_json)
