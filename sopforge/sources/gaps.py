"""What a brief says that leads to nothing in a model, and what a model holds without a source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import EnumType, SetType
from sopforge.sources.account import Account
from sopforge.sources.prose.markers import is_binding, iterate_exceptions
from sopforge.sources.prose.quantities import read_quantities
from sopforge.sources.prose.sentences import Kind, Sentence
from sopforge.sources.prose.stems import list_stems

_QUOTED = re.compile(r'"([^"\n]{1,80})"')
_TICKED = re.compile(r"`([^`\n]{1,80})`")
# In a short brief one or two are soon more than one in ten.
_ONE_IN, _FEW = 10, 2


class GapKind(StrEnum):
    """What is not accounted for."""

    SENTENCE = "sentence"
    CLAUSE = "clause"
    FIGURE = "figure"
    LABEL = "label"
    NAME = "name"
    ITEM = "item"


@dataclass(frozen=True, slots=True)
class Gap:
    """What is not accounted for: its words or its name, and the sentence and part it stands in."""

    kind: GapKind
    what: str
    sentence: str = ""
    part: str = ""


def list_names(model: DomainModel) -> tuple[str, ...]:
    """Return the names of a model in which a figure is none: labels, tools, offices, texts."""
    names: list[str] = [*model.offered.tools, *model.tools, *model.hand_overs]
    for item in model.list_introduced_fields().values():
        kinds = (item.type, *(kind for _, kind in getattr(item.type, "fields", ())))
        for kind in kinds:
            if isinstance(kind, EnumType | SetType):
                names += kind.values
        names += getattr(item.type, "pool", ())
    return tuple(dict.fromkeys(names))


def find_gaps(account: Account, model: DomainModel) -> list[Gap]:
    """Return all that is not accounted for, what the brief says first."""
    names = list_names(model)
    found = [
        gap
        for part, sentence in account.iterate_sentences()
        for gap in _iterate_sentence_gaps(account, names, part, sentence)
    ]
    return [*found, *_iterate_items_without_source(account)]


def _iterate_sentence_gaps(
    account: Account, names: Sequence[str], part: str, sentence: Sentence
) -> Iterator[Gap]:
    is_touched = account.is_touched(part, sentence.start, sentence.end)
    if sentence.kind is not Kind.HEADING and not is_touched and is_binding(sentence.text):
        yield Gap(GapKind.SENTENCE, sentence.text, sentence.text, part)
        return
    for clause in iterate_exceptions(sentence.text):
        start, end = sentence.start + clause.start, sentence.start + clause.end
        if is_touched and not account.is_touched(part, start, end):
            yield Gap(GapKind.CLAUSE, clause.text, sentence.text, part)
    for quantity in read_quantities(sentence.text, names):
        start, end = sentence.start + quantity.start, sentence.start + quantity.end
        if not account.is_touched(part, start, end):
            yield Gap(GapKind.FIGURE, quantity.text, sentence.text, part)


def _iterate_items_without_source(account: Account) -> Iterator[Gap]:
    for name, item in account.items.items():
        if item.needs_source and name not in account.cited and name not in account.assumed:
            yield Gap(GapKind.ITEM, name)


def find_unheld_names(account: Account, model: DomainModel, raw: str) -> list[Gap]:
    """Return the quoted labels and back-ticked names of a brief that a model does not have.

    ``raw`` is the brief's prose with its markup.
    """
    known = [list_stems(name) for name in list_known_names(model)]
    found: list[Gap] = []
    for kind, pattern in ((GapKind.LABEL, _QUOTED), (GapKind.NAME, _TICKED)):
        for words in dict.fromkeys(pattern.findall(raw)):
            stems = list_stems(words)
            if not stems or any(stems <= other or other == stems for other in known):
                continue
            if not _is_set_aside(account, words):
                found.append(Gap(kind, words))
    return found


def list_known_names(model: DomainModel) -> tuple[str, ...]:
    """Return all words by which a model calls something."""
    names = list(list_names(model))
    for item in model.list_introduced_fields().values():
        names += [item.name, item.label, item.missing, getattr(item.type, "empty", "")]
    for step in model.steps.values():
        names += [step.title, step.hand_to]
    names += [*model.policy, *model.predicates, *model.parts, *model.entities]
    names += [part.title for part in model.parts.values()]
    return tuple(name for name in names if name)


def _is_set_aside(account: Account, words: str) -> bool:
    """Return whether all places at which words stand are set aside."""
    places = [
        (part, found.start(), found.end())
        for part, prose in account.prose.items()
        for found in re.finditer(re.escape(words), prose.text)
    ]
    return bool(places) and all(account.is_set_aside(*place) for place in places)


def has_too_much_set_aside(account: Account, names: Sequence[str]) -> bool:
    """Return whether more than one in ten of a brief's figures and quoted words is set aside.

    One or two never are too much.
    """
    total = aside = 0
    for part, sentence in account.iterate_sentences():
        spans = [(q.start, q.end) for q in read_quantities(sentence.text, names)]
        spans += [(found.start(), found.end()) for found in _QUOTED.finditer(sentence.text)]
        for start, end in spans:
            total += 1
            aside += account.is_set_aside(part, sentence.start + start, sentence.start + end)
    return aside > _FEW and aside * _ONE_IN > total
