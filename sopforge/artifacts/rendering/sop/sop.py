"""The SOP of a model: the draft's own sections first, then what the model states, all of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from sopforge.artifacts.rendering.sop.document import ITEM, SopDocument, Statement, Style
from sopforge.artifacts.rendering.sop.draft import Section, collect_figures, read_draft
from sopforge.artifacts.rendering.sop.forms import FORMS, Form
from sopforge.artifacts.rendering.sop.meanings import add_meanings
from sopforge.artifacts.rendering.sop.named_conditions import (
    DEFINED,
    NAMED_CONDITIONS,
    list_definitions,
)
from sopforge.artifacts.rendering.sop.references import (
    DEFINITIONS,
    INPUTS,
    PROCEDURE,
    RECORDS,
    RESULTS,
    References,
    find_references,
    name_part_section,
    number_headings,
)
from sopforge.artifacts.rendering.sop.sections.closing import (
    ESCALATION,
    render_escalation,
    render_hand_overs,
    render_records,
)
from sopforge.artifacts.rendering.sop.sections.control import (
    UNCONTROLLED,
    render_document_head,
    render_retention,
)
from sopforge.artifacts.rendering.sop.sections.dictionary import DICTIONARY, render_dictionary
from sopforge.artifacts.rendering.sop.sections.exceptions import EXCEPTIONS, render_exceptions
from sopforge.artifacts.rendering.sop.sections.fields import (
    list_label_owners,
    name_shared_labels,
    render_entry,
)
from sopforge.artifacts.rendering.sop.sections.general import FOR_INFORMATION, render_input_rules
from sopforge.artifacts.rendering.sop.sections.given_prose import select_prose
from sopforge.artifacts.rendering.sop.sections.kinds import group_by_kind
from sopforge.artifacts.rendering.sop.sections.opening import ROLES, complete_opening_sections
from sopforge.artifacts.rendering.sop.sections.procedure import (
    StepStyle,
    render_part,
    render_procedure,
)
from sopforge.artifacts.rendering.sop.sections.results import render_results
from sopforge.artifacts.rendering.sop.sections.terms import TERMS, render_terms
from sopforge.artifacts.rendering.sop.sections.values import VALUES, render_values
from sopforge.artifacts.rendering.sop.writer import Writer, list_stated_items
from sopforge.language.domain.documents.schema import (
    UNDECLARED,
    ControlDocument,
    SettingDocument,
    SopForm,
)
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief
from sopforge.language.english.terms import Term, walk_term


def render_sop(
    model: DomainModel,
    draft: str,
    context: Sequence[str] = (),
    *,
    control: ControlDocument = UNCONTROLLED,
    setting: SettingDocument = UNDECLARED,
    form: SopForm = "manual",
) -> SopDocument:
    """Return the SOP: every step, rule, threshold, label and outcome of the model is stated.

    The draft's sections come first, as the expert wrote them; ``context`` becomes a section.
    ``control`` says how the SOP is kept as a document, ``setting`` who works by it, and ``form``
    how long it is and how it is arranged.
    """
    writer = Writer(model, has_names=FORMS[form].has_definitions)
    written = read_draft(draft, collect_figures(model)).sections
    return write_sop(writer, written, context, control=control, setting=setting, form=form)


def write_brief_sop(writer: Writer, brief: Brief) -> SopDocument:
    """Return the SOP of a writer's model with what a brief says of it."""
    parts, prose = brief.parts, select_prose(brief, writer.model)
    return write_sop(
        writer,
        prose.sections,
        prose.context,
        control=parts.document,
        setting=parts.setting,
        form=parts.sop.form,
    )


def write_sop(
    writer: Writer,
    written: Sequence[Section] = (),
    context: Sequence[str] = (),
    *,
    control: ControlDocument = UNCONTROLLED,
    setting: SettingDocument = UNDECLARED,
    form: SopForm = "manual",
) -> SopDocument:
    """Return the SOP of a writer's model, as ``render_sop`` does, with sections written before."""
    model = writer.model
    terms = _define_named_conditions(writer)
    style = StepStyle(
        has_dictionary=FORMS[form].explains_all_values,
        names_roles=_is_role_named(model, written, FORMS[form]),
    )
    sections = [
        *complete_opening_sections(
            model, written, control.owner or "", terms, worker=setting.worker or ""
        ),
        *_build_model_sections(writer, style),
        Section(TERMS),
    ]
    sections = _add_closing_sections(writer, sections, written, control, FORMS[form])
    said = [item.text for part in sections for item in part.statements if item.kind]
    next(x for x in sections if x.title == TERMS).statements.extend(render_terms(model, said))
    sections = FORMS[form].arrange(sections)
    if context:
        notes = [Statement(Style.PARAGRAPH, FOR_INFORMATION), *map(_make_aside, context)]
        sections.append(Section("Further context", notes))
    numbered = number_headings(model, [(part.title, part.statements) for part in sections])
    statements = _point_to_definitions(writer, numbered)
    if FORMS[form].explains_constants:
        statements = list(add_meanings(model, statements))
    title = Statement(Style.TITLE, f"Standard Operating Procedure: {model.title}")
    found = (title, *render_document_head(control), *statements)
    return SopDocument(tuple(replace(item, text=_join_lines(item.text)) for item in found))


