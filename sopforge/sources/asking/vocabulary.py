"""What the facts of a model are called, and where a text names them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sopforge.domain.fields import Field
from sopforge.domain.values.types import (
    BooleanType,
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    ValueType,
)
from sopforge.sources.agreement.label_mentions import list_mentions
from sopforge.sources.asking.conditions import PREDICATE, Conditions
from sopforge.sources.facts import Labels
from sopforge.sources.prose.markers import count_negations, split_last_clause
from sopforge.sources.prose.stems import has_shared_word, list_stems, list_stems_in_order

_HEADS = list_stems("presence status state position record use whether answer entry beginning")
"""Words before what a yes/no fact is about: "presence of an engine"."""
DAYS = list_stems("day date time")
_NUMBERS = list_stems("number amount level value share")
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had)\b", re.IGNORECASE)
_PREPOSITION = re.compile(r"\b(?:on|in|at|under|off|out of)\s+$", re.IGNORECASE)
_APART = re.compile(r"[\"(),;:.|]|\bor\b")
_DENIED_AFTER = re.compile(
    r"\W*(?:(?:is|are|was|were|has|have|had|does|do|did)\W+(?:been\W+)?(?:not|never|no)\b"
    r"|\w+n't\b)",
    re.IGNORECASE,
)
_SEVERAL, _SHORT, _LONG, _NEAR, _HEAD = 2, 4, 5, 3, 6
_SHARE = 6
"""A stem that more than one in so many facts have says little."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand for a fact: their stems in order, and the answer that they mean, if any."""

    stems: tuple[str, ...]
    answer: bool | None = None


@dataclass(frozen=True, slots=True)
class Called:
    """What a fact is called: the stems of its name and labels, those that describe it, phrases."""

    name: str
    words: frozenset[str]
    described: frozenset[str] = frozenset()
    phrases: tuple[Phrase, ...] = ()


