"""SOP: the text states every rule, threshold, label, tool, step and outcome, and no other number.

The check reads the text; of the trace it uses only which passages are excused, and a passage is
excused as superseded only where it says so itself. Moved rules and limits are put back first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from types import MappingProxyType

from sopforge.checks.sop.restored_lines import restore_lines
from sopforge.checks.sop.sop_marks import (
    check_control_lines,
    check_draft_passages,
    check_sop_marks,
    find_unused_terms,
    report_left_out,
)
from sopforge.checks.spoiling import edit_text
from sopforge.checks.words.deciding_words import find_deciding_words
from sopforge.domain.fields import Field
from sopforge.domain.guards import list_guard_checks
from sopforge.domain.language.expressions import (
    AddDays,
    AddMonths,
    Arithmetic,
    Choice,
    Compare,
    Constant,
    Contains,
    Expression,
    OneOf,
    Quotient,
    Workdays,
)
from sopforge.domain.model import DomainModel, find_passed_limits
from sopforge.domain.rules import Collect, Decision, Table, list_decision_expressions
from sopforge.domain.values.types import (
    BooleanType,
    EnumType,
    NumberType,
    SetType,
    TextType,
    Value,
    ValueType,
    require_integer,
    to_cell,
)
from sopforge.errors import StoreError
from sopforge.findings import Finding, make_error_finding, make_warning_finding
from sopforge.logic.english import phrase_expression
from sopforge.logic.english.names import find_label, quote_members
from sopforge.logic.phrasing.distances import measure_distance
from sopforge.logic.phrasing.grammar import (
    format_figure,
    format_quantity,
    is_percent,
    is_unit_named,
    trim_zeros,
)
from sopforge.logic.phrasing.idioms import (
    find_doubled,
    find_mean,
    is_count,
    list_spoken_children,
    unwrap_node,
    walk_spoken,
)
from sopforge.logic.phrasing.pattern_words import describe_form
from sopforge.logic.phrasing.sizes import find_counted
from sopforge.reading.field_line_words import reword_form
from sopforge.reading.sop_passages import REFERENCE_LIST
from sopforge.rendering.sop.document import Line, Style, read_sop
from sopforge.rendering.sop.draft import parse_draft_sections, read_draft
from sopforge.rendering.sop.outdated_prose import find_outdated_sentences
from sopforge.rendering.sop.plain_reading import build_plain_reading
from sopforge.rendering.sop.sections.effects import phrase_limits
from sopforge.rendering.sop.sections.fields import is_label_repeated
from sopforge.rendering.sop.sections.opening import phrase_purpose
from sopforge.workspace import SOP_TEXT, SOP_TRACE, Workspace

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w])")
_HISTORY = re.compile(r"\b(?:[Ss]ince|[Ii]n|[Uu]ntil) (?:(?:the year|[A-Z]\w+) )?(?:19|20)\d\d\b")
"""When something was so: no rule is about it."""
_DECIDING = ("bound", "duty", "condition", "verdict")
_FIGURE = re.compile(r"(?<![\w.])-?\d+\.\d+(?![\w])")
_REFERENCE = re.compile(r"(?:[Ss]tep |section |[Nn]ext step is |^)\d+(?:\.\d+)*\.?(?=[ )])")
_PARAMETER_NAME = re.compile(r"\b\w*_\w*\b")


class SopStatesAll:
    """The SOP states everything in the model, and no number that the model lacks."""

    name = "sop-states-all"
    stage = "sop"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model
        try:
            stored = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE])
        except StoreError as cause:
            return [make_error_finding("sop-trace", str(cause), where=SOP_TRACE)]
        lines = restore_lines(workspace, build_plain_reading(stored.lines))
        stated = [line.text for line in lines if not line.excused]
        # In a column, numbers have as many decimal places as each other.
        plain = [_FIGURE.sub(lambda found: trim_zeros(found[0]), text) for text in stated]
        binding = "\n".join([*stated, *map(reword_form, stated), *plain])
        missing = [
            _make_missing_finding(thing, text)
            for thing, text in _iterate_required_texts(model)
            if text not in binding
        ]
        foreign = [item for line in lines for item in _find_foreign_numbers(model, line)]
        brief = workspace.brief
        draft = read_draft(brief.draft)
        taken = [line.text for section in draft.sections for line in section.lines]
        purpose = [model.business_task, phrase_purpose(model.business_task)]
        prose = [brief.draft, *purpose, brief.parts.task_context, *taken]
        marks = [
            *check_sop_marks(model, lines),
            *check_draft_passages(model, lines, prose),
            *check_control_lines(lines, brief.parts.document),
            # A level has rules and limits in last sections, where words of the draft stand, too.
            *find_unused_terms(stored.lines),
            *report_left_out(draft),
            *_find_omitted_sentences(model, lines, brief.draft.strip() or brief.parts.task_context),
        ]
        return [*missing, *foreign, *marks, *_find_unproved_prose(model, lines)]

    def spoil(self, workspace: Workspace) -> Workspace:
        """State another threshold of the same length, so that the trace still fits."""
        for item in workspace.model.policy.values():
            kind, value = item.constant.type, require_integer(item.constant.value)
            shown, changed = _format_figure(kind, value), _format_figure(kind, value + 1)
            if len(shown) == len(changed) and f" {shown} " in workspace.files[SOP_TEXT]:
                return edit_text(workspace, SOP_TEXT, f" {shown} ", f" {changed} ")
        raise ValueError("no threshold to spoil")


def _iterate_required_texts(model: DomainModel) -> Iterable[tuple[str, str]]:
    """Return what the text must hold, with a name for each."""
    for tool in model.tools.values():
        if any(step.call == tool.name for step in model.steps.values()):
            yield f"tool {tool.name}", tool.offered_name
            yield from (
                (f"parameter {tool.name}.{name}", text)
                for name, text in zip(tool.takes, model.describe_arguments(tool), strict=True)
            )
    for item in model.malformable:
        yield f"form of {item.name}", f"well formed only as {describe_form(item)}."
    for step in model.steps.values():
        yield f"step {step.id}", " ".join(step.title.split())
        yield from ((f"refusal of {step.id}", code) for code in step.refusals)
    yield from _iterate_limit_texts(model)
    for item in model.outcomes:
        yield f"outcome {item.name}", item.name
        labels = item.type.values if isinstance(item.type, EnumType) else ()
        words = (*labels, *([item.missing] if item.missing else ()))
        yield from ((f"value of {item.name}", f'"{word}"') for word in words)
    yield from _iterate_scored_texts(model)
    for place, expression in _iterate_binding_expressions(model):
        texts = _phrase_constants(expression, model.fields)
        yield from ((f"{place}: {text}", text) for text in texts)


def _iterate_scored_texts(model: DomainModel) -> Iterator[tuple[str, str]]:
    for item in model.intermediates:
        yield f"scored {item.name}", item.name
        if not is_label_repeated(item, model.case.name):
            yield f"meaning of {item.name}", " ".join(item.description.split())


def _iterate_limit_texts(model: DomainModel) -> Iterator[tuple[str, str]]:
    for item, limits in _iterate_limits(model):
        yield f"range of {item.name}", f"{item.label} would become {limits}"


def _iterate_limits(model: DomainModel) -> Iterator[tuple[Field, str]]:
    """Return the columns that actions could take beyond their range, and its ends in words."""
    for name in model.called:
        for field, value in model.tools[name].effects.items():
            limits = phrase_limits(
                model.fields[field], *find_passed_limits(model.fields[field], value)
            )
            if limits:
                yield model.fields[field], limits


def _iterate_binding_expressions(model: DomainModel) -> Iterable[tuple[str, Expression]]:
    """Return the expressions of rules, formulas, edges and guards, each with its place."""
    for decision in model.decisions.values():
        kind = "rule" if isinstance(decision, Table) else "decision"
        for expression in _select_stated_expressions(decision):
            yield f"{kind} {decision.target}", expression
    for step in model.steps.values():
        yield from ((f"edge {edge.id}", edge.when) for edge in step.edges if edge.when)
    for tool in model.tools.values():
        yield from ((f"guard {tool.name}", check.test) for check in list_guard_checks(tool.guard))
        yield from ((f"effect {tool.name}.{name}", to) for name, to in tool.effects.items())


def _select_stated_expressions(decision: Decision) -> Iterable[Expression]:
    """Return the expressions of a decision that matter: what counted rules give does not."""
    if not isinstance(decision, Table) or decision.collect is not Collect.COUNT:
        return list_decision_expressions(decision)
    conditions = [rule.when for rule in decision.rules if rule.when is not None]
    return [*conditions, *(rule.then for rule in decision.rules if rule.when is None)]


def _phrase_constants(expression: Expression, fields: Mapping[str, Field]) -> Iterator[str]:
    """Return the constants of an expression as its words must hold them."""
    if isinstance(expression, Constant):
        yield phrase_expression(expression, {})
    for node in walk_spoken(expression):
        yield from (label for part in list_spoken_children(node) for label in quote_members(part))
        match node:
            case OneOf():
                yield from (_format_constant(option) for option in node.options)
            case Contains():
                yield f'"{node.member}"'
            case Workdays():
                yield from (date.fromordinal(day).isoformat() for day in node.holidays)
            case Compare() if (count := _find_spoken_count(node)) is not None:
                yield count
            case AddDays() | AddMonths():
                yield from (_format_days(part) for part in _iterate_child_constants(node))
            case _:
                parts = _iterate_child_constants(node)
                yield from (_format_constant(part, node, fields) for part in parts)


def _find_spoken_count(test: Compare) -> str | None:
    """Return the figure of a distance or of a number of entries, "" where it is said in words."""
    distance, counted = measure_distance(test), find_counted(test)
    if distance is not None:
        return str(distance.count or "")  # none: "on or after"
    if counted is not None:
        return "" if counted.is_some or counted.is_none else str(counted.count)
    return None


def _iterate_child_constants(node: Expression) -> Iterator[Constant]:
    """Return the constants right under a node."""
    constants = (part for part in list_spoken_children(node) if isinstance(part, Constant))
    return (part for part in constants if not isinstance(part.type, SetType))


def _format_constant(
    constant: Constant,
    parent: Expression | None = None,
    fields: Mapping[str, Field] = MappingProxyType({}),
) -> str:
    kind = constant.type
    if isinstance(kind, EnumType | TextType | BooleanType):
        return f'"{to_cell(kind, constant.value)}"'
    unit = kind.unit if isinstance(kind, NumberType) and constant.name else ""
    return format_quantity(
        _format_figure(kind, constant.value), "" if _is_bare(unit, parent, fields) else unit
    )


def _is_bare(unit: str, parent: Expression | None, fields: Mapping[str, Field]) -> bool:
    """Return whether a number stands without a unit: beside a count, a percentage in a sum.

    So does a number that is compared with a field whose label says what it counts.
    """
    if isinstance(parent, Compare):
        labels = [find_label(part, fields) for part in (parent.left, parent.right)]
        if any(is_unit_named(label, unit) for label in labels):
            return True
    if isinstance(parent, Arithmetic | Quotient) and is_percent(unit):
        return True
    return parent is not None and any(is_count(part) for part in list_spoken_children(parent))


def _format_days(constant: Constant) -> str:
    """Return a number of days or months, whose sign and unit are words of their own."""
    return _format_figure(constant.type, constant.value).removeprefix("-")


def _format_figure(kind: ValueType, value: Value) -> str:
    return (
        format_figure(kind, require_integer(value))
        if isinstance(kind, NumberType)
        else to_cell(kind, value)
    )


def _make_missing_finding(thing: str, text: str) -> Finding:
    message = f"the text does not state {text} ({thing})"
    return make_error_finding(
        "sop-not-stated", message, where=SOP_TEXT, hint=f"add {text} where it applies"
    )


def _find_foreign_numbers(model: DomainModel, line: Line) -> list[Finding]:
    """Report numbers that the model lacks; in an expert's instruction they are a warning."""
    if line.excused or line.style in {Style.TITLE, Style.SECTION, Style.STEP}:
        return []
    bare = REFERENCE_LIST.sub("", re.sub(r'"[^"]*"', "", line.text))
    text = _PARAMETER_NAME.sub("", _REFERENCE.sub("", bare))
    instructions = {" ".join(step.instruction.split()) for step in model.steps.values()}
    is_instruction = line.text in instructions
    report = make_warning_finding if is_instruction else make_error_finding
    return [
        report(
            "sop-foreign-number",
            f"the text states the number {number}, which is not in the model",
            where=SOP_TEXT,
            evidence=line.text,
            hint=f"write the step's 'instruction' without {number}"
            if is_instruction
            else "correct the number, or delete it",
        )
        for number in _NUMBER.findall(text)
        if not {number, trim_zeros(number)} & _collect_numbers(model)
    ]


