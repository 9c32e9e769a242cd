"""The SOP of a model: the draft's own sections first, then what the model states, all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from sopforge.domain.expressions import Not
from sopforge.domain.fields import Field, Role
from sopforge.domain.guards import guard_checks
from sopforge.domain.model import (
    INVALID_PARAMETER,
    UNKNOWN_RECORD,
    DomainModel,
    Edge,
    Step,
    Tool,
    form_checks,
)
from sopforge.domain.rules import Formula
from sopforge.domain.types import (
    BOOLEAN_WORDS,
    BooleanType,
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
    ValueType,
)
from sopforge.logic.brackets import fenced
from sopforge.logic.english import english, english_value
from sopforge.logic.grammar import be, names_unit
from sopforge.logic.pattern_words import form_words
from sopforge.rendering.sop_decisions import (
    decision_lines,
    formula_line,
    if_words,
    in_unit,
    stated,
)
from sopforge.rendering.sop_document import Line, SopDocument, Style
from sopforge.rendering.sop_terms import terms

PROCEDURE = "Main procedure"
TERMS = "How to read the rules"
_AS_STATED = (
    "An entry whose form is given here may be malformed, that is, of another form. Take such an"
    " entry exactly as the task states it: never correct it, nor guess what was meant, not even"
    " where it is plain to see."
)


def render_sop(model: DomainModel, draft: str, context: Sequence[str] = ()) -> SopDocument:
    """Return the SOP: every step, rule, threshold, label and outcome of the model is stated.

    The draft's sections come first, as the expert wrote them; ``context`` becomes a section.
    """
    sections = [*_draft_sections(draft), *_model_sections(model)]
    if context:
        sections.append(("Further context", [_aside(text) for text in context]))
    if not draft.strip():
        purpose = Line(Style.PARAGRAPH, model.business_task, excused="draft")
        sections.insert(0, ("Purpose", [purpose]))
    lines = [Line(Style.TITLE, f"Standard Operating Procedure: {model.title}")]
    for number, (title, body) in enumerate(sections, start=1):
        lines.append(Line(Style.SECTION, f"{number}. {title}"))
        lines.extend(_numbered(body, number) if title == PROCEDURE else body)
    return SopDocument(tuple(replace(line, text=_unbroken(line.text)) for line in lines))


def _unbroken(text: str) -> str:
    """Return a text of the brief without its line breaks, for a line of the SOP is one line."""
    return " ".join(text.split())


def _aside(text: str) -> Line:
    return Line(Style.BULLET, text, excused="tangential")


def _numbered(body: list[Line], section: int) -> list[Line]:
    """Put the section's number before step numbers and into references to them."""
    return [
        Line(
            line.style,
            re.sub(r"\{step (\d+)\}", rf"{section}.\1", line.text),
            line.states,
            line.excused,
        )
        for line in body
    ]


def _draft_sections(draft: str) -> list[tuple[str, list[Line]]]:
    """Return the draft's headings with their lines, each kept as the expert wrote it."""
    sections: list[tuple[str, list[Line]]] = []
    for block in filter(None, re.split(r"\n\s*\n", draft.strip())):
        heading = re.match(r"#+\s*(.+)", block)
        body = block[heading.end() :] if heading else block
        if heading or not sections:
            sections.append((heading[1].strip() if heading else "Purpose", []))
        if body.strip():
            sections[-1][1].extend(_draft_lines(body))
    return sections


def _draft_lines(block: str) -> Iterator[Line]:
    text = block.strip().replace("**", "")
    if not text.startswith("- "):
        yield Line(Style.PARAGRAPH, text, excused="draft")
        return
    for item in re.split(r"\n(?=- )", text):
        yield Line(Style.BULLET, item.removeprefix("- "), excused="draft")


def _model_sections(model: DomainModel) -> list[tuple[str, list[Line]]]:
    sections = [
        ("Inputs", _inputs(model)),
        (PROCEDURE, list(_procedure(model))),
        ("How the scores are worked out", list(_formulas(model))),
        (TERMS, list(terms(model))),
        ("Refusals of the services", list(_refusals(model))),
        ("Results", list(_results(model))),
    ]
    return [(title, body) for title, body in sections if body]


def _inputs(model: DomainModel) -> list[Line]:
    opening = "The task states the following entries."
    if any(isinstance(item.type, SetType) for item in model.inputs):
        opening += " Several values in one entry are separated by semicolons."
    if any(isinstance(item.type, ListType) for item in model.inputs):
        opening += " A list stands in brackets as JSON, and is given to a tool in this form."
    openings = [Line(Style.PARAGRAPH, opening)]
    if model.malformable:
        openings.append(Line(Style.PARAGRAPH, _AS_STATED))
    return [*openings, *(entry_line(item) for item in model.inputs)]


