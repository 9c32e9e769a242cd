"""Phrases: texts put together from lists of words, numbered as the texts of a pattern are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import prod


@dataclass(frozen=True, slots=True)
class Phrase:
    """Lists of words, one for each part of a text; the parts stand side by side.

    >>> Phrase((("Ann", "Eve"), (" ",), ("Hill", "Wood"))).build_text(2)
    'Eve Hill'
    """

    parts: tuple[tuple[str, ...], ...]

    @property
    def size(self) -> int:
        """How many texts the phrase has."""
        return prod(len(words) for words in self.parts)

    def build_text(self, number: int) -> str:
        """Return the text of a number from 0 to ``size`` - 1."""
        found = []
        for words in reversed(self.parts):
            number, place = divmod(number, len(words))
            found.append(words[place])
        return "".join(reversed(found))

    def has(self, text: str) -> bool:
        """Return whether the text is one of the phrase's."""
        # All places where a part can end are followed, for a word may begin another: Ann, Anna.
        ends = {0}
        for words in self.parts:
            known, lengths = _index_words(words)
            ends = {
                start + length
                for start in ends
                for length in lengths
                if text[start : start + length] in known and start + length <= len(text)
            }
        return len(text) in ends


@cache
def _index_words(words: tuple[str, ...]) -> tuple[frozenset[str], tuple[int, ...]]:
    return frozenset(words), tuple(sorted({len(word) for word in words}))
