"""The SOP of a model: the draft's own sections first, then what the model states, all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from sopforge.domain.documents.schema import ControlDocument, SopForm
from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import Expression
from sopforge.domain.model import DomainModel
from sopforge.logic.phrasing.denials import resolve_denials
from sopforge.logic.phrasing.presence import drop_implied_presence
from sopforge.logic.variants.changed_models import with_expressions
from sopforge.rendering.sop.document import Line, SopDocument, Style
from sopforge.rendering.sop.draft import Section, parse_draft_sections
from sopforge.rendering.sop.forms import FORMS, Form
from sopforge.rendering.sop.general import FOR_INFORMATION, render_input_rules
from sopforge.rendering.sop.meanings import add_meanings
from sopforge.rendering.sop.named_conditions import (
    add_pointers,
    name_conditions,
    render_named_conditions,
)
from sopforge.rendering.sop.outdated_prose import filter_current_sections
from sopforge.rendering.sop.references import (
    INPUTS,
    PROCEDURE,
    RECORDS,
    RESULTS,
    name_part_section,
    number_references,
)
from sopforge.rendering.sop.sections.closing import (
    ESCALATION,
    render_escalation,
    render_hand_overs,
    render_records,
)
from sopforge.rendering.sop.sections.control import (
    UNCONTROLLED,
    render_document_head,
    render_retention,
)
from sopforge.rendering.sop.sections.dictionary import DICTIONARY, render_dictionary
from sopforge.rendering.sop.sections.exceptions import EXCEPTIONS, render_exceptions
from sopforge.rendering.sop.sections.fields import (
    list_label_owners,
    name_shared_labels,
    render_entry,
)
from sopforge.rendering.sop.sections.opening import DEFINITIONS, ROLES, complete_opening_sections
from sopforge.rendering.sop.sections.procedure import (
    TERMS,
    StepStyle,
    render_part,
    render_procedure,
)
from sopforge.rendering.sop.sections.results import render_results
from sopforge.rendering.sop.sections.terms import render_terms
from sopforge.rendering.sop.sections.values import VALUES, render_values
from sopforge.rendering.sop.wording import Wording


def render_sop(
    model: DomainModel,
    draft: str,
    context: Sequence[str] = (),
    seed: int | None = None,
    background: str = "",
    *,
    control: ControlDocument = UNCONTROLLED,
    form: SopForm = "manual",
) -> SopDocument:
    """Return the SOP: every step, rule, threshold, label and outcome of the model is stated.

    The draft's sections come first, as the expert wrote them, without sentences that contradict the
    model; ``context`` becomes a section, and
    ``background`` says who works by the procedure where there is no draft, ``control`` how the SOP
    is kept as a document, and ``form`` how long it is and how it is arranged.
    Equal seeds give equal sentences; without one the first wording of each stands.
    """
    plain = model
    terms = list(render_named_conditions(model)) if FORMS[form].has_definitions else []
    spelled = with_expressions(model, partial(_say_plainly, fields=model.fields))
    model = name_conditions(model) if terms else model
    model = with_expressions(model, partial(_say_plainly, fields=model.fields))
    written = filter_current_sections(model, parse_draft_sections(draft))
    style = StepStyle(
        Wording(seed),
        has_dictionary=FORMS[form].explains_all_values,
        names_roles=_is_role_named(model, written, FORMS[form]),
    )
    sections = [
        *complete_opening_sections(model, written, background, control.owner or "", terms),
        *_build_model_sections(model, style),
        Section(TERMS, list(render_terms(spelled))),
    ]
    sections = _add_closing_sections(model, sections, written, control, FORMS[form])
    sections = FORMS[form].arrange(sections)
    if context:
        notes = [Line(Style.PARAGRAPH, FOR_INFORMATION), *map(_make_aside, context)]
        sections.append(Section("Further context", notes))
    title = Line(Style.TITLE, f"Standard Operating Procedure: {model.title}")
    lines = [title, *render_document_head(control)]
    for number, section in enumerate(sections, start=1):
        lines.append(Line(Style.SECTION, f"{number}. {section.title}"))
        lines += number_references(section.lines, sections, model.parts)
    lines = add_pointers(plain, lines) if terms else lines
    if FORMS[form].explains_constants:
        lines = list(add_meanings(model, lines))
    return SopDocument(tuple(replace(line, text=_remove_line_breaks(line.text)) for line in lines))


def _say_plainly(expression: Expression, fields: Mapping[str, Field]) -> Expression:
    """Return an expression without denied groups, and without what its other words imply."""
    return drop_implied_presence(resolve_denials(expression), fields)


def _remove_line_breaks(text: str) -> str:
    """Return a text of the brief without its line breaks, for a line of the SOP is one line."""
    return " ".join(text.split())


def _make_aside(text: str) -> Line:
    return Line(Style.BULLET, text, excused="tangential")


def _is_role_named(model: DomainModel, written: Sequence[Section], form: Form) -> bool:
    """Return whether each step has to say who carries it out, for no section does.

    The roles say which steps each of them carries out, unless the draft has a section of its own.
    """
    is_one = len({step.by for step in model.steps.values()}) == 1
    has_own = any(section.title.lower() == ROLES.lower() for section in written)
    return not form.explains_all_values or (has_own and not is_one)


def _build_model_sections(model: DomainModel, style: StepStyle) -> list[Section]:
    sections = [
        Section(INPUTS, _render_inputs(model)),
        Section(PROCEDURE, list(render_procedure(model, style))),
        *(
            Section(name_part_section(part), list(render_part(model, part, style)))
            for part in model.parts.values()
        ),
        Section(DICTIONARY, list(render_dictionary(model, is_full=style.has_dictionary))),
        Section(VALUES, list(render_values(model))),
    ]
    return [section for section in sections if section.lines]


def _add_closing_sections(
    model: DomainModel,
    sections: Sequence[Section],
    written: Sequence[Section],
    control: ControlDocument,
    form: Form,
) -> list[Section]:
    """Add the closing sections that the draft lacks, and to those that it has what they lack."""
    titles = [section.title.lower() for section in written]
    closing = _build_closing_sections(model, control, form)
    further = [part for part in closing if part.title.lower() not in titles]
    added = {
        EXCEPTIONS.lower(): list(render_exceptions(model)),
        ESCALATION.lower(): list(render_hand_overs(model)),
        RECORDS.lower(): list(render_retention(control)),
    }
    completed = [
        Section(part.title, [*part.lines, *added.get(part.title.lower(), [])])
        if part in written
        else part
        for part in sections
    ]
    is_defined = DEFINITIONS.lower() not in (*form.left_out, *titles)
    results = Section(RESULTS, list(render_results(model, is_defined=is_defined)))
    return [*completed, *further, results]


def _build_closing_sections(
    model: DomainModel, control: ControlDocument, form: Form
) -> list[Section]:
    records = render_records(model, control) if form.lists_records else render_retention(control)
    return [
        Section(EXCEPTIONS, list(render_exceptions(model))),
        Section(ESCALATION, list(render_escalation(model, control.owner or ""))),
        Section(RECORDS, list(records)),
    ]


def _render_inputs(model: DomainModel) -> list[Line]:
    openings = [Line(Style.PARAGRAPH, text) for text in render_input_rules(model)]
    entries = [
        name_shared_labels(render_entry(item), list_label_owners(model, item))
        for item in model.inputs
    ]
    return [*openings, *entries]
