"""Schema: the label of a field reads well in the sentences that the SOP makes with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.checks.words.label_words import LabelFault, find_label_fault
from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import collect_all_read_fields
from sopforge.domain.model import DomainModel, collect_deciding_expressions
from sopforge.domain.values.types import BooleanType, ListType
from sopforge.findings import Finding, make_warning_finding
from sopforge.logic.english import phrase_expression
from sopforge.logic.phrasing.grammar import conjugate_be
from sopforge.workspace import DOMAIN, Workspace

AROUND = 60
"""How many characters of a sentence are shown to either side of a label."""


_SINGLE = LabelFault(
    "is in the singular, but names a list",
    "write a plural, because sentences then read 'there is a defect found whose ...'",
)


@dataclass(frozen=True, slots=True)
class _Labelled:
    """A label with its place, and the words with which sentences name its field."""

    label: str
    where: str
    is_yes_no: bool
    named: tuple[str, ...]


class ReadableLabels:
    """Each label reads well after "the" in rules, steps and results."""

    name = "readable-labels"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model
        faulty = [
            (item, fault)
            for item in _list_labelled(model)
            if (fault := find_label_fault(item.label, is_yes_no=item.is_yes_no))
        ]
        faulty += list(_list_single_lists(model))
        # Most models have no such label, and need no sentences.
        sentences = list(_iterate_sentences(model)) if faulty else []
        found = [_report_label(item, fault, sentences) for item, fault in faulty]
        return [finding for finding in found if finding is not None]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Give what rules read a label that is no noun."""
        model = workspace.model
        read = collect_all_read_fields(collect_deciding_expressions(model))
        labelled = min(
            name for name in read & set(model.case.fields) if not model.fields[name].said
        )

        def give_opinion(document: Parsed) -> None:
            entity = next(iter(document["model"]["entities"].values()))
            entity["fields"][labelled]["label"] = "our opinion"

        return edit_yaml(workspace, DOMAIN, give_opinion)


def _list_labelled(model: DomainModel) -> Iterator[_Labelled]:
    """Yield the labels of all fields, and of what the entries of lists have."""
    for item in model.fields.values():
        is_yes_no = isinstance(item.type, BooleanType)
        yield _Labelled(item.label, item.place, is_yes_no, (f"the {item.label}",))
        kinds = dict(item.type.fields) if isinstance(item.type, ListType) else {}
        for part in item.parts:
            named = (f"entry's {part.label}", f"its {part.label}", f"the {part.label}")
            is_yes_no = isinstance(kinds.get(part.name), BooleanType)
            yield _Labelled(part.label, item.place, is_yes_no, named)


def _list_single_lists(model: DomainModel) -> Iterator[tuple[_Labelled, LabelFault]]:
    """Yield lists with a label in the singular: sentences have no word for one of its entries."""
    for item in model.fields.values():
        if isinstance(item.type, ListType) and conjugate_be(item.label) == "is":
            named = (f"the {item.label} holds",)
            yield _Labelled(item.label, item.place, is_yes_no=False, named=named), _SINGLE


def _iterate_sentences(model: DomainModel) -> Iterator[str]:
    """Yield what the SOP says of conditions, values and answers, as far as labels stand there."""
    for expression in [*collect_deciding_expressions(model), *model.constraints]:
        yield phrase_expression(expression, model.fields)
    for name in model.decisions:
        yield _phrase_answer(model.fields[name])
    ends = [step.end for step in model.steps.values() if step.end]
    for name in dict.fromkeys(name for end in ends for name in end):
        yield _phrase_answer(model.fields[name])


def _phrase_answer(item: Field) -> str:
    """Return the beginning of a sentence that gives a field its value."""
    return "" if item.said else f"the {item.label} {conjugate_be(item.label)} ..."


def _report_label(item: _Labelled, fault: LabelFault, sentences: Iterable[str]) -> Finding | None:
    """Return what is wrong with a label, with a sentence that has it; None where none has."""
    shown = next(
        (_cut_out(text, words) for text in sentences for words in item.named if words in text), ""
    )
    if not shown:
        return None
    return make_warning_finding(
        "label-reads-badly",
        f"the label '{item.label}' {fault.reason}; a sentence would read: {shown}",
        where=item.where,
        evidence=shown,
        hint=fault.hint,
    )


def _cut_out(text: str, words: str) -> str:
    """Return a sentence around some words in it, without what is far from them."""
    place = text.index(words)
    first, last = max(0, place - AROUND), place + len(words) + AROUND
    before, after = "... " if first else "", " ..." if last < len(text) else ""
    return f"{before}{text[first:last].strip()}{after}"


CHECK = ReadableLabels()