@dataclass(frozen=True, slots=True)
class Naming:
    """A place at which a text names a fact, with the answer or the label that it means there.

    ``words`` are the stems by which it does.
    """

    name: str
    start: int
    end: int
    answer: bool | None = None
    label: str = ""
    words: frozenset[str] = frozenset()

    @property
    def size(self) -> int:
        """How many characters it has."""
        return self.end - self.start

    def has_place_in(self, other: Naming) -> bool:
        """Return whether two namings share a place of the text."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True)
class Vocabulary:
    """What all facts of one model are called: its fields, and its conditions that have a name.

    ``prose`` is the whole brief, which may write labels as names.
    """

    conditions: Conditions
    prose: str = ""
    known: dict[str, list[Naming]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def facts(self) -> Mapping[str, Called]:
        """The facts by their names, predicates as "predicates.p"."""
        model = self.conditions.model
        found = [_call_field(item, self._subjects) for item in model.fields.values()]
        for name, predicate in model.predicates.items():
            texts = (predicate.description, name)
            phrases = [
                phrase
                for text in texts
                for phrase in _list_phrases(text, self._subjects, answer=True)
            ]
            words = list_stems(f"{name} {predicate.description}")
            found.append(Called(f"{PREDICATE}{name}", words, phrases=tuple(phrases)))
        return {item.name: item for item in found}

    @cached_property
    def _subjects(self) -> frozenset[str]:
        """The stems with which several clauses about yes/no facts begin: what all is about."""
        model = self.conditions.model
        said = [item.said.yes for item in model.fields.values() if item.said]
        said += [predicate.description for predicate in model.predicates.values()]
        firsts = Counter(stems[0] for text in said if (stems := _list_ordered(text)))
        return frozenset(stem for stem, count in firsts.items() if count >= _SEVERAL)

    @cached_property
    def shared(self) -> Counter[str]:
        """How many facts have each stem."""
        return Counter(stem for item in self.facts.values() for stem in item.words)

    def list_words(self, name: str) -> frozenset[str]:
        """Return the stems that speak of a fact; those of many facts only where it has no other."""
        called = self.facts.get(name)
        if called is None:
            return frozenset()
        many = max(_SEVERAL + 1, len(self.facts) // _SHARE)
        return frozenset(s for s in called.words if self.shared[s] <= many) or called.words

    def list_title(self, name: str) -> frozenset[str]:
        """Return the stems of what a predicate is said to be, and of where an edge leads."""
        if name.startswith(PREDICATE):
            return self.facts[name].words
        return self._titles.get(name, frozenset())

    @cached_property
    def _titles(self) -> Mapping[str, frozenset[str]]:
        steps = self.conditions.model.steps
        edges = [edge for step in steps.values() for edge in step.edges]
        return {f"steps.{edge.id}": list_stems(steps[edge.to].title) for edge in edges}

    def is_spoken_of(self, name: str, stems: frozenset[str]) -> bool:
        """Return whether a text, by its stems, may speak of a fact, or of what it follows from."""
        called = self.facts.get(name)
        if called is None:
            return True
        rare = {stem for stem in called.described if self.shared[stem] < _SEVERAL}
        if has_shared_word(self.list_words(name) | (rare - self._title), stems):
            return True
        sources = self.conditions.list_sources(name)
        return any(has_shared_word(self.list_words(source), stems) for source in sources)

    def find_named(self, text: str) -> list[Naming]:
        """Return where a text names facts: by a label, or by words for them in their order.

        Of words that lie within longer ones, the longer ones count, and a label that several sets
        have names none of them.
        """
        if text not in self.known:
            found = [*self._iterate_phrases(text), *self._iterate_labels(text)]
            whole = [item for item in found if not any(_is_within(item, o) for o in found)]
            self.known[text] = [item for item in whole if item.label not in self._ambiguous]
        return self.known[text]

    def _iterate_labels(self, text: str) -> Iterator[Naming]:
        for labels, owners in self._owners.items():
            for mention in list_mentions(text, labels):
                label, words = mention.label, text[mention.start : mention.end]
                stems = list_stems(label)
                # What all is about is named everywhere.
                is_meant = not stems <= self._title and (
                    words == label or label not in self._proper
                )
                for name in owners if is_meant and _is_same(words, label) else ():
                    yield Naming(name, mention.start, mention.end, None, label, stems)

    @cached_property
    def _title(self) -> frozenset[str]:
        return list_stems(self.conditions.model.title)

    @cached_property
    def _owners(self) -> Mapping[Labels, tuple[str, ...]]:
        """The facts that have each set of labels; those of a list's items belong to the list."""
        found: dict[Labels, list[str]] = {}
        for item in self.conditions.model.fields.values():
            parts = item.type.fields if isinstance(item.type, ListType) else ()
            for kind in (item.type, *(kind for _, kind in parts)):
                if isinstance(kind, EnumType | SetType):
                    found.setdefault(kind.values, []).append(item.name)
        return {labels: tuple(names) for labels, names in found.items()}

    @cached_property
    def _ambiguous(self) -> frozenset[str]:
        """The labels that several sets have."""
        known = Counter(label.lower() for labels in self._owners for label in labels)
        every = {label for labels in self._owners for label in labels}
        return frozenset(label for label in every if known[label.lower()] > 1)

    @cached_property
    def _proper(self) -> frozenset[str]:
        """The labels that the brief writes as names within its sentences: "on Basic"."""
        capital = [label for of in self._owners for label in of if label[:1].isupper()]
        return frozenset(
            label
            for label in capital
            if re.search(rf"[a-z,;] {re.escape(label)}(?!\w)", self.prose)
        )

    def _iterate_phrases(self, text: str) -> Iterator[Naming]:
        meaning = list_stems(text)
        words = [item for item in list_stems_in_order(text) if item[0] in meaning]
        heads = [stem[:_HEAD] for stem, _, _ in words]
        for item in self.facts.values():
            for phrase in filter(self._is_clear, item.phrases):
                wanted, size = [stem[:_HEAD] for stem in phrase.stems], len(phrase.stems)
                for place in range(len(words) - size + 1):
                    start, end = words[place][1], words[place + size - 1][2]
                    is_there = heads[place : place + size] == wanted
                    is_there = is_there and _is_whole(phrase, text, start, end)
                    if is_there and not _APART.search(text, start, end):
                        answer = _read_answer(text, start, end, phrase.answer)
                        yield Naming(item.name, start, end, answer, "", frozenset(phrase.stems))

    def _is_clear(self, phrase: Phrase) -> bool:
        """Return whether a phrase stands for one fact: two words, or one that no other has.

        Of a yes/no fact it may be short: "sealed", "on stop".
        """
        if len(phrase.stems) >= _SEVERAL:
            return True
        least = _LONG if phrase.answer is None else _SHORT
        return all(len(stem) >= least and self.shared[stem] == 1 for stem in phrase.stems)