def entry_line(item: Field) -> Line:
    """Return what the task states under a field's name."""
    parts = f"; each entry has {_parts(item)}" if isinstance(item.type, ListType) else ""
    form = f"; well formed only as {form_words(item)}" if item.malformed else ""
    meaning = f"{item.description}{in_unit(item)}{parts}{_words_for_nothing(item)}{form}"
    return Line(Style.BULLET, f"{_introduced(item)}: {meaning}.", (f"field {item.name}",))


def _parts(item: Field) -> str:
    """Return what each entry of a list has, with labels and units."""
    if not isinstance(item.type, ListType):
        return ""
    parts = item.type.fields
    return ", ".join(_part(name, item.part_label(name), kind) for name, kind in parts)


def _part(name: str, label: str, kind: ValueType) -> str:
    unit = kind.unit if isinstance(kind, NumberType) and not names_unit(label, kind) else ""
    unit = f"in {unit}" if unit else ""
    known = ", ".join(filter(None, (label if label != name.replace("_", " ") else "", unit)))
    return f"{name} ({known})" if known else name


def _introduced(item: Field) -> str:
    """Return a field's name, and its label where that says more."""
    is_same = item.label == item.name.replace("_", " ")
    return item.name if is_same else f"{item.name} ({item.label})"


def _words_for_nothing(item: Field) -> str:
    """Return what stands where a field has no value, or a set or list no member."""
    if not isinstance(item.type, SetType | ListType):
        return f'; "{item.missing}" if there is none' if item.missing else ""
    missing = f', "{item.missing}" if it is missing' if item.missing else ""
    return f'; "{item.type.empty}" if there is none{missing}'


# procedure


def _procedure(model: DomainModel) -> Iterator[Line]:
    start = f"Begin with step {_reference(model, model.start)}."
    text = f"{start} Follow the steps in the order that they name; do not skip a check."
    yield Line(Style.PARAGRAPH, text)
    text = (
        "Where another passage of this document differs from this section, this section prevails."
    )
    yield Line(Style.PARAGRAPH, text)
    if any(len(step.edges) > 1 for step in model.steps.values()):
        text = (
            "Where several ways lead on from a step, take the first one whose condition holds, in"
            " the order in which they stand."
        )
        yield Line(Style.PARAGRAPH, text)
    if any(tool.effects for tool in model.tools.values()):
        text = (
            "A rule uses each value as a tool last returned it: what an action changes on file"
            " counts for a rule only once a tool has returned it. The changes of one action are"
            " worked out from the values before it."
        )
        yield Line(Style.PARAGRAPH, text)
    if any(terms(model)):
        yield Line(Style.PARAGRAPH, f'The words of the rules are explained in "{TERMS}".')
    for number, step in enumerate(model.steps.values(), start=1):
        yield Line(Style.STEP, f"{{step {number}}} {step.title}", (f"step {step.id}",))
        yield from _step(model, step)


def _step(model: DomainModel, step: Step) -> Iterator[Line]:
    if step.instruction:
        yield Line(Style.PARAGRAPH, step.instruction, (f"step {step.id}",))
    if step.call is not None:
        yield _call(model, step.call)
        yield from _effects(model, model.tools[step.call])
        yield from (_refused(model, step.call, *way) for way in step.refusals.items())
    for target in step.decide:
        yield from decision_lines(model, target)
    yield from (_edge(model, step, edge) for edge in step.edges)
    if step.end is not None:
        yield from _end(model, step)


def _call(model: DomainModel, name: str) -> Line:
    tool = model.tools[name]
    returned = ", ".join(_returned(item) for item in model.tool_results(tool))
    takes = ", ".join(tool.takes)
    reply = f" It returns {returned}." if returned else ""
    return Line(Style.PARAGRAPH, f"Call the tool {name} with {takes}.{reply}", (f"tool {name}",))


def _effects(model: DomainModel, tool: Tool) -> Iterator[Line]:
    """State what an action changes in the record."""
    for name, value in tool.effects.items():
        label = model.fields[name].label
        meaning = english_value(value, model.fields)
        text = f"Once it is done, the {label} on file {be(label)} {meaning}."
        yield Line(Style.PARAGRAPH, text, stated(f"effect {tool.name}.{name}", value))


def _refused(model: DomainModel, tool: str, code: str, way: Edge) -> Line:
    reason = ""
    if code == UNKNOWN_RECORD:
        lacking = [item.key for item in model.entities_read(model.tools[tool])]
        reason = f", because there is no record of this {' or '.join(lacking)}"
    if code == INVALID_PARAMETER:
        reason = f", because {_malformed(model, model.tools[tool])}"
    text = f"If {tool} refuses with {code}{reason}, go to step {_reference(model, way.to)}."
    return Line(Style.PARAGRAPH, text, (f"edge {way.id}",))


def _malformed(model: DomainModel, tool: Tool) -> str:
    """Return why a tool refuses what the task states."""
    checks = form_checks(model, tool)
    return " or ".join(english(Not(check.test), model.fields) for check in checks)


def _returned(item: Field) -> str:
    """Return a field as a tool returns it, with the words that stand for nothing."""
    parts = f" (each entry has {_parts(item)})" if isinstance(item.type, ListType) else ""
    words = _words_for_nothing(item).replace(";", ",", 1)
    return f"{_part(item.name, item.label, item.type)}{parts}{words}"


