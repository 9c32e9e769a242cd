"""The SOP of a model: the draft's own sections first, then what the model states, all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import assert_never

from sopforge.domain.expressions import (
    Elapsed,
    Expression,
    Span,
    Workdays,
    constants_named,
    walk,
)
from sopforge.domain.model import (
    UNKNOWN_RECORD,
    Collect,
    DomainModel,
    Edge,
    Field,
    Formula,
    HitPolicy,
    Role,
    Rule,
    Step,
    Table,
    Tool,
    decision_expressions,
    guard_checks,
)
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
from sopforge.logic.english import english, english_value
from sopforge.logic.grammar import be
from sopforge.rendering.sop_document import Line, SopDocument, Style

PROCEDURE = "Main procedure"


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
    return [Line(Style.PARAGRAPH, opening), *(_entry(item) for item in model.inputs)]


def _entry(item: Field) -> Line:
    unit = f", in {item.type.unit}" if isinstance(item.type, NumberType) and item.type.unit else ""
    parts = [name for name, _ in item.type.fields] if isinstance(item.type, ListType) else []
    each = f", each with {', '.join(parts)}" if parts else ""
    text = f"{_introduced(item)}: {item.description}{unit}{each}{_words_for_nothing(item)}."
    return Line(Style.BULLET, text, (f"field {item.name}",))


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
    if _counts_days(model):
        text = "A number of days from one date to another does not count the first day."
        yield Line(Style.PARAGRAPH, text)
    yield from _calendars(model)
    for number, step in enumerate(model.steps.values(), start=1):
        yield Line(Style.STEP, f"{{step {number}}} {step.title}", (f"step {step.id}",))
        yield from _step(model, step)


def _calendars(model: DomainModel) -> Iterator[Line]:
    """State the calendars that are used, for no tool tells their holidays."""
    used = frozenset().union(*(constants_named(item) for item in _expressions(model)))
    kept = {name: calendar for name, calendar in model.calendars.items() if name in used}
    if kept:
        text = "Working days are Mondays to Fridays, without the holidays of their calendar."
        yield Line(Style.PARAGRAPH, text)
    for name, (calendar, meaning) in kept.items():
        days = [date.fromordinal(day).isoformat() for day in calendar.holidays]
        text = f"Holidays of the calendar {name} ({meaning}): {', '.join(days) or 'none'}."
        yield Line(Style.PARAGRAPH, text, (f"policy {name}",))


def _step(model: DomainModel, step: Step) -> Iterator[Line]:
    if step.instruction:
        yield Line(Style.PARAGRAPH, step.instruction, (f"step {step.id}",))
    if step.call is not None:
        yield _call(model, step.call)
        yield from _effects(model, model.tools[step.call])
        yield from (_refused(model, step.call, *way) for way in step.refusals.items())
    for target in step.decide:
        yield from _decision(model, target)
    yield from (_edge(model, step, edge) for edge in step.edges)
    if step.end is not None:
        yield from _end(model, step)


def _call(model: DomainModel, name: str) -> Line:
    tool = model.tools[name]
    returned = ", ".join(
        f"{_introduced(item)}{_words_for_nothing(item)}".replace(";", ",", 1)
        for item in model.tool_results(tool)
    )
    takes = ", ".join(tool.takes)
    reply = f" It returns {returned}." if returned else ""
    return Line(Style.PARAGRAPH, f"Call the tool {name} with {takes}.{reply}", (f"tool {name}",))


def _effects(model: DomainModel, tool: Tool) -> Iterator[Line]:
    """State what an action changes in the record."""
    for name, value in tool.effects.items():
        label = model.fields[name].label
        meaning = english_value(value, model.fields)
        text = f"Once it is done, the {label} on file {be(label)} {meaning}."
        yield Line(Style.PARAGRAPH, text, _stated(f"effect {tool.name}.{name}", value))


def _refused(model: DomainModel, tool: str, code: str, way: Edge) -> Line:
    reason = ""
    if code == UNKNOWN_RECORD:
        lacking = [item.key for item in model.entities_read(model.tools[tool])]
        reason = f", because there is no record of this {' or '.join(lacking)}"
    text = f"If {tool} refuses with {code}{reason}, go to step {_reference(model, way.to)}."
    return Line(Style.PARAGRAPH, text, (f"edge {way.id}",))


def _decision(model: DomainModel, target: str) -> Iterator[Line]:
    decision, item = model.decisions[target], model.fields[target]
    if isinstance(decision, Formula):
        value = english_value(decision.value, model.fields)
        text = f"Work out the {item.label} ({target}): {value}."
        yield Line(Style.PARAGRAPH, text, _stated(f"decision {target}", decision.value))
        return
    text = f"Determine the {item.label} ({target}). {_how(decision)}"
    yield Line(Style.PARAGRAPH, text, (f"decision {target}",))
    yield from (_rule(model, decision, rule) for rule in decision.rules)


def _how(table: Table) -> str:
    """Return how the rules of a table decide together."""
    match table.hit:
        case HitPolicy.FIRST:
            return "The first of these rules that applies decides."
        case HitPolicy.UNIQUE:
            return "Exactly one of these rules applies."
        case HitPolicy.ANY:
            return "Several of these rules may apply; they then agree."
        case HitPolicy.COLLECT:
            return f"Check every one of these rules. The result is {_COLLECTED[table.collect]}."


_COLLECTED = {
    Collect.SUM: "the sum over all rules that apply",
    Collect.MINIMUM: "the smallest value of the rules that apply",
    Collect.MAXIMUM: "the largest value of the rules that apply",
    Collect.COUNT: "the number of rules that apply",
    None: "",
}


def _rule(model: DomainModel, table: Table, rule: Rule) -> Line:
    item = model.fields[table.target]
    value = english_value(rule.then, model.fields, inside=True)
    result = f"the {item.label} {be(item.label)} {value}."
    name = f"rule {table.target}.{rule.id}"
    if rule.when is None:
        return Line(Style.BULLET, f"In every other case, {result}", (name,))
    condition = english(rule.when, model.fields)
    return Line(Style.BULLET, f"If {condition}, {result}", _stated(name, rule.when))


def _edge(model: DomainModel, step: Step, edge: Edge) -> Line:
    target = _reference(model, edge.to)
    name = f"edge {edge.id}"
    if edge.when is None:
        word = "Otherwise, continue" if len(step.edges) > 1 else "Continue"
        text = f"{word} with step {target}.{_bound(model, edge)}"
        return Line(Style.PARAGRAPH, text, (name,))
    condition = english(edge.when, model.fields)
    bound = _bound(model, edge)
    text = f"If {condition}, go to step {target}.{bound}"
    return Line(Style.PARAGRAPH, text, _stated(name, edge.when))


def _bound(model: DomainModel, edge: Edge) -> str:
    """Return how often a way back may be taken, and where the case goes after that."""
    if edge.bound is None or edge.then is None:
        return ""
    times = f"{edge.bound} time{'s' * (edge.bound != 1)}"
    after = _reference(model, edge.then)
    return f" Do so {times} at most; after that, go to step {after} instead."


def _end(model: DomainModel, step: Step) -> Iterator[Line]:
    for name, constant in (step.end or {}).items():
        label = model.fields[name].label
        text = f"The {label} {be(label)} {english(constant, model.fields)}."
        yield Line(Style.PARAGRAPH, text, (f"end {step.id}.{name}",))
    yield Line(Style.PARAGRAPH, "The procedure ends here.", (f"step {step.id}",))


def _reference(model: DomainModel, step: str) -> str:
    number = list(model.steps).index(step) + 1
    return f"{{step {number}}} ({model.steps[step].title})"


def _stated(name: str, expression: Expression) -> tuple[str, ...]:
    return (name, *(f"policy {constant}" for constant in sorted(constants_named(expression))))


# reference sections


def _formulas(model: DomainModel) -> Iterator[Line]:
    computed = [name for name, item in model.fields.items() if item.role is Role.DERIVED]
    if computed:
        text = "The calculators work as follows; their results are used as they are returned."
        yield Line(Style.PARAGRAPH, text)
    for name in computed:
        decision = model.decisions.get(name)
        if isinstance(decision, Formula):
            meaning = english_value(decision.value, model.fields)
            text = f"The {model.fields[name].label}: {meaning}."
            yield Line(Style.BULLET, text, _stated(f"decision {name}", decision.value))


def _refusals(model: DomainModel) -> Iterator[Line]:
    yield Line(
        Style.PARAGRAPH,
        "A service refuses a call whose entries are malformed or do not agree with the record;"
        f" correct them and call again. {_expected(model)} for one of the reasons below means that"
        " an earlier step went wrong: go back to it.",
    )
    for tool in model.tools.values():
        for check in guard_checks(tool.guard):
            condition = english(check.test, model.fields)
            text = f"{tool.name} checks that {condition}, or refuses: {check.refusal}."
            yield Line(Style.BULLET, text, _stated(f"guard {tool.name}.{check.id}", check.test))


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
            digits = f"with {kind.places} decimal places" if kind.places else "a whole number"
            return f"A number, {digits}{unit}."
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


def _quoted(label: str) -> str:
    return f'"{label}"'


def _counts_days(model: DomainModel) -> bool:
    nodes = [node for item in _expressions(model) for node in walk(item)]
    return any(
        isinstance(node, Workdays) or (isinstance(node, Elapsed) and node.span is Span.DAYS)
        for node in nodes
    )


def _expressions(model: DomainModel) -> list[Expression]:
    """Return the expressions of decisions, edges and guards."""
    found = [item for part in model.decisions.values() for item in decision_expressions(part)]
    found += [edge.when for step in model.steps.values() for edge in step.edges if edge.when]
    guards = [guard_checks(tool.guard) for tool in model.tools.values()]
    return found + [check.test for checks in guards for check in checks]
