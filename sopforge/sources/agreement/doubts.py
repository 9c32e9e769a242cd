"""Doubts: in what a passage of a brief and the items that cite it differ."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """In what a passage and the items that cite it differ."""

    FIGURE = "figure"
    OWN_FIGURE = "own figure"
    LIMIT = "limit"
    DIRECTION = "direction"
    LABEL = "label"
    GIVEN_LABEL = "given label"
    CELL = "cell"
    EXCEPTION = "exception"
    DEFAULT = "default"
    EXCHANGED = "exchanged"
    ORDER = "order"
    PAIR = "pair"
    ANSWER = "answer"
    PRECEDENCE = "precedence"
    LISTED = "listed"
    SCOPE = "scope"
    REGARDLESS = "regardless"
    APART = "apart"
    SOLE = "sole"
    ABSENCE = "absence"
    UNSAID = "unsaid"
    UNREAD = "unread"
    SWAPPED = "swapped"
    LOST = "lost"
    TERM = "term"
    REST = "rest"


@dataclass(frozen=True, slots=True)
class Doubt:
    """A difference: the words of the brief, the items, what the one says and what the others do."""

    kind: Kind
    quoted: str
    items: tuple[str, ...]
    said: str
    held: str