def _collect_numbers(model: DomainModel) -> set[str]:
    parts = [part for _, part in _iterate_binding_expressions(model)]
    texts = [
        text
        for part in parts
        for text in (*_phrase_constants(part, model.fields), *_iterate_decimal_places(part))
    ]
    texts += [str(edge.bound) for step in model.steps.values() for edge in step.edges]
    kinds = [kind for item in model.fields.values() for kind in _list_types(item)]
    texts += [str(kind.places) for kind in kinds if isinstance(kind, NumberType)]
    texts += [limits for _, limits in _iterate_limits(model)]
    described = [
        *(step.title for step in model.steps.values()),
        *(meaning for _, meaning in model.calendars.values()),
        *(item.meaning for item in model.policy.values()),
        *(re.sub(r'"[^"]*"', "", describe_form(item)) for item in model.malformable),
        *(text for item in model.fields.values() for text in _iterate_descriptions(item)),
    ]
    return {number for text in [*texts, *described] for number in _NUMBER.findall(text)}


def _iterate_descriptions(item: Field) -> Iterator[str]:
    """Return the texts that introduce a field, and what its entries have."""
    yield from (item.description, item.label, *(part.label for part in item.parts))
    yield from item.clauses
    yield from (kind.unit for kind in _list_types(item) if isinstance(kind, NumberType))


