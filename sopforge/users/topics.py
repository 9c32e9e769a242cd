"""Which entries an agent's message asks for: by names and labels, the longest first."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from sopforge.domain.model import DomainModel

Phrase: TypeAlias = tuple[str, ...]
_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_EMPTY = frozenset({
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "by", "can", "could", "do", "for",
    "from", "give", "given", "has", "have", "how", "i", "if", "in", "is", "it", "its", "may", "me",
    "more", "my", "need", "no", "not", "number", "of", "on", "one", "or", "our", "please", "should",
    "so", "some", "that", "the", "their", "them", "then", "there", "these", "they", "this", "to",
    "us", "was", "we", "were", "what", "when", "where", "which", "who", "whose", "why", "will",
    "with", "would", "yes", "you", "your",
})  # fmt: skip
"""Words that stand in labels and messages alike, and ask for nothing by themselves."""


def split_words(text: str) -> Phrase:
    """Return the words of a text, in small letters and in the singular as far as ``s`` goes.

    >>> split_words("Paying_accounts, openedDays and addresses")
    ('paying', 'account', 'opened', 'day', 'and', 'address')
    """
    return tuple(_singularize(word.lower()) for word in _WORD.findall(_HUMP.sub(" ", text)))


def _singularize(word: str) -> str:
    # The same for labels and for messages: what is cut off from both makes no difference.
    if word.endswith("ies") and len(word) > 4:  # noqa: PLR2004 - "ties" is the plural of "tie"
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


@dataclass(frozen=True)
class Topics:
    """The topics of a domain: what a user may be asked for, by the phrases that ask for it."""

    model: DomainModel

    @cached_property
    def own(self) -> frozenset[str]:
        """The entries that tasks state."""
        return frozenset(item.name for item in self.model.inputs)

    @cached_property
    def phrases(self) -> Mapping[Phrase, frozenset[str]]:
        """The fields by the phrases that ask for them.

        What names entries of the user asks for these; a word of such names, and the name of a
        parameter, for all that it may mean; what names other fields, for those.
        """
        named = [
            (split_words(text), item.name)
            for item in self.model.fields.values()
            for text in (item.label, item.name)
        ]
        own = [(phrase, name) for phrase, name in named if name in self.own]
        shorter = [((word,), name) for phrase, name in own for word in phrase if word not in _EMPTY]
        return {**_group(named), **_group([*shorter, *self._iterate_parameters()]), **_group(own)}

    def find(self, text: str) -> tuple[str, ...]:
        """Return the fields that a text asks for, in declared order."""
        found = find_asked(self.phrases, text)
        return tuple(name for name in self.model.fields if name in found)

    def _iterate_parameters(self) -> Iterator[tuple[Phrase, str]]:
        for tool in self.model.tools.values():
            for parameter, name in tool.parameters.items():
                if name in self.own:
                    yield split_words(parameter), name


def find_asked(phrases: Mapping[Phrase, Iterable[str]], text: str) -> set[str]:
    """Return the fields that a text asks for, by the longest phrases in it."""
    words, found, place = split_words(text), set[str](), 0
    longest = max(map(len, phrases), default=0)
    while place < len(words):
        size = next((n for n in range(longest, 0, -1) if words[place : place + n] in phrases), 0)
        found |= set(phrases.get(words[place : place + size], ()))
        place += size or 1
    return found


def _group(pairs: Iterable[tuple[Phrase, str]]) -> dict[Phrase, frozenset[str]]:
    found: defaultdict[Phrase, set[str]] = defaultdict(set)
    for phrase, name in pairs:
        if phrase:
            found[phrase].add(name)
    return {phrase: frozenset(names) for phrase, names in found.items()}
