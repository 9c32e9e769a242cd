"""Sentences of an SOP that hold for a whole section: which words of the text prevail, and how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sopforge.artifacts.rendering.refusal_codes import list_compared_fields
from sopforge.artifacts.rendering.sop.sections.fields import phrase_returned_field
from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.fields import Entity, Field, Role
from sopforge.language.domain.incomplete_cases import DIFFERS
from sopforge.language.domain.model import Counts, DomainModel, Tool, ToolKind
from sopforge.language.domain.procedure.known_fields import find_reread_changes
from sopforge.language.domain.tool_checks import (
    INVALID_PARAMETER,
    OUT_OF_RANGE,
    SAME_RECORD,
    UNKNOWN_RECORD,
    build_writing_checks,
)
from sopforge.language.domain.values.types import ListType, MomentType, SetType
from sopforge.language.english.nouns import join_items
from sopforge.language.logic.tool_calls import RECORD_MISMATCH

FOR_INFORMATION = "The following is for information only and changes no rule."
_AS_STATED = (
    "An input may be malformed, that is, not in the form given here. Use such an input exactly as"
    " it arrives: never correct it or guess what was meant, even if the mistake is obvious."
)
_DAYS = "Dates are written as year-month-day"
_AS_LISTS = (
    "Pass {inputs} to a tool as {lists}; if the input states that there is none, pass an empty"
    " list."
)
_TOLD = "The {text} states {facts} in words of its own: read them there."
_SEVERAL_VALUES = "an input with several values"
_FEW_INPUTS = 3
_RESULTS = (
    "End each case with a statement of its results. Put each result in an XML element of its own,"
    " named exactly as shown below. The element holds only the value, without quotation marks or"
    " unit."
)
_DECISION = "The final decision is the {decision}."
_GO_ON = "If the step names no next step for it, check the values in the call."
_AMISS = (
    "If the mistake is yours, correct it and call again; never change an input of the case itself."
)
_IN_ORDER = "Take the steps in order unless one sends you elsewhere"
_FIRST_MET = "If a step names several next steps, take the first whose condition is met"
_CLOSES = "Every case ends at a step that closes it; state its results there."
_ENDS = "Every case ends at a step that closes it or hands it over; state its results there."
_PREVAILS = "If any other part of this document conflicts with this section, this section prevails."
_PARTS_PREVAIL = (
    "If any other part of this document conflicts with this section or with a sub-procedure, this"
    " section and the sub-procedures prevail."
)
_LAST_RETURNED = (
    "Always work with the value that a tool returned last; a change on file counts only once a tool"
    " has returned the new value."
)
_EMPTY_LIST = "If a tool returns an empty list, there is nothing of that kind."
_CHANGED_AT_ONCE = (
    "If one call changes several values, work out each change from the values before the call."
)
_NO_TOOLS = "No step of this procedure uses a tool. Take all facts from the inputs of the case."
_LOOPS = (
    "A loop consists of the step to which it leads back, the step that leads back, and all steps"
    " between them. The case enters it whenever it comes to these from any other step."
)
_WELL_FORMED = (
    "Check each value in the call against the inputs of the case and the replies of the tools,"
    " correct what is wrong, and call again."
)
_AS_RETURNED = "Call again with the inputs of the case and the values that tools returned."
_AGREE = (
    "Compare each value with the inputs of the case and the replies of the tools, correct the one"
    " that differs, and call again."
)
_SCORED = (
    "Report the following values too, in the same form, if you carried out a step that sets them."
)


def list_general_sentences(model: DomainModel) -> list[str]:
    """Return the sentences that every SOP of the model holds word for word."""
    return [
        *render_input_rules(model),
        *render_general_rules(model),
        *(text for tool in model.called for text in render_bans(model, tool).values()),
        *render_refusal_rules(model),
        *render_built_in_refusals(model),
        *render_check_rules(model),
        *render_result_rules(model),
        *(render_intermediate_rules() if model.intermediates else ()),
    ]


def render_input_rules(model: DomainModel) -> Iterator[str]:
    """Return how the entries of a task are read."""
    opening, inputs = "Each case comes with the following inputs.", model.inputs
    if any(isinstance(item.type, SetType) for item in inputs):
        opening += " If an input has several values, semicolons separate them."
    if any(isinstance(item.type, ListType) for item in inputs):
        opening += " Lists are given entry by entry, or as JSON in brackets."
    yield opening
    yield from _explain_days(model)
    taken = _collect_taken_names(model)
    passed = [
        item.name
        for item in inputs
        if isinstance(item.type, SetType | ListType) and item.name in taken
    ]
    if passed:
        shown = join_items(passed) if len(passed) <= _FEW_INPUTS else _SEVERAL_VALUES
        is_plural = 1 < len(passed) <= _FEW_INPUTS
        yield _AS_LISTS.format(inputs=shown, lists="lists" if is_plural else "a list")
    for text in (item for item in inputs if item.tells):
        yield _name_told_facts(model, text)
    if model.malformable:
        yield _AS_STATED


def _name_told_facts(model: DomainModel, text: Field) -> str:
    """Return that a text tells facts, and what those are of which it may say nothing."""
    items = [model.fields[name] for name in text.tells]
    told = [(phrase_returned_field(item), item) for item in items]
    silent = [
        f' If it does not state {words}, the {item.label} is "{item.missing}".'
        for words, item in told
        if item.missing
    ]
    facts = join_items([words for words, _ in told])
    return "".join([_TOLD.format(text=text.label, facts=facts), *silent])


def _explain_days(model: DomainModel) -> Iterator[str]:
    """Return how days and times are written, as far as a domain has any."""
    kinds = [item.type for item in model.list_introduced_fields().values()]
    parts = [part for kind in kinds if isinstance(kind, ListType) for _, part in kind.fields]
    spans = {kind.span for kind in (*kinds, *parts) if isinstance(kind, MomentType)}
    has_days, has_times = (span in spans for span in ("days", "minutes"))
    if has_days and has_times:
        yield f"{_DAYS}, with hour:minute after it where the time of day matters."
    elif has_days:
        yield f"{_DAYS}."
    elif has_times:
        yield "Dates and times are written as year-month-day hour:minute."


def _collect_taken_names(model: DomainModel) -> set[str]:
    """Return the names of what the tools take that the procedure calls."""
    return {name for tool in model.called for name in model.tools[tool].takes}


def render_general_rules(model: DomainModel) -> Iterator[str]:
    """Return what holds for all steps; the first says where a case goes on that is sent nowhere."""
    branches = any(len(step.edges) > 1 for step in model.steps.values())
    ends = _ENDS if model.hand_overs else _CLOSES
    yield f"{_IN_ORDER}. {_FIRST_MET}. {ends}" if branches else f"{_IN_ORDER}. {ends}"
    yield _PARTS_PREVAIL if model.parts else _PREVAILS
    edges = [edge for step in model.steps.values() for edge in step.edges]
    if any(edge.counts is Counts.VISIT for edge in edges):
        yield _LOOPS
    returned = {name for tool in model.called for name in model.tools[tool].returns}
    if returned & _collect_taken_names(model):
        yield "If you pass a value from one tool to another, pass it unchanged."
    if any(isinstance(model.fields[name].type, SetType | ListType) for name in returned):
        yield _EMPTY_LIST
    is_mixed = any(map(_is_changed_value_read, model.tools.values()))
    changes = [_LAST_RETURNED] if find_reread_changes(model) else []
    changes += [_CHANGED_AT_ONCE] if is_mixed else []
    if changes:
        yield " ".join(changes)


def _is_changed_value_read(tool: Tool) -> bool:
    """Return whether a tool works a change out from a value that it changes, too."""
    return any(
        collect_all_read_fields([value]) & ({*tool.effects} - {name})
        for name, value in tool.effects.items()
    )


def render_bans(model: DomainModel, tool: str) -> dict[str, str]:
    """Return that tools must not be used that a tool has replaced, by their names."""
    new = model.tools[tool].offered_name
    return {
        old.name: phrase_ban(old, new) for old in model.tools.values() if old.replaced_by == tool
    }


def phrase_ban(old: Tool, new: str) -> str:
    """Return that a tool must not be used, for the one of this name has replaced it."""
    return f"Do not use {old.offered_name}; it has been replaced by {new}."


def render_refusal_rules(model: DomainModel) -> Iterator[str]:
    """Return what holds for every refusal, or that there is no tool that may refuse."""
    if not model.called:
        yield _NO_TOOLS
        return
    has_refusals = any(step.refusals for step in model.steps.values())
    text = (
        "When a tool refuses a call, it changes nothing and returns a code that gives the reason."
    )
    yield f"{text} If the step names a next step for that code, go there." if has_refusals else text


def render_built_in_refusals(model: DomainModel) -> Iterator[str]:
    """Return what to do after the refusals of calls that are amiss, as far as they may occur."""
    tools = [model.tools[name] for name in model.called]
    if tools:
        rest = _AMISS if model.malformable else _WELL_FORMED
        yield f"{INVALID_PARAMETER}: a value in the call is missing or malformed. {rest}"
    entities = dict.fromkeys(entity for tool in tools for entity in model.list_entities_read(tool))
    if entities:
        records = _describe_records(model, list(entities))
        yield f"{UNKNOWN_RECORD}: no record matches the key in the call. {records}"
    yield from _render_writing_refusals(model, tools)
    if any(tool.kind is ToolKind.LOOKUP and list_compared_fields(model, tool) for tool in tools):
        rest = _AS_RETURNED if _may_contradict(model) else _AGREE
        yield f"{RECORD_MISMATCH}: a value in the call differs from what is on file. {rest}"


def _may_contradict(model: DomainModel) -> bool:
    """Return whether a step is for cases that contradict what is on file."""
    return any(name.startswith(DIFFERS) for name in model.steps)


def _render_writing_refusals(model: DomainModel, tools: Iterable[Tool]) -> Iterator[str]:
    """Return what the refusals of actions mean that they give by themselves."""
    codes = {check.refusal for tool in tools for check in build_writing_checks(model, tool)}
    if OUT_OF_RANGE in codes:
        text = "the call would take a value on file out of its permitted range."
        yield f"{OUT_OF_RANGE}: {text} {_GO_ON}"
    if SAME_RECORD in codes:
        yield f"{SAME_RECORD}: values in the call that must differ refer to one record. {_GO_ON}"


def _describe_records(model: DomainModel, entities: Sequence[Entity]) -> str:
    """Return which keys have a record, and what to do where one has none."""
    keys = [model.fields[entity.key] for entity in entities]
    handled = _collect_handled_entities(model)
    lacking = [
        model.fields[entity.key]
        for entity in entities
        if model.may_lack(entity) and entity.name in handled
    ]
    sure = [item for item in keys if item not in lacking]
    stated = [item for item in sure if item.role is Role.INPUT]
    place = "the inputs of the case"
    place += "" if stated == sure else " and the replies of the tools"
    sentences = [
        f"Compare {join_items([f'the {item.label}' for item in sure])} in the call with {place};"
        " if they differ, correct the call and repeat it."
        if sure
        else "",
        f"If {_join_labels(lacking)} is not on file, go where the step says." if lacking else "",
    ]
    return " ".join(filter(None, sentences))


def _collect_handled_entities(model: DomainModel) -> set[str]:
    """Return the names of the entities for which a step says where a case without a record goes."""
    return {
        entity.name
        for step in model.steps.values()
        if step.call is not None and UNKNOWN_RECORD in step.refusals
        for entity in model.list_entities_read(model.tools[step.call])
    }


def _join_labels(items: Sequence[Field]) -> str:
    """Return labels as a sentence names one of them: "the order number or the client number"."""
    return join_items([f"the {item.label}" for item in items], "or")


def render_check_rules(model: DomainModel) -> Iterator[str]:
    """Return what it means that a check of a tool fails."""
    if not any(tool.guard for tool in model.tools.values()):
        return
    has_refusals = any(step.refusals for step in model.steps.values())
    opening = "If the step names no next step for the code, such" if has_refusals else "Such"
    yield (
        f"{_name_refusing(model)} a call in the cases listed below. {opening} a refusal means that"
        " a mistake was made in an earlier step. Check your decisions against the inputs of the"
        " case and the values that the tools returned, correct the first mistake, and continue from"
        " there, without repeating any action that has already been carried out."
    )


def _name_refusing(model: DomainModel) -> str:
    """Return that some tools refuse calls, or by its name that the only one does."""
    only = find_only_refusing_tool(model)
    return f"{only} also refuses" if only else "Some tools also refuse"


def find_only_refusing_tool(model: DomainModel) -> str:
    """Return the name of the only called tool that has checks of its own, "" for several."""
    tools = [model.tools[name] for name in model.called]
    names = {tool.offered_name for tool in tools if tool.guard}
    return names.pop() if len(names) == 1 else ""


def render_result_rules(model: DomainModel) -> Iterator[str]:
    """Return the form of an answer, in words, and which result is the decision."""
    label = model.primary.label
    # "The final decision is the decision" says nothing.
    named = f" {_DECISION.format(decision=label)}" if label != "decision" else ""
    yield f"{_RESULTS}{named}"


def render_intermediate_rules() -> Iterator[str]:
    """Return which intermediate values an answer states."""
    yield _SCORED