def _is_whole(phrase: Phrase, text: str, start: int, end: int) -> bool:
    """Return whether words stand for all of a phrase: a short word alone, such as "open", may not.

    It does as a participle, and with a preposition before it: "sealed", "on stop".
    """
    if len(phrase.stems) > 1 or len(phrase.stems[0]) >= _LONG:
        return True
    return text[start:end].endswith("ed") or _PREPOSITION.search(text[:start]) is not None


def _is_same(words: str, label: str) -> bool:
    """Return whether words are a label, be it in the plural: "placed" is not "places".

    A figure is a part of a label.
    """
    one, other = words.lower(), label.lower()
    plurals = {other, f"{other}s", f"{other}es", f"{other[:-1]}ies", other.removesuffix("s")}
    return one in plurals or (" " in one and not re.search(r"\d", label))


def _is_within(one: Naming, other: Naming) -> bool:
    """Return whether a naming is a part of a longer one of another fact."""
    is_part = other.start <= one.start and one.end <= other.end
    return is_part and one.size < other.size and one.name != other.name


def _read_answer(text: str, start: int, end: int, answer: bool | None) -> bool | None:  # noqa: FBT001 - what the words mean where nothing denies them
    """Return which answer words mean where they stand: the other one where they are denied."""
    if answer is None:
        return None
    before = " ".join(split_last_clause(text[:start]).split()[-_NEAR:])
    denials = count_negations(f"{before} {text[start:end]}")
    denials += _DENIED_AFTER.match(text, end) is not None
    return answer is not bool(denials % 2)


def _call_field(item: Field, subjects: frozenset[str]) -> Called:
    said = " ".join(item.clauses)
    labels = item.type.values if isinstance(item.type, EnumType | SetType) else ()
    words = list_stems(f"{item.name} {item.label} {item.missing} {said} {' '.join(labels)}")
    is_yes = True if isinstance(item.type, BooleanType) else None
    heads = _list_heads(item.type)
    phrases = [
        phrase
        for text in (item.label, item.name)
        for phrase in _list_phrases(text, heads, answer=is_yes)
    ]
    if item.said:
        phrases += _list_phrases(item.said.yes, subjects, answer=True)
        # "The boat is not insured" has the words of "the boat is insured".
        known = {phrase.stems for phrase in phrases}
        denied = _list_phrases(item.said.no, subjects, answer=False)
        phrases += [phrase for phrase in denied if phrase.stems not in known]
    described = list_stems(item.description) - _HEADS - DAYS - _NUMBERS
    return Called(item.name, words, described, tuple(dict.fromkeys(phrases)))


def _list_heads(kind: ValueType) -> frozenset[str]:
    """Return the words with which labels of a type begin, and which say nothing but the type."""
    match kind:
        case BooleanType():
            return _HEADS
        case DateType() | DateTimeType():
            return DAYS
        case NumberType():
            return _NUMBERS
        case _:
            return frozenset()


def _list_phrases(text: str, heads: frozenset[str], *, answer: bool | None) -> list[Phrase]:
    """Return a text as a phrase, without what it begins with if that says little, and its end.

    The end is what stands after the verb: "blocked" of "the account is blocked".
    """
    stems = _list_ordered(text)
    short = stems
    while short and short[0] in heads:
        short = short[1:]
    said = _VERB.split(text, maxsplit=1)
    end = _list_ordered(said[1]) if len(said) > 1 else ()
    return [Phrase(item, answer) for item in dict.fromkeys((stems, short, end)) if item]


def _list_ordered(text: str) -> tuple[str, ...]:
    """Return the stems of a text that carry meaning, in their order."""
    plain = text.replace("_", " ")
    known = list_stems(plain)
    return tuple(stem for stem, _, _ in list_stems_in_order(plain) if stem in known)
