"""Prose of a brief in an SOP: whether what a person made of it still says the same.

No rule reads such prose, and so it is compared by its words: all of them have to be there, or
others of the same meaning, and none besides.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from sopforge.reading.note_words import count_words, find_stem, is_same_note
from sopforge.reading.statements.comparison import parse
from sopforge.reading.statements.restatement import is_reordered, is_restated
from sopforge.reading.statements.small_words import has_same_small_words
from sopforge.reading.statements.statement import Chunk
from sopforge.reading.statements.times import has_same_times
from sopforge.reading.statements.verb_forms import has_same_verbs
from sopforge.reading.statements.word_order import has_same_order

_OVERLAP = 0.5
"""A text with such a share of the words of a piece, and of its own, is like it."""
_HERE = re.compile(r"\bthis (?:one|procedure|document|policy|instruction|sop)\b", re.IGNORECASE)
"""What a sentence says of the document itself, such as what it covers."""

_COMPARED = re.compile(
    r"\b(?:older|younger|earlier|later|more|less|fewer|higher|lower|larger|smaller|longer|shorter"
    r"|before|after|above|below|over|under|first|last|former|latter)\b",
    re.IGNORECASE,
)


def is_same_prose(text: str, known: str, own: str = "") -> bool:
    """Return whether a text says what a piece of the brief's prose says, maybe in other words.

    ``own`` is the label of what the prose is about: it may name it or not.
    """
    if text == known:
        return True
    stems = frozenset(find_stem(word) for word in own.split())
    return is_restated(text, known, stems) and has_same_times(text, known)


def is_same_general(text: str, known: str) -> bool:
    """Return whether a text says what a sentence that every SOP has says, maybe in other words.

    Of such sentences it is known, beyond their construction, in which words people put them.

    >>> is_same_general("Days are counted from the first on.", "Days count from the second on.")
    False
    """
    return is_same_prose(text, known) or (
        is_same_note(text, known)
        and has_same_times(text, known)
        and has_same_small_words(text, known)
        and has_same_verbs(text, known)
        and not is_reordered(text, known)
    )


def has_same_sense(text: str, known: str) -> bool:
    """Return whether two texts speak alike of this document, of both, of order, of time and owners.

    >>> has_same_sense("Transfers are covered by this procedure.", "They are covered by another.")
    False
    """
    is_here = len(_HERE.findall(text)) == len(_HERE.findall(known))
    return (
        is_here
        and _count_both(text) == _count_both(known)
        and not _is_exchanged(text, known)
        and has_same_times(text, known)
        and has_same_small_words(text, known)
        and has_same_verbs(text, known)
        and _has_same_clauses(text, known)
    )


def _has_same_clauses(text: str, known: str) -> bool:
    """Return whether each of several clauses has its own words, where both texts have several."""
    said, meant = parse(text), parse(known)
    if min(len(said.chunks), len(meant.chunks)) <= 1:
        return True
    return has_same_order(said, meant) and _is_divided_alike(said.chunks, meant.chunks)


def _is_divided_alike(said: Sequence[Chunk], meant: Sequence[Chunk]) -> bool:
    """Return whether words that stand in one clause do so again, where there are as many clauses.

    What begins a clause is left out: verbs move.
    """
    if len(said) != len(meant):
        return True
    places = [_index_clauses(chunks) for chunks in (said, meant)]
    shared = sorted(places[0].keys() & places[1].keys())
    return all(
        (places[0][one] == places[0][other]) == (places[1][one] == places[1][other])
        for one, other in combinations(shared, 2)
    )


def _index_clauses(chunks: Sequence[Chunk]) -> dict[str, int]:
    """Return the clause of each word that a text has once, but for those that begin one."""
    counts = Counter(token for chunk in chunks for token in chunk.tokens)
    return {
        token: place
        for place, chunk in enumerate(chunks)
        for token in chunk.tokens[1:]
        if counts[token] == 1
    }


def _count_both(text: str) -> Counter[str]:
    return Counter(re.findall(r"\b(?:both|either)\b", text.lower()))


def _is_exchanged(text: str, known: str) -> bool:
    """Return whether two texts compare by the same words, but not in the same order."""
    said, meant = (_COMPARED.findall(one.lower()) for one in (text, known))
    return said != meant and sorted(said) == sorted(meant)


def find_changed_prose(text: str, known: Iterable[str]) -> str | None:
    """Return the piece of prose that a text is like and that it says otherwise, None for none."""
    pieces = list(known)
    if any(is_same_prose(text, piece) for piece in pieces):
        return None
    return next(iter(find_like_prose(text, pieces)), None)


def find_like_prose(text: str, known: Iterable[str]) -> list[str]:
    """Return the piece of prose that has most words with a text in common, [] for too few."""
    said = count_words(text)
    shares = []
    for piece in known:
        meant = count_words(piece)
        longer = max(said.total(), meant.total())
        shares.append(((said & meant).total() / longer if longer else 0, piece))
    best = max(shares, default=(0, ""))
    return [best[1]] if best[0] >= _OVERLAP else []
