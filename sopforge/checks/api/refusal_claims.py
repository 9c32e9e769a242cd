"""What a description says of refusals, sentence by sentence, compared with the tool's own.

Each word of what a sentence says of them must belong to a refusal whose statement or case is given
in whole, turned as it is there; a word that belongs to none says a refusal that the tool does not
have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property

from sopforge.checks.api.refusal_facts import (
    DOWNWARD,
    UPWARD,
    BoundMark,
    FactMark,
    LabelMark,
    Mark,
    Refusal,
    list_refusals,
)
from sopforge.checks.api.refusal_sentences import Said, Vocabulary, read_sentence, read_statement
from sopforge.checks.words.deciding_words import is_english
from sopforge.checks.words.stems import split_plain_words, trim_word, trim_words
from sopforge.domain.language.expressions import Relation
from sopforge.domain.model import DomainModel, Tool
from sopforge.domain.values.types import EnumType
from sopforge.logic.tool_calls import RECORD_MISMATCH

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_NUMBERS: Mapping[str, str] = dict(
    zip(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
        map(str, range(1, 11)),
        strict=True,
    )
)
_SHORTEST_TEXT = 8
"""Of fewer words nobody can say in which language they are."""
_REFUSE = r"(?:refus|reject|fail|declin|den(?:y|ies|ied))"
_GROUND = r"(?:refusals?|reasons?|checks?|conditions?|cases?|requirements?)"
_ALL_OF_THEM = re.compile(
    rf"\b{_REFUSE}\w* (?:\w+ )?only\b|\bonly {_REFUSE}"
    rf"|\b(?:only|sole|single|two|three|four|five|six|both) (?:\w+ )?{_GROUND}\b"
    r"|\bsolely\b|\bnothing else\b|\bno other\b|\b(?:all|any|every|each) others?\b|\botherwise\b"
    r"|\bunless\b|\bas long as\b|\bprovided\b|\bnothing more\b"
    r"|\ball (?:it|that it) (?:needs|requires)\b"
)
_NEVER = re.compile(
    rf"\b(?:never|not|cannot|won't|doesn't|no|without) (?:\w+ )?{_REFUSE}\w*"
    r"|\b(?:always|invariably) (?:succeed|accept|answer|work|go|register|book|record)\w*"
    r"|\bunconditionally\b|\bno (?:checks?|conditions?|refusals?)\b"
    r"|\bwithout (?:any )?(?:checks?|conditions?)\b"
)


def find_false_refusals(model: DomainModel, tool: Tool, text: str) -> list[str]:
    """Return what a text says of a tool's refusals that is not so, each time with its sentence.

    Only English is read.
    """
    if len(text.split()) >= _SHORTEST_TEXT and not is_english(text):
        return []
    reader = _Reader(tool, tuple(list_refusals(model, tool)))
    found, stated, claims = list[str](), set[str](), list[str]()
    for sentence in filter(str.strip, _SENTENCE.split(text)):
        fault, codes = reader.judge_sentence(sentence)
        stated |= codes
        if fault:
            found.append(f'{fault}: "{sentence.strip()}"')
        elif codes and reader.is_said_to_be_all(sentence):
            claims.append(sentence.strip())
    left = [item.code for item in reader.refusals if item.is_guard and item.code not in stated]
    if claims and left and not found:
        found.append(
            f'it claims to list every refusal but leaves out {", ".join(left)}: "{claims[0]}"'
        )
    return found


@dataclass(frozen=True)
class _Reader:
    """Judges sentences on one tool, whose own words say nothing of its refusals."""

    tool: Tool
    refusals: tuple[Refusal, ...]

    def judge_sentence(self, sentence: str) -> tuple[str, set[str]]:
        """Return what is wrong with a sentence, "" if nothing is, and the codes that it states."""
        named = {item.code for item in self.refusals if item.code in sentence}
        for code in sorted(named, key=len, reverse=True):
            sentence = sentence.replace(code, " ")
        said = read_sentence(sentence, self.vocabulary)
        if _NEVER.search(sentence.lower().replace("\u2019", "'")) and not self._list_content(said):
            return "the tool does refuse calls", set()
        parts = [
            [item for item in said if item.part == part]
            for part in dict.fromkeys(item.part for item in said)
        ]
        codes = self._explain_parts(parts)
        if codes is None:
            return "the tool has no such refusal", set()
        return "", codes | named

    def is_said_to_be_all(self, sentence: str) -> bool:
        """Return whether a sentence says that there are no other refusals.

        With a code, "unless" speaks of that refusal alone.
        """
        plain = sentence.lower()
        has_code = any(item.code in sentence for item in self.refusals)
        return _ALL_OF_THEM.search(plain.replace("unless", "") if has_code else plain) is not None

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words that show how a sentence is built."""
        labels = frozenset(
            tuple(split_plain_words(label)) for label in self._list_labels() if " " in label
        )
        verbs = [*split_plain_words(self.tool.name)[:1], *self.tool.description.split()[:1]]
        own = {trim_word(verb.lower()) for verb in verbs}
        return Vocabulary(
            labels,
            is_own_verb=lambda word: trim_word(word) in own,
            is_state=lambda word: trim_word(word) in self._stated_words,
        )

    @cached_property
    def _stated_words(self) -> frozenset[str]:
        """The words of the tool's own refusals."""
        return frozenset[str]().union(*(item.words for item in self.refusals if item.is_guard))

    def _list_labels(self) -> list[str]:
        kinds = [item.type for refusal in self.refusals for item in refusal.fields]
        return [label for kind in kinds if isinstance(kind, EnumType) for label in kind.values]

    @cached_property
    def _own_words(self) -> frozenset[str]:
        """The words of the tool's name and description."""
        return trim_words(f"{self.tool.name} {self.tool.description}")

    def _explain_parts(self, parts: Sequence[list[Said]]) -> set[str] | None:
        """Return the refusals that parts of a sentence state, joined as needed; None if not all."""
        best: list[set[str] | None] = [set()]
        for end in range(1, len(parts) + 1):
            found: set[str] | None = None
            # The shortest first: a part that stands by itself is judged by itself.
            for start in reversed(range(end)):
                before = best[start]
                codes = self._explain([item for part in parts[start:end] for item in part])
                if before is not None and codes is not None:
                    found = before | codes
                    break
            best.append(found)
        return best[-1]

    def _explain(self, said: list[Said]) -> set[str] | None:
        """Return the refusals that words state; None where a word belongs to none of them."""
        content = self._list_content(said)
        stated = [refusal for refusal in self.refusals if self._is_stated(said, refusal)]
        known = frozenset[str]().union(*(refusal.words for refusal in stated))
        # What the tool does may be what a refusal is about too: goods that are booked already.
        is_open = any(not item.is_plain and item.stem in self._stated_words for item in said)
        if (content or is_open) and not stated:
            return None
        is_known = all(_is_known(item, known) for item in content)
        return {refusal.code for refusal in stated} if is_known else None

    def _list_content(self, said: Sequence[Said]) -> list[Said]:
        return [item for item in said if not item.is_plain and item.stem not in self._own_words]

    def _is_stated(self, said: Sequence[Said], refusal: Refusal) -> bool:
        if not refusal.is_guard:
            return _is_built_in_stated(said, refusal) or self._is_repeated(said, refusal)
        if any(self._list_contradictions(said, refusal.cases)) or _is_bound_misstated(
            said, refusal
        ):
            return False
        is_case = any(all(self._is_met(said, mark) for mark in case) for case in refusal.cases)
        return is_case or self._is_repeated(said, refusal)

    def _is_met(self, said: Sequence[Said], mark: Mark) -> bool:
        """Return whether words state what a mark says."""
        match mark:
            case LabelMark():
                return self._is_about(said, mark) and _find_labels(said, mark) is True
            case FactMark(words, holds):
                given = [item for item in said if item.stem in words]
                is_whole = words <= {item.stem for item in given}
                return is_whole and all(item.holds for item in given) is holds
            case BoundMark():
                return _is_bound_stated(said, mark)
            case _:
                return False

    def _list_contradictions(
        self, said: Sequence[Said], cases: Sequence[Sequence[Mark]]
    ) -> list[bool]:
        """Return, for each mark that every case has, whether words state its contrary."""
        common = [mark for mark in (cases[0] if cases else ()) if all(mark in c for c in cases)]
        labels = [mark for mark in common if isinstance(mark, LabelMark)]
        return [self._is_about(said, mark) and _find_labels(said, mark) is False for mark in labels]

    def _is_about(self, said: Sequence[Said], mark: LabelMark) -> bool:
        """Return whether labels are said of a field: of one that shares them, by its own words."""
        own = set(mark.item.type.values) if isinstance(mark.item.type, EnumType) else set()
        others = [
            item
            for refusal in self.refusals
            for item in refusal.fields
            if item is not mark.item and own & set(getattr(item.type, "values", ()))
        ]
        shared = frozenset[str]().union(*(trim_words(item.label) for item in others))
        distinctive = trim_words(mark.item.label) - shared
        return not others or not distinctive or any(item.stem in distinctive for item in said)

    def _is_repeated(self, said: Sequence[Said], refusal: Refusal) -> bool:
        """Return whether words give a statement of a refusal in whole, turned as it is there."""
        return any(self._is_statement_repeated(said, text) for text in refusal.stated)

    def _is_statement_repeated(self, said: Sequence[Said], statement: str) -> bool:
        words = [item for item in read_statement(statement, self.vocabulary) if not item.is_plain]
        content = self._list_content(words)
        # Of a statement that is mostly in the tool's own words, these count too.
        counted = content if len(content) >= _FEWEST_WORDS else words
        known = {item.stem: item.holds for item in counted}
        if not known or not known.keys() <= {item.stem for item in said}:
            return False
        denied = [stem for stem, holds in known.items() if not holds]
        if denied:
            return not any(item.holds for item in said if item.stem == denied[-1])
        # What a rule denies as "goods do not fly" is done in the state that it refuses.
        return all(item.holds for item in said if item.stem in known)


