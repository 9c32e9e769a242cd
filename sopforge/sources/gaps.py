"""What a brief says that leads to nothing in a model, and what a model holds without a source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from sopforge.domain.building.labels import is_read_as_missing
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import BOOLEAN_WORDS
from sopforge.sources.account import Account, list_names
from sopforge.sources.agreement.figures import is_said_not_to_count
from sopforge.sources.pieces import find_open_pieces, iterate_held_asides
from sopforge.sources.prose.bounds import read_limits
from sopforge.sources.prose.markers import (
    count_negations,
    is_binding,
    iterate_exceptions,
    split_last_clause,
)
from sopforge.sources.prose.quantities import read_quantities
from sopforge.sources.prose.sentences import Kind, Sentence
from sopforge.sources.prose.stems import list_stems

_QUOTED = re.compile(r'"([^"\n]{1,80})"')
_TICKED = re.compile(r"`([^`\n]{1,80})`")
# In a short brief one or two are soon more than one in ten.
_ONE_IN, _FEW = 10, 2


_SUMMARIES = frozenset({"business_task"})
"""Parts that say in a sentence what the others say in full."""


_COUNTED = (
    r"(two|three|four|five|six|seven|eight|nine|ten|\d+)"
    r" (?:things|entries|fields|results|values|answers|outcomes)"
)
_RECORDED = re.compile(
    rf"\b(?:enter|record|write|note|state|give|fill|report)\w*\b[^.;]{{0,30}}?\b{_COUNTED}\b"
    rf"|\b{_COUNTED} (?:are|is) (?:recorded|entered|written|noted|stated)\b",
    re.IGNORECASE,
)
_GOING_ON = re.compile(r"\b(?:too|as well|likewise|also)\W*$", re.IGNORECASE)
_COVERED = 1 / 4
"""What share of a sentence has to be quoted, at the least."""


class GapKind(StrEnum):
    """What is not accounted for."""

    SENTENCE = "sentence"
    CLAUSE = "clause"
    FIGURE = "figure"
    LABEL = "label"
    NAME = "name"
    ITEM = "item"
    COUNT = "count"
    ADDITION = "addition"
    PIECE = "piece"
    ASIDE = "aside"


@dataclass(frozen=True, slots=True)
class Gap:
    """What is not accounted for: its words or its name, and the sentence and part it stands in."""

    kind: GapKind
    what: str
    sentence: str = ""
    part: str = ""


def find_gaps(account: Account) -> list[Gap]:
    """Return all that is not accounted for, what the brief says first."""
    found = [
        gap
        for part, sentence in account.iterate_sentences()
        for gap in _iterate_sentence_gaps(account, part, sentence)
    ]
    found += _iterate_dropped_additions(account)
    found += [
        Gap(GapKind.ASIDE, account.quote(passage), sentence.text, passage.part)
        for passage, sentence in iterate_held_asides(account)
    ]
    return [*found, *_iterate_other_counts(account), *_iterate_items_without_source(account)]


def _iterate_dropped_additions(account: Account) -> Iterator[Gap]:
    """Yield the figures of additions that are set aside as history: they are what counts."""
    for part, sentence in account.iterate_sentences():
        for quantity in (
            account.read_quantities(sentence.text) if part.startswith("context") else ()
        ):
            start, end = sentence.start + quantity.start, sentence.start + quantity.end
            # A day may be that of the addition itself.
            is_amount = not (quantity.is_small or quantity.is_day)
            before = split_last_clause(sentence.text[: quantity.start])
            is_denied = count_negations(before) or is_said_not_to_count(sentence.text, quantity)
            is_said = is_amount and not is_denied
            reasons = {p.because for p in account.passages if p.covers(part, start, end)}
            if is_said and is_binding(sentence.text) and "history" in reasons:
                yield Gap(GapKind.ADDITION, quantity.text, sentence.text, part)


def _iterate_sentence_gaps(account: Account, part: str, sentence: Sentence) -> Iterator[Gap]:
    if sentence.kind is Kind.HEADING:
        return
    is_open = account.measure_cover(part, sentence.start, sentence.end) < _COVERED
    if part not in _SUMMARIES and is_open and _may_bind(account, sentence.text):
        yield Gap(GapKind.SENTENCE, sentence.text, sentence.text, part)
        return
    found = list(_iterate_marked_gaps(account, part, sentence))
    yield from found
    for piece in find_open_pieces(account, part, sentence) if part not in _SUMMARIES else ():
        # An exception and a figure are shown by themselves.
        if not any(gap.what in piece.text or piece.text in gap.what for gap in found):
            yield Gap(GapKind.PIECE, piece.text, sentence.text, part)


def _may_bind(account: Account, text: str) -> bool:
    """Return whether a sentence may be a rule, or goes on with one: "held cases are graded too"."""
    if is_binding(text) or not _GOING_ON.search(text):
        return is_binding(text)
    results = " ".join(label for labels in account.outcome_labels for label in labels)
    return bool(list_stems(text) & list_stems(results))


def _iterate_marked_gaps(account: Account, part: str, sentence: Sentence) -> Iterator[Gap]:
    """Yield the exceptions and figures of a sentence that lead to nothing."""
    is_touched = account.is_touched(part, sentence.start, sentence.end)
    for clause in iterate_exceptions(sentence.text):
        start, end = sentence.start + clause.start, sentence.start + clause.end
        if is_touched and not account.is_touched(part, start, end):
            yield Gap(GapKind.CLAUSE, clause.text, sentence.text, part)
    found = account.read_quantities(sentence.text)
    limits = {limit.quantity for limit in read_limits(sentence.text, found)}
    for quantity in found:
        start, end = sentence.start + quantity.start, sentence.start + quantity.end
        is_bound = quantity in limits and quantity.value > 1
        if (not quantity.is_small or is_bound) and not account.is_touched(part, start, end):
            yield Gap(GapKind.FIGURE, quantity.text, sentence.text, part)


def _iterate_other_counts(account: Account) -> Iterator[Gap]:
    """Yield the sentences that count what is recorded, and not as the model does."""
    for part, sentence in account.iterate_sentences():
        counted = _RECORDED.search(sentence.text)
        if counted is None:
            continue
        [number] = read_quantities(counted[1] or counted[2])
        if number.value != account.recorded:
            yield Gap(GapKind.COUNT, str(account.recorded), sentence.text, part)


def _iterate_items_without_source(account: Account) -> Iterator[Gap]:
    for name, item in account.items.items():
        if item.needs_source and name not in account.cited and name not in account.assumed:
            yield Gap(GapKind.ITEM, name)


def find_unheld_names(account: Account, model: DomainModel, raw: str) -> list[Gap]:
    """Return the quoted labels and back-ticked names of a brief that a model does not have.

    ``raw`` is the brief's prose with its markup.
    """
    names_known = list_known_names(model)
    known = [list_stems(name) for name in names_known]
    listed = _collect_listed(account)
    headings = _list_headings(account)
    quoted = [
        words
        for _, sentence in account.iterate_sentences()
        for words in _QUOTED.findall(sentence.text)
        if list_stems(words) not in headings
    ]
    found: list[Gap] = []
    for kind, names in ((GapKind.LABEL, quoted), (GapKind.NAME, _TICKED.findall(raw))):
        for words in dict.fromkeys(names):
            stems = list_stems(words)
            is_label = kind is GapKind.LABEL and words in listed
            is_known = words in names_known if is_label else any(stems <= other for other in known)
            if not stems or is_read_as_missing(words) or is_known:
                continue
            if not _is_set_aside(account, words) and not _is_assumed(account, words):
                found.append(Gap(kind, words))
    return found


def _list_headings(account: Account) -> list[frozenset[str]]:
    """Return the words of the brief's headings, to which it refers by their names."""
    sentences = (sentence for _, sentence in account.iterate_sentences())
    return [list_stems(item.text) for item in sentences if item.kind is Kind.HEADING]