def _is_named(label: str, text: str) -> bool:
    """Return whether a text names a label, or has its word where it could decide something.

    A word that is also one of everyday use, such as "depot", says nothing by itself.
    """
    if not re.search(rf"\b{re.escape(label)}\b", text):
        return False
    is_word = label.isalpha() and label.islower()
    return not is_word or any(find_deciding_words(text, kind) for kind in _DECIDING)


def _list_types(item: Field) -> tuple[ValueType, ...]:
    """Return the type of a field, and those of its entries' parts."""
    return (item.type, *(kind for _, kind in getattr(item.type, "fields", ())))


def _iterate_decimal_places(expression: Expression) -> Iterator[str]:
    """Return the decimal places that the words of an expression name, and amounts twice others."""
    for node in walk_spoken(expression):
        amount = find_doubled(node) if isinstance(node, Arithmetic) else None
        inner = amount and unwrap_node(amount)
        if isinstance(inner, Constant) and isinstance(inner.type, NumberType):
            yield format_figure(inner.type, 2 * require_integer(inner.value))
        if isinstance(node, Quotient):
            yield str(node.type.places)
        average = find_mean(node) if isinstance(node, Choice) else None
        if average is not None:
            yield str(average.places)


def _find_unproved_prose(model: DomainModel, lines: Iterable[Line]) -> list[Finding]:
    """Warn of numbers and outcome values in prose of the brief, for which there is no proof.

    Such a passage may contradict the rules; the text says that the rules prevail.
    """
    labels = [
        label
        for item in model.outcomes
        for label in (item.type.values if isinstance(item.type, EnumType) else ())
    ]
    known = _collect_numbers(model)
    findings = []
    for line in lines:
        if line.excused not in {"draft", "tangential"}:
            continue
        words = [label for label in labels if _is_named(label, line.text)]
        dateless = _HISTORY.sub("", line.text)
        odd = [number for number in _NUMBER.findall(dateless) if number not in known]
        if words or odd:
            named = ", ".join([*words, *odd])
            message = f"the brief's prose mentions {named}; check that this agrees with the rules"
            hint = f"write this sentence of the brief without {named}, or leave it out"
            findings.append(
                make_warning_finding(
                    "sop-prose", message, where=SOP_TEXT, evidence=line.text, hint=hint
                )
            )
    return findings


def _find_omitted_sentences(
    model: DomainModel, lines: Iterable[Line], prose: str
) -> Iterator[Finding]:
    """Report the sentences of the brief's prose that contradict the model and do not stand here.

    A draft is read as it is set: a sentence ends with its paragraph or entry.
    """
    text = "\n".join(line.text for line in lines)
    blocks = [line.text for section in parse_draft_sections(prose) for line in section.lines]
    for found in (found for block in blocks for found in find_outdated_sentences(model, block)):
        if found.sentence not in text:
            yield make_warning_finding(
                "sop-draft-left-out",
                f"the SOP leaves out a sentence of the brief's prose: {found.reason}",
                where=SOP_TEXT,
                evidence=found.sentence,
                hint="write the model's value into this sentence of the brief, or leave it out",
            )


CHECK = SopStatesAll()
