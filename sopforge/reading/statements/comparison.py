"""Whether two lines say the same, in whatever words and whatever construction.

Clauses may change places, a sentence may be put into the passive, and a word may be replaced by
one of its meaning. A word that the table does not have stays as it is, and has to be in both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

from sopforge.reading.statements.doers import are_same_doers
from sopforge.reading.statements.statement import Statement, parse_statement
from sopforge.reading.statements.tokens import load_words
from sopforge.reading.statements.word_order import has_same_order

_SENTENCES = re.compile(r"(?<=[.;:]) ")
_QUOTED = re.compile(r'"[^"]*"')
_JOINING = re.compile(
    r"\b(?:and|as well as|together|both|while|with|whose|that|which|who|where|when|also|plus|but"
    r"|too|then|by|without|or|unless|otherwise)\b|[,;:]",
    re.IGNORECASE,
)
_AND = re.compile(r"\band\b", re.IGNORECASE)
_ROUNDING = re.compile(r"\bround(?:ed|ing|s)?\b", re.IGNORECASE)
_OPERATION = re.compile(
    r"\b(?:divid\w+|multipl\w+|times|plus|minus|add(?:s|ed|ing)?|subtract\w*|halv\w+|doubl\w+)\b",
    re.IGNORECASE,
)
_COUNTED = ("or", "or value", "unless", "otherwise", "not")


class Vocabulary:
    """The labels that lines of one domain name their fields by."""

    def __init__(self, labels: Iterable[str]) -> None:
        self.labels = sorted({label for label in labels if label}, key=lambda x: (-len(x), x))

    def is_same_statement(self, text: str, known: str) -> bool:
        """Return whether a text says what another one says.

        >>> names = Vocabulary(["age", "fee"])
        >>> names.is_same_statement('Unless the age is under 18, take the fee as "full".',
        ...                         'The fee is "full" if the age is at least 18.')
        True
        >>> names.is_same_statement('Unless the age is under 18, take the fee as "full".',
        ...                         'The fee is "full" if the age is at most 18.')
        False
        """
        parts, meant = _SENTENCES.split(text), _SENTENCES.split(known)
        if len(parts) != len(meant):
            return self._is_same(text, known)
        return all(self._is_same(*pair) for pair in zip(parts, meant, strict=True))

    def _is_same(self, text: str, known: str) -> bool:
        """Return whether two sentences say the same."""
        # A label that one of them lacks is no name: the other may say it in words of its own.
        shared = tuple(label for label in self.labels if label in text and label in known)
        if text == known:
            return True
        if _count_before_rounding(text) != _count_before_rounding(known):
            return False
        has_and = _AND.search(_QUOTED.sub("", known)) is not None
        return (_is_joined(text) or not has_and) and _are_same(
            parse(text, shared), parse(known, shared)
        )


@lru_cache(maxsize=1024)
def parse(text: str, labels: tuple[str, ...] = ()) -> Statement:
    """Return what a text says."""
    return parse_statement(text, labels)


def _is_joined(text: str) -> bool:
    """Return whether a text may say that two things hold, and not one of the other.

    >>> _is_joined('the axle is "Steer" and there is a retread')
    True
    >>> _is_joined('there is a retread for the axle "Steer"')
    False
    """
    return _JOINING.search(_QUOTED.sub("", text)) is not None


def _count_before_rounding(text: str) -> list[int]:
    """Return how many operations stand before each rounding, and how many after the last one.

    >>> _count_before_rounding("the price divided by 3, rounded to 2 decimal places")
    [1, 0]
    >>> _count_before_rounding("the price, rounded to 2 decimal places and divided by 3")
    [0, 1]
    """
    parts = _ROUNDING.split(text)
    return [len(_OPERATION.findall(part)) for part in parts] if len(parts) > 1 else []


def _are_same(one: Statement, other: Statement) -> bool:
    return (
        one.compared == other.compared
        and one.tied == other.tied
        and _has_same_words(one.words, other.words)
        and _is_in_order(one, other)
        and has_same_order(one, other)
    )


def _has_same_words(said: Counter[str], known: Counter[str]) -> bool:
    """Return whether each has all words of the other, however often; what joins them is counted."""
    added, lost = {*+said} - {*+known}, {*+known} - {*+said}
    is_joined_alike = all(said.get(word, 0) == known.get(word, 0) for word in _COUNTED)
    # Of two words that differ, one could be the opposite of the other.
    return not (added and lost) and (added | lost) <= load_words().optional and is_joined_alike


def _is_in_order(one: Statement, other: Statement) -> bool:
    """Return whether what is to be done comes in one order, and from the same people."""
    said, known = _flatten(one), _flatten(other)
    return (
        _has_same_sequence(said, other.order)
        and are_same_doers(said, known, one.passives, other.passives)
        and are_same_doers(known, said, other.passives, one.passives)
    )


def _has_same_sequence(said: Sequence[str], known: Sequence[Sequence[str]]) -> bool:
    """Return whether a text says what each of some sentences says in their order."""
    places = [[said.index(token) for token in part if said.count(token) == 1] for part in known]
    middles = [sorted(part)[len(part) // 2] for part in places if part]
    return middles == sorted(middles)


def _flatten(statement: Statement) -> list[str]:
    return list(chain.from_iterable(statement.order))
