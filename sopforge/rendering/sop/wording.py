"""Sentences of one meaning in several wordings, chosen by a seed.

Only what surrounds a rule varies: each relation and each combination of rules has one wording.
A text says the same thing in the same words throughout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from sopforge.seeds import draw_below

Option = TypeVar("Option")


class Frame(Enum):
    """How a sentence puts a condition and what follows from it together."""

    IF = "If"
    WHERE = "Where"
    WHEN = "When"
    AFTER = "if"

    def phrase_sentence(self, condition: str, result: str, *, is_open: bool) -> str:
        """Return the sentence; an open condition does not show by itself where it ends."""
        if self is Frame.AFTER:
            return f"{capitalize_text(result)} if {f'({condition})' if is_open else condition}."
        return f"{self.value} {condition},{' then' if is_open else ''} {result}."

    def phrase_heading(self, opening: str, result: str) -> str:
        """Return the sentence before a list of conditions."""
        if self is Frame.AFTER:
            return f"{capitalize_text(result)} if {opening}:"
        return f"{self.value} {opening}, {result}:"


ALL_HOLD = "all of the following hold"
ANY_HOLDS = "any of the following holds"


@dataclass(frozen=True, slots=True)
class Wording:
    """Chooses wordings; without a seed the first one always stands."""

    seed: int | None = None

    def choose(self, options: Sequence[Option], what: str) -> Option:
        """Return how the text says something; equal seeds give equal options."""
        if self.seed is None:
            return options[0]
        return options[draw_below(len(options), self.seed, "wording", what)]

    @property
    def frame(self) -> Frame:
        """How the conditional sentences of the text are put."""
        return self.choose(tuple(Frame), "frame")

    @property
    def rest(self) -> str:
        """What introduces the case of all others."""
        return self.choose(("In every other case", "In all other cases", "Otherwise"), "rest")


FIRST = Wording()
"""The first wording of each sentence."""


def capitalize_text(text: str) -> str:
    """Return a text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def punctuate_items(parts: Sequence[str]) -> list[str]:
    """Return the entries of a list inside a sentence with their ends."""
    return [f"{part};" for part in parts[:-1]] + [f"{part}." for part in parts[-1:]]
