"""Results of which a brief says which win over which, in a list of them or by a "not"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise

from sopforge.sources.agreement.label_mentions import list_mentions
from sopforge.sources.facts import Labels

_IN_THAT_ORDER = re.compile(
    r"\b(?:wins?|prevails?|counts?|ranks?|goe?s?|comes?|takes? precedence|appl(?:y|ies)|weighs?)"
    r" in (?:that|this|the (?:given|same|stated|following)) order\b"
    r"|\bin (?:that|this|the (?:given|same|stated|following)) order of"
    r" (?:precedence|priority|rank|weight)\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:that|which|who|whose) (?:is|are|was|were) not\W*$", re.IGNORECASE)
_IS = re.compile(r"\b(?:is|are|gets?|becomes?)\W*$", re.IGNORECASE)
_IN_CASES = re.compile(r"\W*(?:if|when|where|in (?:\w+ ){0,3}cases?)\b", re.IGNORECASE)
_STAYS = re.compile(r"\W*(?:stays?|remains?|is|are)(?: always| still)?\W*", re.IGNORECASE)
_THAT_IS = re.compile(r"\b(?:that|which|who|what|whatever) (?:is|are|was|were)\W*$", re.IGNORECASE)
_DOES_NOT = re.compile(
    r"\W*(?:(?:do|does|is|are|can|will|may)(?: not|n't)|cannot|never)\b[^,;:.]*$", re.IGNORECASE
)
_FEW, _TWO = 3, 2


def iterate_ranked(text: str, labels: Labels) -> Iterator[tuple[str, str]]:
    """Yield the labels of a statement that win over others, each with one over which it wins.

    >>> said = "It is red, amber or green, and they win in that order."
    >>> list(iterate_ranked(said, ("green", "amber", "red")))
    [('red', 'amber'), ('red', 'green'), ('amber', 'green')]
    >>> list(iterate_ranked("A lamp that is not red is amber if it blinks.", ("red", "amber")))
    [('red', 'amber')]
    """
    found = list_mentions(text, labels)
    order = list(dict.fromkeys(mention.label for mention in found))
    if _IN_THAT_ORDER.search(text) and len(order) >= _FEW:
        yield from combinations(order, _TWO)
        return
    for first, second in pairwise(found):
        between = text[first.end : second.start]
        if first.label == second.label and _STAYS.fullmatch(between):
            yield from ((first.label, other) for other in labels if other != first.label)
        if _THAT_IS.search(text[: first.start]) and _DOES_NOT.match(between):
            yield first.label, second.label
    if len(found) == len(order) == _TWO:
        first, second = found
        is_denied = _NOT.search(text[: first.start]) and _IS.search(text[: second.start])
        if is_denied and _IN_CASES.match(text, second.end):
            yield first.label, second.label
