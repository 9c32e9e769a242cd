"""Limits in prose: on which side of a limit the figure itself is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from sopforge.sources.prose.quantities import Quantity


class Side(StrEnum):
    """Where a figure belongs to: what lies below the limit, or what lies above it.

    Of "more than 5" and "at most 5" it is the part below, of "at least 5" and "under 5" the part
    above: a rule and its opposite part the cases at the same place.
    """

    BELOW = "below"
    ABOVE = "above"


@dataclass(frozen=True, slots=True)
class Limit:
    """A quantity that is a limit, on which side it is itself, and whether more than it is meant."""

    quantity: Quantity
    side: Side
    is_upwards: bool
    words: str


_FILL = (
    r"(?:\s+(?:the|a|an|its|their|total|limit|amount|value|threshold|sum|age|period|score|of"
    r"|about|exactly|only|full|further|another|around|first)\b)*\s*(?:[€$£]|EUR|USD|GBP|CHF)?\s*$"
)
_BEFORE: tuple[tuple[str, Side, bool], ...] = (
    (
        (
            r"(?:no|not|never|nor) (?:more|greater|higher|longer|older|later|larger|heavier"
            r"|further) than"
        ),
        Side.BELOW,
        False,
    ),
    (
        (
            r"(?:no|not|never|nor) (?:less|fewer|lower|shorter|younger|earlier|smaller|lighter"
            r"|below|under) ?(?:than)?"
        ),
        Side.ABOVE,
        True,
    ),
    (
        (
            r"(?:more|greater|higher|longer|older|later|larger|bigger|heavier|further|farther|wider"
            r"|taller|faster|hotter|warmer)(?: \w+)? than"
        ),
        Side.BELOW,
        True,
    ),
    (
        (
            r"(?:less|fewer|lower|shorter|younger|earlier|smaller|lighter|nearer|closer|narrower|slower"
            r"|colder|cooler)(?: \w+)? than"
        ),
        Side.ABOVE,
        False,
    ),
    (r"(?:does|do|did|may|must|shall|can|is|are) ?not (?:to )?exceed", Side.BELOW, False),
    (r"exceed(?:s|ed|ing)?|in excess of|over|above|beyond|upwards? of", Side.BELOW, True),
    (r"under|below|short of|beneath", Side.ABOVE, False),
    (r"(?:up )?to,? but (?:not including|excluding)", Side.ABOVE, False),
    (
        (
            r"at least|minimum(?: of)?|reach(?:es|ed|ing)?|(?:is|are) at or above|from|starting at"
            r"|as of"
        ),
        Side.ABOVE,
        True,
    ),
    (
        (
            r"at most|maximum(?: of)?|up to(?: and including)?|at the most|(?:is|are) at or below"
            r"|within|capped at|limited to"
        ),
        Side.BELOW,
        False,
    ),
)
_DAY_BEFORE: tuple[tuple[str, Side, bool], ...] = (
    (r"on or before|by|until|till|no later than|(?:up )?to and including|up to", Side.BELOW, False),
    (r"on or after|from|since|starting(?: on)?|as of|as from", Side.ABOVE, True),
    (r"before|prior to|earlier than|(?:to|until|till),? but not including", Side.ABOVE, False),
    (r"after|later than", Side.BELOW, True),
)
_RANKED = re.compile(
    r"\b(?:stands?|ranks?|ranked|places?|positions?|list|queue)\b.*\b(?:lower|higher) than\b",
    re.IGNORECASE,
)
_COMPARING = re.compile(
    r"\b(?:than|at least|at most|exceed\w*|above|below|over|under|beyond)\b", re.IGNORECASE
)
_UNIT_WORDS = r"(?:[ -](?!(?:or|and)\b)[\w%€$£]+){0,3}?"
_AFTER: tuple[tuple[str, Side, bool], ...] = (
    (
        (
            r",? (?:or|and) (?:more|over|above|older|later|higher|longer|greater|larger|better"
            r"|upwards?|beyond|up|heavier)\b"
        ),
        Side.ABOVE,
        True,
    ),
    (
        (
            r",? (?:or|and) (?:less|fewer|under|below|younger|earlier|lower|shorter|smaller|down"
            r"|sooner|lighter)\b"
        ),
        Side.BELOW,
        False,
    ),
    (r"(?:,| at)? (?:at|as) (?:the )?(?:least|a minimum|minimum)\b", Side.ABOVE, True),
    (r"(?:,| at)? (?:at|as) (?:the )?(?:most|a maximum|maximum|latest)\b", Side.BELOW, False),
    (r" (?:minimum)\b", Side.ABOVE, True),
    (r" (?:maximum)\b", Side.BELOW, False),
    (r"\+(?!\w)", Side.ABOVE, True),
)
_PATTERNS = [
    (re.compile(rf"\b(?:{words}){_FILL}", re.IGNORECASE), side, upwards)
    for words, side, upwards in _BEFORE
]
_DAY_PATTERNS = [
    (re.compile(rf"\b(?:{words})(?:\s+the)?\s*$", re.IGNORECASE), side, upwards)
    for words, side, upwards in _DAY_BEFORE
]
_AFTER_PATTERNS = [
    (re.compile(rf"{_UNIT_WORDS}(?:{words})", re.IGNORECASE), side, upwards)
    for words, side, upwards in _AFTER
]
_RANGE_AFTER = re.compile(r"\s*(?:to|-|\u2013|and|through)\s*$")
_RANGE_BEFORE = re.compile(
    r"\b(?:from|between)(?:\s+the)?\s*(?:[€$£]|EUR|USD|GBP|CHF)?\s*$", re.IGNORECASE
)
_SOONER = re.compile(r"\b(?:earlier|later|sooner) than\b", re.IGNORECASE)
_BACK = re.compile(r"\s+(?:before|prior to|ahead of)\b", re.IGNORECASE)
_WINDOW = 60


def read_limits(text: str, quantities: Iterable[Quantity]) -> tuple[Limit, ...]:
    """Return those of a text's quantities that are limits, by the words around them.

    Both ends of a range are left out: whether they belong to it, prose seldom says.

    >>> from sopforge.sources.prose.quantities import read_quantities
    >>> text = "More than 5 kg, or 18 years or older."
    >>> [(item.side.value, item.is_upwards) for item in read_limits(text, read_quantities(text))]
    [('below', True), ('above', True)]
    """
    found = sorted(quantities, key=lambda item: item.start)
    ranged = set(_iterate_range_ends(text, found))
    return tuple(
        limit
        for item in found
        if item not in ranged
        and (limit := _read_limit(text, item, _find_next(item, found))) is not None
    )


def _iterate_range_ends(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    for one, other in pairwise(found):
        gap = text[one.end : other.start]
        if _RANGE_AFTER.fullmatch(gap) and (
            gap.strip() != "and" or _RANGE_BEFORE.search(text[: one.start])
        ):
            yield one
            yield other


@dataclass(frozen=True, slots=True)
class OpenLimit:
    """A limit that is no figure but a fact: the words of it, and the words for the fact."""

    words: str
    of: str
    side: Side
    is_upwards: bool


def iterate_open_limits(text: str) -> Iterator[OpenLimit]:
    """Yield the limits that facts are: "at least the volume of the load".

    >>> [(item.words, item.of) for item in iterate_open_limits("It is at least the fee paid.")]
    [('at least', 'the fee paid')]
    """
    taken: set[int] = set()
    for words, side, is_upwards in (*_BEFORE, *_DAY_BEFORE):
        # "Within the country" and "up to the gate" are no comparisons.
        for found in re.finditer(rf"\b(?:{words})\s+((?:the|its|their|his|her)\s[^,;:.()]*)", text):
            said = found[0][: -len(found[1])].strip()
            # "No lower than" is read once; who stands lower in a queue has a larger number.
            is_known = found.start(1) in taken or _RANKED.search(text)
            if _COMPARING.search(said) and not is_known:
                taken.add(found.start(1))
                yield OpenLimit(said, found[1], side, is_upwards)


def _find_next(item: Quantity, found: Iterable[Quantity]) -> int | None:
    """Return where the next quantity begins: words after it are its own."""
    return min((other.start for other in found if other.start >= item.end), default=None)


def _read_limit(text: str, item: Quantity, end: int | None) -> Limit | None:
    before = text[max(0, item.start - _WINDOW) : item.start]
    for pattern, side, upwards in _DAY_PATTERNS if item.is_day or _is_clock(item) else _PATTERNS:
        if found := pattern.search(before):
            words = f"{found[0].strip()} {item.text}"
            # "No earlier than 2 days before" the day is so many days before it, or fewer.
            if _SOONER.search(found[0]) and _BACK.match(text, item.end):
                opposite = Side.BELOW if side is Side.ABOVE else Side.ABOVE
                return Limit(item, opposite, not upwards, words)
            return Limit(item, side, upwards, words)
    after = text[item.end : end][:_WINDOW]
    for pattern, side, upwards in _AFTER_PATTERNS:
        found = pattern.match(after)
        # "One mast, at least 110 cm": the words before another figure are its own.
        if found and (end is None or text[item.end + found.end() : end].strip()):
            return Limit(item, side, upwards, f"{item.text}{found[0].rstrip()}")
    return None


def _is_clock(item: Quantity) -> bool:
    return bool(re.search(r":|[ap]\.?m|noon|midnight", item.text))
