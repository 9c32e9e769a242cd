"""Prose of a brief in an SOP: whether what a person made of it still says the same.

No rule reads such prose, and so it is compared by its words: most of them have to be there, and all
that name something of the domain, count, bound, deny or say when.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from sopforge.domain.model import DomainModel
from sopforge.reading.note_words import count_words, has_same_measures

_REPLACED = 1
"""So many words at most have others in their place."""
_OVERLAP = 0.5
"""A text with such a share of the words of a piece, and of its own, is like it."""
_TURNS = frozenset(
    {"once", "until", "when", "already", "still", "yet", "instead", "addition", "even", "except"}
)
"""Words that say when, whether or in whose place."""
_PARTICLES = re.compile(
    r"(?<!\bwork )(?<!\bfind )(?<!\bcarry )(?<!\bset )(?<!\bsets )\b(?:out|off|back)\b"
)


def is_same_prose(model: DomainModel, text: str, known: str, own: str = "") -> bool:
    """Return whether a text says what a piece of the brief's prose says, maybe in other words.

    ``own`` is the label of what the prose is about: it may name it or not.
    """
    if text == known:
        return True
    said, meant = count_words(text), count_words(known)
    changed = {word.removeprefix("not ") for word in (said - meant) + (meant - said)}
    kept = (collect_terms(model) | set(count_words(" ".join(_TURNS)))) - set(count_words(own))
    has_same_particles = Counter(_PARTICLES.findall(text)) == Counter(_PARTICLES.findall(known))
    added, lost = (said - meant).total(), (meant - said).total()
    return (
        changed.isdisjoint(kept)
        and not any(re.search(r"\d", word) for word in changed)
        and lost <= added <= _REPLACED
        and has_same_particles
        and has_same_measures(text, known)
    )


def find_changed_prose(model: DomainModel, text: str, known: Iterable[str]) -> str | None:
    """Return the piece of prose that a text is like and that it says otherwise, None for none."""
    pieces = list(known)
    if any(is_same_prose(model, text, piece) for piece in pieces):
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
