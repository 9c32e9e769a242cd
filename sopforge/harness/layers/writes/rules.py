"""The rules by which the results of a case are entered on its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from sopforge.harness.scoring.trajectories import read_answer
from sopforge.session import layers

ANY_VALUE = ""
"""Stands for all values in the place of a label, where a result has no labels."""


class Act(StrEnum):
    """What can be done about a file, by the name that its tool has where nothing else has it."""

    LOOK = layers.LOOK
    NOTE = layers.NOTE
    REOPEN = layers.REOPEN
    RESERVE = layers.RESERVE
    ENTER = layers.ENTER
    RELEASE = layers.RELEASE


FILE_NUMBER, DESK, REASON, RESULT, VALUE = "file", "desk", "reason", "result", "value"
TAKES: Mapping[Act, tuple[str, ...]] = MappingProxyType(
    {act: layers.TAKES.get(act, ()) for act in Act}
)
"""What the tool of each act takes besides the number of a file."""


class FileStanding(StrEnum):
    """How a file stands."""

    FREE = layers.FREE
    RESERVED = layers.RESERVED
    CLOSED = layers.CLOSED


@dataclass(frozen=True, slots=True)
class Status:
    """How a file stands, and which desk has reserved it: none where it is not reserved."""

    standing: FileStanding
    desk: str = ""


FREE = Status(FileStanding.FREE)


@dataclass(frozen=True, slots=True)
class FilingRules:
    """What is entered, in which order, and what a file asks for that is not free.

    ``tools`` has the name of the tool for each act. ``results`` are the results that are entered,
    each with the word by which it is stated where no step determined it, empty where it always is.
    ``reasons`` has the code with which a closed file is reopened, by the cell of ``primary``.
    """

    tools: Mapping[Act, str]
    results: Mapping[str, str]
    primary: str
    reasons: Mapping[str, str]

    def list_entries(self, statement: str) -> list[tuple[str, str]]:
        """Return the results of a statement that are entered, in their order, with their cells."""
        stated = read_answer(statement)
        return [
            (name, stated[name])
            for name, undetermined in self.results.items()
            if name in stated and not (undetermined and stated[name] == undetermined)
        ]

    def find_reason(self, statement: str) -> str:
        """Return the code with which a closed file is reopened, empty where there is none."""
        cell = read_answer(statement).get(self.primary, "")
        return self.reasons.get(cell, self.reasons.get(ANY_VALUE, ""))


def iterate_acts(
    rules: FilingRules, status: Status, statement: str
) -> Iterator[tuple[Act, tuple[str, ...]]]:
    """Yield what the rules ask for about a file, each act with what it takes besides the file.

    Where a case has no results, nothing is done.
    """
    if rules.primary not in read_answer(statement):
        return
    if status.standing is FileStanding.RESERVED:
        yield Act.NOTE, (status.desk,)
        return
    if status.standing is FileStanding.CLOSED:
        yield Act.REOPEN, (rules.find_reason(statement),)
    yield Act.RESERVE, ()
    for name, cell in rules.list_entries(statement):
        yield Act.ENTER, (name, cell)
    yield Act.RELEASE, ()