_FEWEST_WORDS = 2


def _is_known(item: Said, known: frozenset[str]) -> bool:
    number = _NUMBERS.get(item.text, item.text)
    is_number = number[:1].isdigit()
    if is_number:
        return _normalize_number(number) in {_normalize_number(word) for word in known}
    return item.stem in known or (" " in item.text and trim_words(item.text) <= known)


def _normalize_number(text: str) -> str:
    try:
        return f"{Decimal(text.replace(',', '')).normalize():f}"
    except InvalidOperation:
        return text


def _is_built_in_stated(said: Sequence[Said], refusal: Refusal) -> bool:
    """Return whether words say of a subject a state in which the refusal comes, and no other."""
    stems = {item.stem for item in said}
    if not any(subject and subject <= stems for subject in refusal.subjects):
        return False
    states = [
        (item.stem in refusal.holding) is item.holds for item in said if _is_state(item, refusal)
    ]
    if states:
        return all(states)
    denied = {item.stem for item in said if not item.holds}
    asserted = {item.stem for item in said if item.holds}
    is_denied = any(subject <= denied - asserted for subject in refusal.subjects if subject)
    return refusal.code != RECORD_MISMATCH and is_denied


def _is_state(item: Said, refusal: Refusal) -> bool:
    return item.stem in refusal.holding | refusal.failing


