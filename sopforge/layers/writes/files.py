"""The files of a session as a value: how each stands, and all that was changed on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from sopforge.domain.values.types import SET_SEPARATOR
from sopforge.environment.events import Called, Event
from sopforge.layers.writes.rules import FILE_NUMBER, FREE, TAKES, Act, Standing, Status
from sopforge.sandbox.answers import JSON, as_text

OWN_DESK = "this desk"


@dataclass(frozen=True, slots=True)
class Change:
    """What was done to a file: the act, and what it took besides the file, as texts."""

    act: Act
    values: tuple[str, ...] = ()


Journal: TypeAlias = tuple[Change, ...]
"""Every change of a file in a session, in order."""


@dataclass(frozen=True, slots=True)
class CaseFile:
    """How a file stands, and its journal."""

    status: Status = FREE
    journal: Journal = ()

    def change(self, change: Change) -> CaseFile:
        """Return the file after a change. It is carried out, whatever the rules say of it."""
        status = {
            Act.REOPEN: FREE,
            Act.RESERVE: Status(Standing.RESERVED, OWN_DESK),
            Act.RELEASE: Status(Standing.CLOSED),
        }.get(change.act, self.status)
        return replace(self, status=status, journal=(*self.journal, change))


Files: TypeAlias = Mapping[str, CaseFile]
"""The files that were changed, by their numbers."""


def read_journals(acts: Mapping[str, Act], events: Iterable[Event]) -> dict[str, Journal]:
    """Return the journals of all files that were changed by calls, by the act of each tool."""
    found: dict[str, Journal] = {}
    for event in events:
        if not isinstance(event, Called) or event.tool not in acts or event.reply.refusal:
            continue
        act, given = acts[event.tool], event.arguments
        if act is not Act.LOOK:
            change = Change(act, tuple(write_value(given[name]) for name in TAKES[act]))
            number = write_value(given[FILE_NUMBER])
            found[number] = (*found.get(number, ()), change)
    return found


def write_value(value: JSON) -> str:
    """Return a value as a text: members of a list as a cell has them, all else as JSON."""
    if isinstance(value, list):
        return SET_SEPARATOR.join(map(write_value, value))
    return value if isinstance(value, str) else as_text(value)
