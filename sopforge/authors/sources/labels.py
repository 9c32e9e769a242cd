"""Where a text names the labels of a field."""

from __future__ import annotations

from sopforge.authors.sources.facts import Labels
from sopforge.morphology import list_stems


def find_labels(text: str, labels: Labels) -> frozenset[str]:
    """Return the labels that a text names, by the stems of their words; the longest label counts.

    A label of one letter is no word, and labels of the same stems cannot be distinguished: of these
    none is named.

    >>> sorted(find_labels("Declined after manual review.", ("decline", "review", "manual review")))
    ['decline', 'manual review']
    """
    stems = {label: list_stems(label) for label in labels if len(label) > 1}
    words = list_stems(text)
    found: set[str] = set()
    place = 0
    while place < len(words):
        here = [label for label, of in stems.items() if of and words[place:][: len(of)] == of]
        longest = max((len(stems[label]) for label in here), default=1)
        named = [label for label in here if len(stems[label]) == longest]
        found |= set(named) if len(named) == 1 else set()
        place += longest
    return frozenset(found)
