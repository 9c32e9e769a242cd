"""Words by which something counts only where it stands alone: "the only reason", "alone"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sopforge.sources.prose.markers import split_clauses

_COUNTS = {
    word: number
    for number, word in enumerate(
        ("three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=3
    )
}
_ONLY = re.compile(
    r"\b(?:the|its|their|his|her|a) (?:only|sole) (?:(?:reason|ground|cause|thing|fault|defect"
    r"|objection|obstacle|shortcoming|failure|error|problem)\b"
    rf"|one of (?:all |the |these |those |its )*({'|'.join(_COUNTS)}|\d+)\b)",
    re.IGNORECASE,
)
_BECAUSE = (
    r"(?:on account of|because of|owing to|due to|by reason of|for reasons of|on the grounds? of"
    r"|on the strength of)"
)
_ALONE = re.compile(
    rf"\b{_BECAUSE} (?P<one>[^,;:.()]+?) (?:alone|only)\b"
    rf"|\b(?:solely|merely|only|purely|just) {_BECAUSE} (?P<other>[^,;:.()]+)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:no|not|never|nobody|no one|none|nothing|neither|nor|cannot)\b|n't\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Sole:
    """That something counts only where it stands alone: the clause, and what stands alone.

    ``of`` is among how many it does, where that is said. One that ``is_denied`` is not enough by
    itself: "nobody is turned away on account of age alone".
    """

    said: str
    what: str
    of: int | None = None
    is_denied: bool = False


def iterate_sole(text: str) -> Iterator[Sole]:
    """Yield the clauses of a text that say of something that it has to stand alone.

    What is enough alone ("refused on account of age alone") may stand with others.

    >>> [item.what for item in iterate_sole("Free if rain was the only reason, or so.")]
    ['Free if rain was']
    >>> [item.of for item in iterate_sole("Weight is the only one of these four that it misses.")]
    [4]
    >>> [item.what for item in iterate_sole("Nobody leaves on account of age alone.")]
    ['age']
    """
    for clause, _ in split_clauses(text):
        if only := _ONLY.search(clause):
            count = (only[1] or "").lower()
            number = _COUNTS.get(count) or (int(count) if count else None)
            yield Sole(clause.strip(), _cut(clause, only), number)
        elif (alone := _ALONE.search(clause)) and _DENIED.search(clause[: alone.start()]):
            yield Sole(clause.strip(), alone["one"] or alone["other"], is_denied=True)


def _cut(clause: str, found: re.Match[str]) -> str:
    """Return what stands before the words of a clause, or after them where it begins with them."""
    before, after = clause[: found.start()].strip(), clause[found.end() :].strip()
    return before if len(before.split()) > 1 or not after else after
