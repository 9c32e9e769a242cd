"""What a brief says that leads to nothing in a model, and what a model holds without a source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from sopforge.authors.sources.account import Account, list_names
from sopforge.authors.sources.differences import QUOTED
from sopforge.authors.sources.prose.sentences import Sentence, SentenceKind
from sopforge.language.domain.building.field_parts.labels import is_read_as_missing
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import BOOLEAN_WORDS
from sopforge.morphology import list_stems

_TICKED = re.compile(r"`([^`\n]{1,80})`")
# In a short brief one or two are soon more than one in ten.
_ONE_IN, _FEW = 10, 2
_SUMMARIES = frozenset({"business_task"})
"""Parts that say in a sentence what the others say in full."""
_HISTORY = "history"
_COVERED = 1 / 4
"""What share of a sentence has to be quoted, at the least."""


class GapKind(StrEnum):
    """What is not accounted for."""

    SENTENCE = "sentence"
    FIGURE = "figure"
    LABEL = "label"
    NAME = "name"
    ITEM = "item"
    ADDITION = "addition"


@dataclass(frozen=True, slots=True)
class Gap:
    """What is not accounted for: its words or its name, and the sentence and part it stands in."""

    kind: GapKind
    what: str
    sentence: str = ""
    part: str = ""


def find_gaps(account: Account, model: DomainModel, raw: str) -> list[Gap]:
    """Return all that is not accounted for, what the brief says first.

    ``raw`` is the brief's prose with its markup.
    """
    sentences = account.iterate_sentences()
    found = [gap for place in sentences for gap in _iterate_sentence_gaps(account, *place)]
    return [
        *found,
        *_iterate_dropped_additions(account),
        *(
            Gap(GapKind.ITEM, name)
            for name, item in account.items.items()
            if item.needs_source and name not in account.cited and name not in account.assumed
        ),
        *_iterate_unheld_names(account, model, raw),
    ]


def _iterate_sentence_gaps(account: Account, part: str, sentence: Sentence) -> Iterator[Gap]:
    if sentence.kind is SentenceKind.HEADING:
        return
    is_open = account.measure_cover(part, sentence.start, sentence.end) < _COVERED
    if part not in _SUMMARIES and is_open and account.may_bind(sentence.text):
        yield Gap(GapKind.SENTENCE, sentence.text, sentence.text, part)
        return
    for quantity in account.read_quantities(sentence.text):
        start, end = sentence.start + quantity.start, sentence.start + quantity.end
        if not (quantity.is_small or account.measure_cover(part, start, end)):
            yield Gap(GapKind.FIGURE, quantity.text, sentence.text, part)


def _iterate_dropped_additions(account: Account) -> Iterator[Gap]:
    """Yield the additions from which nothing comes, as if they were history: they are what counts.

    Words that an addition takes back may be set aside where others of it are cited.
    """
    for part, prose in account.prose.items():
        passages = [item for item in account.passages if item.part == part]
        is_dropped = any(item.because == _HISTORY for item in passages)
        if part.startswith("context") and is_dropped and not any(p.items for p in passages):
            yield Gap(GapKind.ADDITION, prose.text, prose.text, part)


def _iterate_unheld_names(account: Account, model: DomainModel, raw: str) -> Iterator[Gap]:
    """Yield the quoted labels and back-ticked names of a brief that a model does not have."""
    sentences = [sentence for _, sentence in account.iterate_sentences()]
    headings = [item.text for item in sentences if item.kind is SentenceKind.HEADING]
    quoted = [words for item in sentences for words in QUOTED.findall(item.text)]
    known = [{*list_stems(text)} for text in (*list_known_names(model), *headings)]
    for kind, names in ((GapKind.LABEL, quoted), (GapKind.NAME, _TICKED.findall(raw))):
        for words in dict.fromkeys(names):
            stems = {*list_stems(words)}
            is_known = is_read_as_missing(words) or any(stems <= other for other in known)
            if stems and not (is_known or _is_excused(account, words)):
                yield Gap(kind, words)


def list_known_names(model: DomainModel) -> tuple[str, ...]:
    """Return all words by which a model calls something."""
    names = list(list_names(model))
    for item in model.list_introduced_fields().values():
        names += [item.name, item.label, item.missing, getattr(item.type, "empty", "")]
    for step in model.steps.values():
        names += [step.title, step.hand_to, step.by]
    names += [f"{tool.name} {tool.description}" for tool in model.offered.tools.values()]
    names += [*BOOLEAN_WORDS, *model.policy, *model.predicates, *model.parts, *model.entities]
    names += [part.title for part in model.parts.values()]
    return tuple(name for name in names if name)


def _is_excused(account: Account, words: str) -> bool:
    """Return whether words are set aside wherever they stand, or an assumption speaks of them."""
    places = [
        (part, found.start(), found.end())
        for part, prose in account.prose.items()
        for found in re.finditer(re.escape(words), prose.text)
    ]
    is_aside = bool(places) and all(account.is_set_aside(*place) for place in places)
    return is_aside or any(words.lower() in says.lower() for says in account.assumed.values())


def has_too_much_set_aside(account: Account) -> bool:
    """Return whether more than one in ten of a brief's figures and quoted words is set aside.

    One or two never are too much.
    """
    aside = [
        account.is_set_aside(part, sentence.start + start, sentence.start + end)
        for part, sentence in account.iterate_sentences()
        if part not in account.examples
        for start, end in _iterate_spans(account, sentence)
    ]
    return sum(aside) > _FEW and sum(aside) * _ONE_IN > len(aside)


def _iterate_spans(account: Account, sentence: Sentence) -> Iterator[tuple[int, int]]:
    """Yield where the figures and quoted words of a sentence stand in it."""
    for quantity in account.read_quantities(sentence.text):
        if not quantity.is_small:
            yield quantity.start, quantity.end
    yield from (found.span() for found in QUOTED.finditer(sentence.text))
