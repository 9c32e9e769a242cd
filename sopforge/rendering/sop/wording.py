"""Sentences of one meaning in several wordings, chosen by a seed.

Only what surrounds a rule varies: each relation and each combination of rules has one wording.
A text says the same thing in the same words throughout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from sopforge.rendering.sop.frames import CONDITIONAL_WORDS, REST, build_conditional
from sopforge.seeds import draw_below

Option = TypeVar("Option")


class Conjunction(Enum):
    """How a sentence puts a condition and what follows from it together."""

    IF = CONDITIONAL_WORDS[0]
    AFTER = "if"

    def phrase_sentence(self, condition: str, result: str, *, is_open: bool) -> str:
        """Return the sentence; an open condition does not show by itself where it ends."""
        if self is Conjunction.AFTER:
            return f"{capitalize_text(result)} if {condition}."
        return self._put_ahead(condition, f"{result}.", then=" then" if is_open else "")

    def phrase_heading(self, opening: str, result: str) -> str:
        """Return the sentence before a list of conditions."""
        if self is Conjunction.AFTER:
            return f"{capitalize_text(result)} if {opening}:"
        return self._put_ahead(opening, f"{result}:", then="")

    def _put_ahead(self, condition: str, result: str, *, then: str) -> str:
        frame = build_conditional()
        return frame.render(word=self.value, condition=condition, then=then, result=result)


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
    def rest(self) -> str:
        """What introduces the case of all others."""
        return self.choose(REST, "rest")


FIRST = Wording()
"""The first wording of each sentence."""


def capitalize_text(text: str) -> str:
    """Return a text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def punctuate_items(parts: Sequence[str]) -> list[str]:
    """Return the entries of a list inside a sentence with their ends."""
    return [f"{part};" for part in parts[:-1]] + [f"{part}." for part in parts[-1:]]
