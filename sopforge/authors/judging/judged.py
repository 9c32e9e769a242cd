"""What was said of cases by passages alone, as it is stored, and what the model says of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from sopforge.authors.judging.cases import Case, list_passages
from sopforge.authors.judging.forks import Fork, Known, find_stored, list_forks, work_out
from sopforge.authors.sources.account import Account
from sopforge.language.domain.documents.schema_terms import Strict
from sopforge.language.domain.documents.validation import validate
from sopforge.language.domain.documents.yaml_documents import read_document, write_document
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import ValueNotAllowedError
from sopforge.proof.comparing.asking.grounds import Grounds
from sopforge.proof.comparing.asking.questions import Question, View, sort_questions, write_denial

_NUMBER = re.compile(r"\d{4}-\d\d-\d\d|-?\d[\d,]*(?:\.\d+)?")


class JudgedDocument(Strict):
    """What the judge said of a case: its result by the passages, or those that they rule out.

    Both are empty where the passages say nothing of the case. ``case`` is what the judge was
    shown, which are the facts ``shown`` by name; ``row`` has as cells what decides in the model.
    """

    about: str
    item: str
    passages: tuple[str, ...]
    case: str
    shown: tuple[str, ...]
    row: dict[str, str]
    result: str = ""
    excluded: tuple[str, ...] = ()
    why: str = ""

    @property
    def subject(self) -> tuple[str, tuple[str, ...]]:
        """What is asked of which passages, which is the same for several cases."""
        return self.about, self.passages

    @property
    def key(self) -> tuple[object, ...]:
        """What was asked."""
        return self.subject, self.item, self.case


class ClausesDocument(Strict):
    """``clauses.yaml``: the cases that were judged."""

    format: Literal[1]
    judged: tuple[JudgedDocument, ...]


def read_judged(text: str, name: str) -> tuple[JudgedDocument, ...]:
    """Return what was judged.

    Raises:
        MaterialError: the document has faults.
    """
    return validate(read_document(text, name), ClausesDocument).judged


def write_judged(judged: Iterable[JudgedDocument]) -> str:
    """Return what was judged as a document."""
    listed = [item.model_dump(mode="json", exclude_defaults=True) for item in judged]
    return write_document({"format": 1, "judged": listed})


def make_judged(model: DomainModel, case: Case) -> JudgedDocument:
    """Return a case as a document, of which nothing has been said yet."""
    row = {name: model.fields[name].format_cell(value) for name, value in case.row.items()}
    return JudgedDocument(
        about=case.fork.about,
        item=case.item,
        passages=case.passages,
        case=case.describe(model),
        shown=case.shown,
        row=row,
    )


def select_cases(
    model: DomainModel, account: Account, judged: Iterable[JudgedDocument]
) -> Iterator[tuple[JudgedDocument, Case]]:
    """Yield what was judged that can still be compared with a model, each as a case of it.

    That is not so where the item is gone or cites other sentences, where it decides by facts that
    were not shown, and where something before it decides the case.
    """
    forks = {fork.about: fork for fork in list_forks(model)}
    for item in judged:
        case = _read_case(model, account, forks.get(item.about), item)
        if case is not None:
            yield item, case


def _read_case(
    model: DomainModel, account: Account, fork: Fork | None, judged: JudgedDocument
) -> Case | None:
    names = [item.item for item in fork.alternatives] if fork else []
    if fork is None or judged.item not in names:
        return None
    place = names.index(judged.item)
    stored = find_stored(model, fork.list_reads(len(names) - 1))
    is_same = list_passages(model, account, fork, place) == judged.passages
    if not is_same or stored is None or not set(stored) <= set(judged.row) <= set(model.fields):
        return None
    try:
        row = {name: model.fields[name].parse(cell) for name, cell in judged.row.items()}
    except ValueNotAllowedError:
        return None
    found = fork.find_place(work_out(model, row))
    is_shown = set(fork.list_reads(place)) <= set(judged.shown)
    is_tried = found is None or found >= place
    return Case(fork, place, judged.passages, row, judged.shown) if is_shown and is_tried else None


def list_clause_questions(
    model: DomainModel,
    account: Account,
    judged: Iterable[JudgedDocument],
    changed: Sequence[DomainModel] = (),
) -> tuple[Question, ...]:
    """Return a question for each case in which a model and its passages differ.

    Where one of the ``changed`` models decides a case as the passages say, the question what is
    right there is the one by which that model differs, and is left out.
    """
    return sort_questions([*_iterate_questions(model, account, judged, changed)])


def _iterate_questions(
    model: DomainModel,
    account: Account,
    judged: Iterable[JudgedDocument],
    changed: Sequence[DomainModel],
) -> Iterator[Question]:
    forks = [(other, {fork.about: fork for fork in list_forks(other)}) for other in changed]
    grounds = Grounds(model).known
    for item, case in select_cases(model, account, judged):
        known = work_out(model, case.row)
        said = _find_other_answer(case, known, item)
        is_settled = any(_is_followed(other, of.get(item.about), item) for other, of in forks)
        if said and not is_settled:
            place = case.fork.find_place(known)
            deciding = case.fork.alternatives[place].item if place is not None else ""
            because = (grounds[deciding].words,) if deciding in grounds else ()
            first = View({case.fork.label: case.fork.answer(known)}, because, items=(deciding,))
            second = View({case.fork.label: said}, (item.why,), item.passages)
            yield Question(case.list_facts(model), first, second, cases=0, drawn=0)


def _is_followed(model: DomainModel, fork: Fork | None, judged: JudgedDocument) -> bool:
    """Return whether a model that differs in one thing decides a case as its passages say."""
    names = [item.item for item in fork.alternatives] if fork else []
    if fork is None or judged.item not in names:
        return False
    row = {name: model.fields[name].parse(cell) for name, cell in judged.row.items()}
    case = Case(fork, names.index(judged.item), judged.passages, row, judged.shown)
    return not _find_other_answer(case, work_out(model, row), judged)


def _find_other_answer(case: Case, known: Known, judged: JudgedDocument) -> str:
    """Return what passages say of a case where the model decides otherwise, "" where it does not.

    Where an alternative applies that rests on them, they must say its result. Where none does, they
    may say anything but that. What cannot be read is no difference.
    """
    fork, answer, place = case.fork, case.fork.answer(known), case.fork.find_place(known)
    result = _read_result(fork, judged.result)
    if place is None or fork.alternatives[place].item != case.item:
        own = {fork.say(item, known) for item in fork.alternatives if item.item == case.item}
        return result if result in own - {answer} else ""
    if result or judged.result:
        return result if result != answer else ""
    excluded = {_read_result(fork, said) for said in judged.excluded}
    return write_denial(answer) if answer in excluded or not excluded else ""


def _read_result(fork: Fork, said: str) -> str:
    """Return a result as the model writes it, "" where it is none of the fork's."""
    named = {result.casefold(): result for result in fork.results}
    number = _NUMBER.search(said)
    if said.strip().casefold() in named or fork.field is None or number is None:
        return named.get(said.strip().casefold(), "")
    try:
        return fork.field.format_cell(fork.field.parse(number[0].replace(",", "")))
    except ValueNotAllowedError:
        return ""
