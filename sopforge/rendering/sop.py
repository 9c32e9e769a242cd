"""The SOP of a model: the draft's own sections first, then what the model states, all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sopforge.domain.fields import Role
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Formula
from sopforge.rendering.sop_decisions import calculator_lines
from sopforge.rendering.sop_document import Line, SopDocument, Style
from sopforge.rendering.sop_draft import Section, draft_sections
from sopforge.rendering.sop_exceptions import (
    EXCEPTIONS,
    escalation_lines,
    exception_lines,
    record_lines,
)
from sopforge.rendering.sop_fields import entry_line
from sopforge.rendering.sop_general import FOR_INFORMATION, input_rules
from sopforge.rendering.sop_opening import opening_sections
from sopforge.rendering.sop_procedure import TERMS, VALUES, procedure_lines
from sopforge.rendering.sop_references import PROCEDURE, numbered
from sopforge.rendering.sop_results import RESULTS, result_lines
from sopforge.rendering.sop_terms import terms
from sopforge.rendering.sop_wording import Wording


def render_sop(
    model: DomainModel,
    draft: str,
    context: Sequence[str] = (),
    seed: int | None = None,
    background: str = "",
) -> SopDocument:
    """Return the SOP: every step, rule, threshold, label and outcome of the model is stated.

    The draft's sections come first, as the expert wrote them; ``context`` becomes a section, and
    ``background`` says who works by the procedure where there is no draft.
    Equal seeds give equal sentences; without one the first wording of each stands.
    """
    written = draft_sections(draft)
    sections = [
        *opening_sections(model, written, background),
        *_model_sections(model, Wording(seed)),
    ]
    sections = _closed(model, sections, written)
    if context:
        notes = [Line(Style.PARAGRAPH, FOR_INFORMATION), *map(_aside, context)]
        sections.append(Section("Further context", notes))
    lines = [Line(Style.TITLE, f"Standard Operating Procedure: {model.title}")]
    for number, section in enumerate(sections, start=1):
        lines.append(Line(Style.SECTION, f"{number}. {section.title}"))
        lines += numbered(section.lines, sections)
    return SopDocument(tuple(replace(line, text=_unbroken(line.text)) for line in lines))


def _unbroken(text: str) -> str:
    """Return a text of the brief without its line breaks, for a line of the SOP is one line."""
    return " ".join(text.split())


def _aside(text: str) -> Line:
    return Line(Style.BULLET, text, excused="tangential")


def _model_sections(model: DomainModel, wording: Wording) -> list[Section]:
    sections = [
        Section("Inputs", _inputs(model)),
        Section(PROCEDURE, list(procedure_lines(model, wording))),
        Section(VALUES, list(_formulas(model))),
        Section(TERMS, list(terms(model))),
    ]
    return [section for section in sections if section.lines]


def _closed(
    model: DomainModel, sections: Sequence[Section], written: Sequence[Section]
) -> list[Section]:
    """Add the closing sections that the draft lacks; its exceptions get those of the tools."""
    titles = [section.title.lower() for section in written]
    further = [part for part in _closing_sections(model) if part.title.lower() not in titles]
    completed = [
        Section(part.title, [*part.lines, *exception_lines(model)])
        if part in written and part.title.lower() == EXCEPTIONS.lower()
        else part
        for part in sections
    ]
    return [*completed, *further, Section(RESULTS, list(result_lines(model)))]


def _closing_sections(model: DomainModel) -> list[Section]:
    return [
        Section(EXCEPTIONS, list(exception_lines(model))),
        Section("Escalation", list(escalation_lines(model))),
        Section("Records", list(record_lines(model))),
    ]


def _inputs(model: DomainModel) -> list[Line]:
    openings = [Line(Style.PARAGRAPH, text) for text in input_rules(model)]
    return [*openings, *(entry_line(item) for item in model.inputs)]


def _formulas(model: DomainModel) -> Iterator[Line]:
    decided = {target for step in model.steps.values() for target in step.decide}
    derived = {item.name for item in model.with_role(Role.DERIVED)} - decided
    computed = [name for name in model.fields if name in derived]
    if computed:
        text = "The calculators work as follows; their results are used as they are returned."
        yield Line(Style.PARAGRAPH, text)
    for name in computed:
        decision = model.decisions.get(name)
        if isinstance(decision, Formula):
            yield from calculator_lines(model, decision)
