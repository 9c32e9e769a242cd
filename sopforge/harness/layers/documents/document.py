"""A document of a handbook: its text, for whom it is, since when it holds, and where it leads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class DocumentStanding(StrEnum):
    """What a document is among those of its subject."""

    RULE = "rule"
    SUPERSEDED = "superseded"
    LATER = "later"
    """It is drawn up for a day to come."""
    PAPER = "paper"
    """It is for information, and decides nothing."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document under its number.

    ``owner`` is the desk whose rule it is, or the office whose paper. ``in_force`` is the document
    that took the place of a superseded one, or holds until a later one does; 0 where there is none.
    ``goes_on`` has the rest of a passage that was cut, ``follows`` what comes after a whole one.
    ``references`` are the documents of the passages that the text names, by ``name_passage``.
    """

    number: int
    title: str
    owner: str
    edition: int
    since: str
    lines: tuple[str, ...]
    standing: DocumentStanding = DocumentStanding.RULE
    in_force: int = 0
    goes_on: int = 0
    follows: int = 0
    references: Mapping[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text of the document."""
        return "\n".join(self.lines)

    def is_binding(self, desk: str, today: str) -> bool:
        """Return whether a document binds a desk on a day, by what it says of itself."""
        # Days as texts, year first, are in the order of the days.
        return self.standing is DocumentStanding.RULE and self.owner == desk and self.since <= today


@dataclass(frozen=True, slots=True)
class Opened:
    """A document as it is opened: all that agents see of it."""

    number: int
    title: str
    holds: str
    text: str
    refers_to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EntryPage:
    """What whoever works by a handbook knows at first.

    ``first`` is the document in which the text of the procedure begins, ``start`` the one in which
    the work on a case does, and those of ``always`` hold for each case besides.
    """

    desk: str
    today: str
    search: str
    open: str
    first: int
    start: int
    always: tuple[int, ...] = ()
