"""Texts ranked by the words that they share with a query: of more worth, the fewer texts have them.

It needs nothing but the standard library, and nothing in it depends on chance, time or place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import isqrt

_WORD = re.compile(r"[a-z0-9]+")
_IN_TITLE, _IN_TEXT = 2, 1
_SCALE = 10_000


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, numbers included."""
    return _WORD.findall(text.lower())


def index_texts(texts: Iterable[tuple[int, str, str]]) -> dict[str, dict[int, int]]:
    """Return for each word the numbers of the texts that have it, with more for their titles.

    Texts are given by their numbers, titles and words.
    """
    index: dict[str, dict[int, int]] = {}
    for number, title, text in texts:
        for word in split_words(text):
            index.setdefault(word, {})[number] = _IN_TEXT
        for word in split_words(title):
            index.setdefault(word, {})[number] = _IN_TITLE
    return index


def rank_texts(
    index: Mapping[str, Mapping[int, int]], size: int, query: str, most: int
) -> list[int]:
    """Return the numbers of the texts that fit a query best, at most so many, the best first.

    ``size`` is how many texts there are. Of texts that fit alike, the lower number comes first.
    """
    scores: dict[int, int] = {}
    for word in sorted(set(split_words(query))):
        found = index.get(word, {})
        worth = isqrt(_SCALE * size // len(found)) if found else 0
        for number, place in found.items():
            scores[number] = scores.get(number, 0) + worth * place
    return sorted(scores, key=lambda number: (-scores[number], number))[:most]
