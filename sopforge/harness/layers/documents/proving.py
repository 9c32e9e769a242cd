"""The proof that a handbook says what the SOP says, from nothing but what is opened of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sopforge.harness.layers.documents.document import Document, EntryPage
from sopforge.harness.layers.documents.handbook import Handbook
from sopforge.harness.layers.documents.shelf import LackingPassageError, Shelf, find_main_section
from sopforge.harness.layers.documents.stating import (
    NUMBER,
    read_document,
    read_entry_page,
    read_sheet,
    write_entry_page,
)
from sopforge.harness.layers.text.passages import name_step
from sopforge.harness.layers.text.read_decisions import find_decided_otherwise
from sopforge.harness.layers.text.read_steps import number_steps
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.tool_calls import Refused
from sopforge.proof.dataset.records import Row


class UnsoundHandbookError(AssertionError):
    """A handbook does not say what the SOP says."""


def prove_handbook(
    handbook: Handbook, sop: str, model: DomainModel, rows: Mapping[str, Row]
) -> None:
    """Return if what binds is the SOP, decides as the model does, and can be reached.

    Each line of the SOP stands in one document that binds, and nothing else seems to bind: what
    does not says whose it is, or when it holds. ``rows`` are the cases that are decided by what was
    read.

    Raises:
        UnsoundHandbookError: it does not.
    """
    page = read_entry_page(
        write_entry_page(handbook.page, handbook.procedure, len(handbook.documents))
    )
    if page != handbook.page:
        raise UnsoundHandbookError("the entry page does not read back")
    documents = [_open(handbook, item.number) for item in handbook.documents]
    binding = {item.number: item for item in documents if item.is_binding(page.desk, page.today)}
    text = _follow(page, binding)
    if "\n".join(line for item in text for line in item.lines) != sop:
        raise UnsoundHandbookError("the binding documents do not give back the SOP")
    sheets = {item.sheet for item in handbook.tools}
    if binding.keys() != {item.number for item in text} | sheets:
        raise UnsoundHandbookError("a document that is not a part of the procedure binds")
    if any(read_sheet(binding[number]) is None for number in sheets):
        raise UnsoundHandbookError("a tool is not described")
    _prove_reachable(handbook, page, binding, model)
    _prove_decisions(sop, binding[page.start], model, rows)


def _open(handbook: Handbook, number: int) -> Document:
    reply = handbook.answer_opening({NUMBER: number})
    return read_document(reply.result if isinstance(reply.result, dict) else {})


def _follow(page: EntryPage, binding: Mapping[int, Document]) -> list[Document]:
    """Return the documents that bind in the order that their own words say."""
    found: list[Document] = []
    number = page.first
    while number in binding and len(found) < len(binding):
        found.append(binding[number])
        number = binding[number].goes_on or binding[number].follows
    return found


def _prove_reachable(
    handbook: Handbook, page: EntryPage, binding: Mapping[int, Document], model: DomainModel
) -> None:
    """Follow references from the entry page to all that binds, and to each step as cases go."""

    def call(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, object] | Refused:
        answer = handbook.answer_opening if tool == page.open else handbook.answer_search
        reply = answer(arguments)
        if not isinstance(reply.result, dict):
            return Refused(reply.refusal, reply.message)
        return reply.result

    try:
        whole = Shelf(call, page)
        whole.take_all()
        shelf = Shelf(call, page)
        _walk_steps(shelf, model)
    except LackingPassageError as lacking:
        raise UnsoundHandbookError(f"no reference leads to {lacking}") from lacking
    if whole.held.keys() != binding.keys():
        raise UnsoundHandbookError("no reference leads to a document that binds")


def _walk_steps(shelf: Shelf, model: DomainModel) -> None:
    """Consult all steps, each after one from which a case can come to it."""
    main = shelf.find_main_section()
    shelf.open_needed(f"section {main}")
    numbers = number_steps(model, main)
    left, seen = [model.start], set[str]()
    while left:
        step = model.steps[left.pop()]
        if step.id in seen:
            continue
        seen.add(step.id)
        if shelf.locate(name_step(numbers[step.id])) is None:
            raise LackingPassageError(name_step(numbers[step.id]))
        shelf.open_needed(name_step(numbers[step.id]))
        edges = [*step.edges, *step.refusals.values()]
        left += [edge.to for edge in edges] + [edge.then for edge in edges if edge.then]
        left += [model.parts[step.do].start] if step.do else []


def _prove_decisions(
    text: str, start: Document, model: DomainModel, rows: Mapping[str, Row]
) -> None:
    """Decide all cases by what is read."""
    differing = find_decided_otherwise(text, find_main_section(start), model, rows)
    if differing:
        raise UnsoundHandbookError(f"the binding documents decide {min(differing)} differently")