def _find_labels(said: Sequence[Said], mark: LabelMark) -> bool | None:
    """Return whether the labels that words name of a field are those of a mark, None if none is."""
    labels = {label: _name_label(label) for label in getattr(mark.item.type, "values", ())}
    asserted = {n for n, text in labels.items() for i in said if i.holds and _is_label(i, text)}
    denied = {n for n, text in labels.items() for i in said if not i.holds and _is_label(i, text)}
    if asserted:
        return asserted <= mark.allowed
    return set(labels) - denied <= mark.allowed if denied else None


def _name_label(label: str) -> str:
    return " ".join(split_plain_words(label))


def _is_label(item: Said, label: str) -> bool:
    return item.text == label or (" " not in label and item.stem == trim_word(label))


def _is_bound_stated(said: Sequence[Said], mark: BoundMark) -> bool:
    """Return whether words state a comparison with a limit; without a figure its direction does."""
    if not mark.words <= {item.stem for item in said}:
        return False
    wanted = mark.relation, _normalize_number(mark.limit)
    return any(
        (relation, number) == wanted if number else relation.value[0] == mark.relation.value[0]
        for relation, number in _list_comparisons(said)
    )


def _is_bound_misstated(said: Sequence[Said], refusal: Refusal) -> bool:
    """Return whether words compare with a figure as no bound of a refusal does."""
    marks = {mark for case in refusal.cases for mark in case if isinstance(mark, BoundMark)}
    known = {(mark.relation, _normalize_number(mark.limit)) for mark in marks}
    numbers = {number for _, number in known}
    found = _list_comparisons(said)
    return any(one not in known for one in found if one[1] in numbers)


def _list_comparisons(said: Sequence[Said]) -> list[tuple[Relation, str]]:
    """Return the comparisons that words make, as they are where the refusal comes.

    Each has its figure, "" where there is none.
    """
    found: list[tuple[Relation, str]] = []
    is_exact = True
    for place, item in enumerate(said):
        number = _normalize_number(_NUMBERS.get(item.text, item.text))
        relation = _UP_TO if [one.text for one in said[place : place + 2]] == ["up", "to"] else None
        relation = relation or _RELATIONS.get(item.text)
        if relation is not None:
            found.append((relation if item.holds else relation.opposite, ""))
            # "After three" may be at the third or past it.
            is_exact = item.text not in {"after", "before"}
        elif number[:1].isdigit() and found and not found[-1][1] and is_exact:
            found[-1] = (found[-1][0], number)
    return found


_UP_TO = Relation.LE
_RELATIONS: Mapping[str, Relation] = {
    **dict.fromkeys(UPWARD, Relation.GT),
    **dict.fromkeys(DOWNWARD, Relation.LT),
    **dict.fromkeys(("least", "minimum"), Relation.GE),
    **dict.fromkeys(("most", "maximum"), Relation.LE),
}
