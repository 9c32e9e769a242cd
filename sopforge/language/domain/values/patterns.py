"""Text patterns of fixed shape: literals and character classes with counts, as in ``P[0-9]{6}``.

A pattern is a mixed-radix number system: its texts are numbered from 0, so that a sampler can
pick one by number and a permutation of the numbers gives unique texts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from math import prod
from operator import contains

_PIECE = re.compile(
    r"(?:\[(?P<class>(?:[A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9 _.-])+)\]|(?P<literal>[A-Za-z0-9 @_.-]))"
    r"(?:\{(?P<count>[0-9]{1,2})\})?"
)
_RANGE = re.compile(r"([A-Za-z0-9])-([A-Za-z0-9])|(.)")
HINT = "use letters, digits, - _ . @ and classes such as [A-Z] or [0-9]{6}"


class PatternError(ValueError):
    """A pattern uses what cannot be numbered."""

    hint = HINT


@dataclass(frozen=True, slots=True)
class Pattern:
    """The alphabets of a text's positions."""

    alphabets: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many texts the pattern has."""
        return prod(len(alphabet) for alphabet in self.alphabets)

    def build_text(self, number: int) -> str:
        """Return the text of a number from 0 to ``size`` - 1; equal numbers give equal texts."""
        letters = []
        for alphabet in reversed(self.alphabets):
            number, digit = divmod(number, len(alphabet))
            letters.append(alphabet[digit])
        return "".join(reversed(letters))

    def has(self, text: str) -> bool:
        """Return whether the text is one of the pattern's."""
        return len(text) == len(self.alphabets) and all(map(contains, self.alphabets, text))

    def has_like(self, text: str) -> bool:
        """Return whether the text is one of the pattern's, in small letters or capitals."""
        either = [letters.lower() for letters in self.alphabets]
        return Pattern(tuple(either)).has(text.lower())

    def intersect(self, other: Pattern) -> Pattern:
        """Return the pattern of the texts that both have; its size is 0 where there is none."""
        if len(self.alphabets) != len(other.alphabets):
            # An alphabet without letters makes the size 0, whatever the others have.
            return Pattern(("",))
        pairs = zip(self.alphabets, other.alphabets, strict=True)
        return Pattern(tuple("".join(a for a in first if a in second) for first, second in pairs))

    def build_nearest_text(self, preferred: str) -> str:
        """Return the text with the first of the preferred letters that each position allows."""
        return "".join(
            next((letter for letter in preferred if letter in alphabet), alphabet[0])
            for alphabet in self.alphabets
        )


@cache
def read_pattern(text: str) -> Pattern:
    """Return the pattern that a text such as ``GRP[0-9]{6}`` describes.

    Raises:
        PatternError: the text uses more than literals, classes and counts.
    """
    alphabets: list[str] = []
    position = 0
    while position < len(text):
        piece = _PIECE.match(text, position)
        if piece is None:
            raise PatternError(f"'{text[position:]}' is not allowed in the pattern '{text}'")
        if piece["count"] and not int(piece["count"]):
            raise PatternError(f"'{piece[0]}' in the pattern '{text}' matches no text")
        alphabet = _parse_alphabet(piece["class"]) if piece["class"] else piece["literal"]
        alphabets.extend([alphabet] * int(piece["count"] or 1))
        position = piece.end()
    return Pattern(tuple(alphabets))


def _parse_alphabet(text: str) -> str:
    letters: list[str] = []
    for first, last, single in _RANGE.findall(text):
        codes = range(ord(first), ord(last) + 1) if first else (ord(single),)
        letters.extend(chr(code) for code in codes)
    if not letters:
        raise PatternError(f"the class [{text}] is empty")
    return "".join(dict.fromkeys(letters))