def _join_lines(text: str) -> str:
    """Return a text of the brief without its line breaks, but for those of the list below it."""
    return ITEM.join(" ".join(part.split()) for part in text.split(ITEM))


def _make_aside(text: str) -> Statement:
    return Statement(Style.BULLET, text, excused="tangential")


def _is_role_named(model: DomainModel, written: Sequence[Section], form: Form) -> bool:
    """Return whether each step has to say who carries it out, for no section does.

    The roles say which steps each of them carries out, unless the draft has a section of its own.
    """
    is_one = len({step.by for step in model.steps.values()}) == 1
    has_own = any(section.title.lower() == ROLES.lower() for section in written)
    return not form.explains_all_values or (has_own and not is_one)


def _define_named_conditions(writer: Writer) -> list[Statement]:
    """Return the definitions of the conditions that the rules call by their names."""
    found = [
        writer.state(
            Style.BULLET,
            "definition",
            ("defines", ("field", item.name), writer.mean(meaning)),
            list_stated_items(f"{DEFINED}{item.name}", meaning),
        )
        for item, meaning in list_definitions(writer.model, writer.named)
    ]
    return [Statement(Style.PARAGRAPH, NAMED_CONDITIONS), *found] if found else []


def _point_to_definitions(writer: Writer, statements: Sequence[Statement]) -> list[Statement]:
    """Return statements; the first to name a condition says where it is defined.

    "If the donor is too young to give (see section 4), go to step 6.5".
    """
    if not any(item.kind == "definition" for item in statements):
        return list(statements)
    references = find_references(statements, writer.model)
    found, named = [], set[str]()
    for item in statements:
        pointed = (
            item
            if item.kind == "definition"
            else point_to_definitions(writer, references, item, named)
        )
        found.append(pointed)
    return found


def point_to_definitions(
    writer: Writer, references: References, item: Statement, named: set[str] | None = None
) -> Statement:
    """Return a statement with where the conditions are defined that it names.

    Those ``named`` before are left out, and the others are added to them.
    """
    known = set[str]() if named is None else named
    said = {x.name: x.said.both for x in writer.named}
    text = item.text
    for name in _list_facts(item, said):
        pattern = rf"\b({'|'.join(map(re.escape, said[name]))})(?=[,;.:]| and | or )"
        pointed, count = re.subn(pattern, rf"\1{references.point(DEFINITIONS)}", text, count=1)
        if name not in known and count:
            known.add(name)
            text = pointed
    return replace(item, text=text)


def _list_facts(item: Statement, known: Collection[str]) -> list[str]:
    parts: list[Term] = list(walk_term(item.term)) if item.term and item.kind != "row" else []
    return list(dict.fromkeys(x[1] for x in parts if x[0] == "field" and x[1] in known))


def _build_model_sections(writer: Writer, style: StepStyle) -> list[Section]:
    model = writer.model
    sections = [
        Section(INPUTS, _render_inputs(model)),
        Section(PROCEDURE, list(render_procedure(writer, style))),
        *(
            Section(name_part_section(part), list(render_part(writer, part, style)))
            for part in model.parts.values()
        ),
        Section(DICTIONARY, list(render_dictionary(model, is_full=style.has_dictionary))),
        Section(VALUES, list(render_values(writer))),
    ]
    return [section for section in sections if section.statements]


def _add_closing_sections(
    writer: Writer,
    sections: Sequence[Section],
    written: Sequence[Section],
    control: ControlDocument,
    form: Form,
) -> list[Section]:
    """Add the closing sections that the draft lacks, and to those that it has what they lack."""
    model, titles = writer.model, [section.title.lower() for section in written]
    exceptions = list(render_exceptions(writer))
    records = render_records(model, control) if form.lists_records else render_retention(control)
    closing = [
        Section(EXCEPTIONS, exceptions),
        Section(ESCALATION, list(render_escalation(model, control.owner or ""))),
        Section(RECORDS, list(records)),
    ]
    further = [part for part in closing if part.title.lower() not in titles]
    added = {
        EXCEPTIONS.lower(): exceptions,
        ESCALATION.lower(): list(render_hand_overs(model)),
        RECORDS.lower(): list(render_retention(control)),
    }
    completed = [
        Section(part.title, [*part.statements, *added.get(part.title.lower(), [])])
        if part in written
        else part
        for part in sections
    ]
    is_defined = DEFINITIONS.lower() not in (*form.left_out, *titles)
    results = Section(RESULTS, list(render_results(model, is_defined=is_defined)))
    return [*completed, *further, results]


def _render_inputs(model: DomainModel) -> list[Statement]:
    openings = [Statement(Style.PARAGRAPH, text) for text in render_input_rules(model)]
    common = [item for item in model.inputs if not model.find_kind(item.name)]
    entries = [_render_input(model, item) for item in common]
    for heading, items in group_by_kind(model, model.inputs):
        entries += [heading, *(_render_input(model, item) for item in items)]
    return [*openings, *entries]


def _render_input(model: DomainModel, item: Field) -> Statement:
    owners = list_label_owners(model, model.fields[item.name])
    return name_shared_labels(render_entry(item), owners)