def _edge(model: DomainModel, step: Step, edge: Edge) -> Line:
    target = _reference(model, edge.to)
    name = f"edge {edge.id}"
    if edge.when is None:
        word = "Otherwise, continue" if len(step.edges) > 1 else "Continue"
        text = f"{word} with step {target}.{_bound(model, edge)}"
        return Line(Style.PARAGRAPH, text, (name,))
    text = f"{if_words(model, edge.when)} go to step {target}.{_bound(model, edge)}"
    return Line(Style.PARAGRAPH, text, stated(name, edge.when))


def _bound(model: DomainModel, edge: Edge) -> str:
    """Return how often a way back may be taken, and where the case goes after that."""
    if edge.bound is None or edge.then is None:
        return ""
    times = f"{edge.bound} time{'s' * (edge.bound != 1)}"
    after = _reference(model, edge.then)
    return f" Do so {times} at most; where you would do so once more, go to step {after} instead."


def _end(model: DomainModel, step: Step) -> Iterator[Line]:
    for name, constant in (step.end or {}).items():
        label = model.fields[name].label
        text = f"The {label} {be(label)} {english(constant, model.fields)}."
        yield Line(Style.PARAGRAPH, text, (f"end {step.id}.{name}",))
    yield Line(Style.PARAGRAPH, "The procedure ends here.", (f"step {step.id}",))


def _reference(model: DomainModel, step: str) -> str:
    number = list(model.steps).index(step) + 1
    return f"{{step {number}}} ({model.steps[step].title})"


# reference sections


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
            yield formula_line(model, decision)


def _refusals(model: DomainModel) -> Iterator[Line]:
    correct = "correct them and call again."
    if model.malformable:
        correct = (
            "correct your own mistakes and call again, but what the task states is handed over as"
            " it stands."
        )
    yield Line(
        Style.PARAGRAPH,
        "A service refuses a call whose entries are malformed, whose key no record has, or, where"
        f" it only looks things up, whose entries do not agree with the record; {correct}",
    )
    if any(tool.guard for tool in model.tools.values()):
        text = (
            f"{_expected(model)} for one of the reasons below means that an earlier step went"
            " wrong: go back to it."
        )
        yield Line(Style.PARAGRAPH, text)
    for tool in model.tools.values():
        for check in guard_checks(tool.guard):
            condition = fenced(check.test, english(check.test, model.fields))
            text = f"{tool.name} checks that {condition}, or refuses: {check.refusal}."
            yield Line(Style.BULLET, text, stated(f"guard {tool.name}.{check.id}", check.test))


def _expected(model: DomainModel) -> str:
    if any(step.refusals for step in model.steps.values()):
        return "Where a step names the way after a refusal, take it; any other refusal"
    return "A refusal"


def _results(model: DomainModel) -> Iterator[Line]:
    yield Line(
        Style.PARAGRAPH,
        "Close with a statement of all results. Put each result into an XML element of its own,"
        " named exactly as below, with nothing in it but the value, without quotation marks.",
    )
    for item in model.outcomes:
        yield Line(Style.BULLET, _result(item), (f"outcome {item.name}",))
    if model.scored:
        yield Line(
            Style.PARAGRAPH,
            "State these intermediate values in the same way. Leave out what the steps that the"
            " case went through did not call for.",
        )
    for item in model.scored:
        text = f"{item.name}: {item.description}. {_form(item.type)}"
        yield Line(Style.BULLET, text, (f"scored {item.name}",))


def _result(item: Field) -> str:
    choice = f" {_form(item.type)}"
    skipped = f' If it was not determined on the way: "{item.missing}".' if item.missing else ""
    main = " This is the final decision of the procedure." if item.primary else ""
    return f"{item.name}: {item.description}.{choice}{skipped}{main}"


def _form(kind: ValueType) -> str:
    """Return how a result of a type is written."""
    match kind:
        case EnumType() | BooleanType():
            labels = BOOLEAN_WORDS if isinstance(kind, BooleanType) else kind.values
            return f"One of: {', '.join(_quoted(label) for label in labels)}."
        case NumberType():
            unit = f", in {kind.unit} but without naming the unit" if kind.unit else ""
            return f"{_digits(kind)}{unit}."
        case DateType():
            return "A date, written as year-month-day."
        case DateTimeType():
            return "A date and time, written as year-month-day hour:minute."
        case SetType():
            members = ", ".join(_quoted(label) for label in kind.values)
            return f"Any of: {members}; in this order, separated by semicolons."
        case TextType() | ListType():
            return "As it was found."
        case _:
            assert_never(kind)


def _digits(kind: NumberType) -> str:
    if not kind.places:
        return "A whole number"
    return f"A number, written with {kind.places} decimal place{'s' * (kind.places != 1)}"


def _quoted(label: str) -> str:
    return f'"{label}"'
