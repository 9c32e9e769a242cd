"""Words of a text by their stems, so that a label and a sentence can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from snowballstemmer import stemmer

_STEMMER = stemmer("english")
_WORD = re.compile(r"[^\W\d_]+")
_SHARED = 5
_SMALL = frozenset(
    {
        *("a", "an", "and", "any", "are", "as", "at", "be", "been", "being", "both"),
        *("but", "by", "can", "could", "do", "does", "each", "either", "every", "for"),
        *("from", "had", "has", "have", "he", "her", "his", "how", "if", "in", "into"),
        *("is", "it", "its", "may", "more", "must", "no", "nor", "not", "of", "off"),
        *("on", "one", "only", "or", "other", "our", "out", "over", "own", "per", "she"),
        *("should", "so", "some", "such", "than", "that", "the", "their", "them", "then"),
        *("there", "these", "they", "this", "those", "to", "under", "until", "up"),
        *("upon", "us", "was", "we", "were", "what", "when", "where", "which", "while"),
        *("who", "whom", "whose", "will", "with", "within", "without", "would", "you"),
        *("your", "unless", "except", "case", "cases", "also", "less", "least", "most"),
        *("after", "before", "between", "during", "again", "already", "still", "yet"),
    }
)


@cache
def list_stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that carry meaning.

    >>> sorted(list_stems("The members are insured"))
    ['insur', 'member']
    """
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).replace("_", " ")
    words = [word.lower() for word in _WORD.findall(spaced)]
    return frozenset(
        _STEMMER.stemWord(word) for word in words if len(word) > 1 and word not in _SMALL
    )


@cache
def list_stems_in_order(text: str) -> tuple[tuple[str, int, int], ...]:
    """Return the stems of all words of a text in order, each with where its word stands.

    >>> list_stems_in_order("On hold")
    (('on', 0, 2), ('hold', 3, 7))
    """
    return tuple(
        (_STEMMER.stemWord(found[0].lower()), found.start(), found.end())
        for found in _WORD.finditer(text)
    )


def has_shared_word(one: Iterable[str], other: Iterable[str]) -> bool:
    """Return whether two sets of stems have one in common, or two that begin alike."""
    first, second = frozenset(one), frozenset(other)
    if first & second:
        return True
    heads = {word[:_SHARED] for word in second if len(word) >= _SHARED}
    return any(word[:_SHARED] in heads for word in first if len(word) >= _SHARED)