def _collect_listed(account: Account) -> frozenset[str]:
    """Return the quoted words in capitals: the same word in small letters is no such label."""
    return frozenset(
        words
        for _, sentence in account.iterate_sentences()
        for words in _QUOTED.findall(sentence.text)
        if words.isupper()
    )


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


def _is_set_aside(account: Account, words: str) -> bool:
    """Return whether all places at which words stand are set aside."""
    places = [
        (part, found.start(), found.end())
        for part, prose in account.prose.items()
        for found in re.finditer(re.escape(words), prose.text)
    ]
    return bool(places) and all(account.is_set_aside(*place) for place in places)


def _is_assumed(account: Account, words: str) -> bool:
    """Return whether an assumption says what becomes of a label: that is for a person to judge."""
    wanted = list_stems(words)
    return any(wanted <= list_stems(says) for says in account.assumed.values())


def has_too_much_set_aside(account: Account) -> bool:
    """Return whether more than one in ten of a brief's figures and quoted words is set aside.

    One or two never are too much.
    """
    total = aside = 0
    for part, sentence in account.iterate_sentences():
        if part in account.examples:
            continue
        spans = [(q.start, q.end) for q in account.read_quantities(sentence.text) if not q.is_small]
        spans += [(found.start(), found.end()) for found in _QUOTED.finditer(sentence.text)]
        for start, end in spans:
            total += 1
            aside += account.is_set_aside(part, sentence.start + start, sentence.start + end)
    return aside > _FEW and aside * _ONE_IN > total
