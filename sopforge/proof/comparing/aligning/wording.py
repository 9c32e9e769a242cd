"""Words of two readings brought to a common form: what is alike up to endings, case and hyphens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from sopforge.language.domain.fields import Field
from sopforge.morphology import find_stem

_WORD = re.compile(r"[a-z]+|[0-9]+")
_EMPTY = frozenset(
    {
        *("a", "an", "the", "of", "to", "in", "on", "at", "for", "by", "with", "from", "as", "and"),
        *(
            "or",
            "is",
            "are",
            "was",
            "were",
            "be",
            "been",
            "has",
            "have",
            "had",
            "does",
            "do",
            "did",
        ),
        *(
            "it",
            "its",
            "this",
            "that",
            "these",
            "those",
            "which",
            "who",
            "whose",
            "what",
            "whether",
        ),
        *("when", "where", "how", "there", "than", "then", "if", "any", "per", "s", "can", "may"),
    }
)
_DENIALS = frozenset({"no", "not", "non", "none", "never", "without", "un", "nothing", "nobody"})
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_FIGURES = {word: str(number) for number, word in enumerate(_NUMBERS)}
_LABEL_WEIGHT, _DESCRIPTION_WEIGHT = 1.0, 0.5


def list_key_stems(text: str) -> tuple[str, ...]:
    """Return the stems of a text's words in their order, without those that say nothing.

    >>> list_key_stems("Days since the purchases"), list_key_stems("non-returnable")
    (('day', 'sinc', 'purchas'), ('non', 'return'))
    """
    words = _WORD.findall(text.lower().replace("'s", ""))
    return tuple(find_stem(_FIGURES.get(word, word)) for word in words if word not in _EMPTY)


def is_alike(one: str, other: str) -> bool:
    """Return whether two texts are the same words, up to endings, case, hyphens and order."""
    return bool(list_key_stems(one)) and sorted(list_key_stems(one)) == sorted(
        list_key_stems(other)
    )


def is_denial(label: str) -> bool:
    """Return whether a label says that something is not so."""
    return bool(_DENIALS.intersection(_WORD.findall(label.lower())))


def pair_labels(theirs: Sequence[str], ours: Sequence[str]) -> dict[str, str]:
    """Return the label of ours for each of theirs that is like exactly one of them."""
    # Letter by letter first: "Class 1" must not be taken for "Class I" where both are there.
    found: dict[str, str] = {}
    for same in (_is_same, _is_same_in_small, is_alike):
        found = {}
        for label in theirs:
            near = [other for other in ours if same(label, other)]
            if len(near) == 1:
                found[label] = near[0]
        if len(found) == len(theirs) and len(set(found.values())) == len(found):
            return found
    return {label: other for label, other in found.items() if is_only(label, other, found)}


def is_only(label: str, other: str, found: Mapping[str, str]) -> bool:
    """Return whether no second label was paired with another one."""
    return [one for one, two in found.items() if two == other] == [label]


def _is_same(one: str, other: str) -> bool:
    return one == other


def _is_same_in_small(one: str, other: str) -> bool:
    return _WORD.findall(one.lower()) == _WORD.findall(other.lower())


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """How much each stem says, by how few of the fields have it."""

    weights: Mapping[str, float]

    @classmethod
    def count(cls, fields: Iterable[Field]) -> Vocabulary:
        """Return the vocabulary of some fields."""
        bags = [set(_collect_stems(item)) for item in fields]
        counts = Counter(stem for bag in bags for stem in bag)
        return cls({stem: log(1 + len(bags) / count) for stem, count in counts.items()})

    def compare(self, one: Field, other: Field) -> float:
        """Return from 0 to 1 how much of the words of two fields is the same."""
        first, second = _collect_stems(one), _collect_stems(other)
        shared = sum(
            self.weights.get(stem, 1.0) * min(first[stem], second[stem])
            for stem in first.keys() & second.keys()
        )
        least = min(self._sum_weights(first), self._sum_weights(second))
        return shared / least if least else 0.0

    def _sum_weights(self, stems: Mapping[str, float]) -> float:
        return sum(self.weights.get(stem, 1.0) * weight for stem, weight in stems.items())


def _collect_stems(item: Field) -> dict[str, float]:
    """Return the stems of a field, each with its weight: that of a name is more than of prose."""
    found = dict.fromkeys(list_key_stems(item.description), _DESCRIPTION_WEIGHT)
    named = f"{item.label} {(item.column or item.name).replace('_', ' ')}"
    return found | dict.fromkeys(list_key_stems(named), _LABEL_WEIGHT)
