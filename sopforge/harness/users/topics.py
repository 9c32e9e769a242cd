"""Which entries an agent's message asks for: by names and labels, the longest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from sopforge.language.domain.model import DomainModel
from sopforge.morphology import pluralize_word, singularize_word
from sopforge.session.layers import find_asked, split_label

Phrase: TypeAlias = tuple[str, ...]
_EMPTY = frozenset({
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "by", "can", "could", "do", "for",
    "from", "give", "given", "has", "have", "how", "i", "if", "in", "is", "it", "its", "may", "me",
    "more", "my", "need", "no", "not", "number", "of", "on", "one", "or", "our", "please", "should",
    "so", "some", "that", "the", "their", "them", "then", "there", "these", "they", "this", "to",
    "us", "was", "we", "were", "what", "when", "where", "which", "who", "whose", "why", "will",
    "with", "would", "yes", "you", "your",
})  # fmt: skip
"""Words that stand in labels and messages alike, and ask for nothing by themselves."""


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
        parameter, for all that it may mean; what names other fields, for those. All words are in
        the singular.
        """
        named = [
            (_singularize(text), item.name)
            for item in self.model.fields.values()
            for text in (item.label, item.name)
        ]
        own = [(phrase, name) for phrase, name in named if name in self.own]
        shorter = [((word,), name) for phrase, name in own for word in phrase if word not in _EMPTY]
        return {**_group(named), **_group([*shorter, *self._iterate_parameters()]), **_group(own)}

    @cached_property
    def plurals(self) -> Mapping[str, str]:
        """The words of the phrases by their plurals."""
        texts = [text for item in self.model.fields.values() for text in (item.label, item.name)]
        texts += [name for tool in self.model.tools.values() for name in tool.parameters]
        words = {word for text in texts for word in split_label(text)} - _EMPTY
        ones = {word: singularize_word(word) for word in sorted(words)}
        forms = {**{pluralize_word(one): one for one in ones.values()}, **ones}
        return {form: one for form, one in sorted(forms.items()) if form != one}

    def find(self, text: str) -> tuple[str, ...]:
        """Return the fields that a text asks for, in declared order."""
        found = find_asked(self.phrases, self.plurals, text)
        return tuple(name for name in self.model.fields if name in found)

    def _iterate_parameters(self) -> Iterator[tuple[Phrase, str]]:
        for tool in self.model.tools.values():
            for parameter, name in tool.parameters.items():
                if name in self.own:
                    yield _singularize(parameter), name


def _singularize(text: str) -> Phrase:
    return tuple(map(singularize_word, split_label(text)))


def _group(pairs: Iterable[tuple[Phrase, str]]) -> dict[Phrase, frozenset[str]]:
    found: defaultdict[Phrase, set[str]] = defaultdict(set)
    for phrase, name in pairs:
        if phrase:
            found[phrase].add(name)
    return {phrase: frozenset(names) for phrase, names in found.items()}
