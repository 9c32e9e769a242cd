"""The SOP of a model: the draft's own sections first, then what the model states, all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from sopforge.domain.documents.schema import ControlDocument
from sopforge.domain.model import DomainModel
from sopforge.logic.phrasing.presence import unsaid_presence
from sopforge.logic.variants.changed_models import with_expressions
from sopforge.rendering.sop.document import Line, SopDocument, Style
from sopforge.rendering.sop.draft import Section, draft_sections
from sopforge.rendering.sop.general import FOR_INFORMATION, input_rules
from sopforge.rendering.sop.outdated_prose import up_to_date
from sopforge.rendering.sop.references import PROCEDURE, numbered
from sopforge.rendering.sop.sections.closing import (
    ESCALATION,
    RECORDS,
    escalation_lines,
    hand_over_lines,
    record_lines,
)
from sopforge.rendering.sop.sections.control import UNCONTROLLED, head_lines, retention_lines
from sopforge.rendering.sop.sections.dictionary import DICTIONARY, INPUTS, dictionary_lines
from sopforge.rendering.sop.sections.exceptions import EXCEPTIONS, exception_lines
from sopforge.rendering.sop.sections.fields import entry_line
from sopforge.rendering.sop.sections.opening import opening_sections
from sopforge.rendering.sop.sections.procedure import TERMS, procedure_lines
from sopforge.rendering.sop.sections.results import RESULTS, result_lines
from sopforge.rendering.sop.sections.terms import terms
from sopforge.rendering.sop.sections.values import VALUES, value_lines
from sopforge.rendering.sop.wording import Wording


def render_sop(
    model: DomainModel,
    draft: str,
    context: Sequence[str] = (),
    seed: int | None = None,
    background: str = "",
    *,
    control: ControlDocument = UNCONTROLLED,
) -> SopDocument:
    """Return the SOP: every step, rule, threshold, label and outcome of the model is stated.

    The draft's sections come first, as the expert wrote them, without sentences that contradict the
    model; ``context`` becomes a section, and
    ``background`` says who works by the procedure where there is no draft, and ``control`` how the
    SOP is kept as a document.
    Equal seeds give equal sentences; without one the first wording of each stands.
    """
    model = with_expressions(model, partial(unsaid_presence, fields=model.fields))
    written = up_to_date(model, draft_sections(draft))
    sections = [
        *opening_sections(model, written, background, control.owner or ""),
        *_model_sections(model, Wording(seed)),
    ]
    sections = _closed(model, sections, written, control)
    if context:
        notes = [Line(Style.PARAGRAPH, FOR_INFORMATION), *map(_aside, context)]
        sections.append(Section("Further context", notes))
    title = Line(Style.TITLE, f"Standard Operating Procedure: {model.title}")
    lines = [title, *head_lines(control)]
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
        Section(INPUTS, _inputs(model)),
        Section(PROCEDURE, list(procedure_lines(model, wording))),
        Section(DICTIONARY, list(dictionary_lines(model))),
        Section(VALUES, list(value_lines(model))),
        Section(TERMS, list(terms(model))),
    ]
    return [section for section in sections if section.lines]


def _closed(
    model: DomainModel,
    sections: Sequence[Section],
    written: Sequence[Section],
    control: ControlDocument,
) -> list[Section]:
    """Add the closing sections that the draft lacks, and to those that it has what they lack."""
    titles = [section.title.lower() for section in written]
    closing = _closing_sections(model, control)
    further = [part for part in closing if part.title.lower() not in titles]
    added = {
        EXCEPTIONS.lower(): list(exception_lines(model)),
        ESCALATION.lower(): list(hand_over_lines(model)),
        RECORDS.lower(): list(retention_lines(control)),
    }
    completed = [
        Section(part.title, [*part.lines, *added.get(part.title.lower(), [])])
        if part in written
        else part
        for part in sections
    ]
    return [*completed, *further, Section(RESULTS, list(result_lines(model)))]


def _closing_sections(model: DomainModel, control: ControlDocument) -> list[Section]:
    return [
        Section(EXCEPTIONS, list(exception_lines(model))),
        Section(ESCALATION, list(escalation_lines(model, control.owner or ""))),
        Section(RECORDS, list(record_lines(model, control))),
    ]


def _inputs(model: DomainModel) -> list[Line]:
    openings = [Line(Style.PARAGRAPH, text) for text in input_rules(model)]
    return [*openings, *(entry_line(item) for item in model.inputs)]
