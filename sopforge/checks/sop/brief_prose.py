"""Prose of a brief in an SOP: whether what a person made of it still says the same.

No rule reads such prose, and so it is compared by its words: all of them have to be there, or
others of the same meaning, and none besides.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from sopforge.domain.model import DomainModel
from sopforge.reading.note_words import count_words, has_same_measures, reword_constructions
from sopforge.reading.statements.comparison import is_in_same_order

_OVERLAP = 0.5
"""A text with such a share of the words of a piece, and of its own, is like it."""
_PARTICLES = re.compile(
    r"(?<!\bwork )(?<!\bfind )(?<!\bcarry )(?<!\bset )(?<!\bsets )(?<!\bleft )(?<!\bleave )\bout\b"
    r"|\b(?:off|back)\b"
)

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
    text, known = reword_constructions(text), reword_constructions(known)
    if text == known:
        return True
    said, meant = count_words(text), count_words(known)
    has_same_particles = Counter(_PARTICLES.findall(text)) == Counter(_PARTICLES.findall(known))
    return (
        not meant - said
        and (said - meant).keys() <= count_words(own).keys()
        and has_same_particles
        and has_same_measures(text, known)
        and has_same_scope(text, known)
        and is_in_same_order(text, known)
    )


def has_same_scope(text: str, known: str) -> bool:
    """Return whether two texts speak alike of this document, of both and of either, and of order.

    >>> has_same_scope("Transfers are covered by this procedure.", "They are covered by another.")
    False
    """
    is_here = len(_HERE.findall(text)) == len(_HERE.findall(known))
    return is_here and _count_both(text) == _count_both(known) and not _is_exchanged(text, known)


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


def collect_terms(model: DomainModel) -> frozenset[str]:
    """Return the words by which a domain names its fields, records and offices."""
    named = [
        *(item.label for item in model.fields.values()),
        *(name.replace("_", " ") for name in model.entities),
        *model.hand_overs,
        *(step.by for step in model.steps.values()),
    ]
    return frozenset(word for text in named for word in count_words(text))
