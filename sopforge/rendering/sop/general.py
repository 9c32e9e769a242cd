"""Sentences of an SOP that hold for a whole section: which words of the text prevail, and how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sopforge.domain.fields import Entity, Field, Role
from sopforge.domain.model import (
    INVALID_PARAMETER,
    OUT_OF_RANGE,
    SAME_RECORD,
    UNKNOWN_RECORD,
    DomainModel,
    Tool,
    ToolKind,
    build_writing_checks,
)
from sopforge.domain.values.types import ListType, SetType
from sopforge.logic.tool_calls import RECORD_MISMATCH
from sopforge.rendering.refusal_codes import list_compared_fields

FOR_INFORMATION = "The following is for information only and changes no rule."
_AS_STATED = (
    "An input may be malformed, that is, not in the form given here. Use such an input exactly as"
    " it arrives: never correct it or guess what was meant, even if the mistake is obvious."
)
_AS_LISTS = (
    "Pass an input with several values to a tool as a list; if the input says in words that there"
    " is none, pass an empty list."
)
_RESULTS = (
    "Close each case with a statement of its results. Put each result in its own XML element, named"
    " exactly as given below, with nothing in it but the value: no quotation marks, no unit."
)
_DECISION = "The final decision is the {decision}."
_GO_ON = "If the step names no next step for it, check the values in the call."
_AMISS = (
    "If the mistake is yours, correct it and call again; never change an input of the case itself."
)
_SEVERAL = (
    "If a step names several next steps, take the first one, from top to bottom, whose condition"
    " is met."
)
_ENDS = "The procedure ends with a step that closes the case or hands it over."
_PREVAILS = "If any other part of this document conflicts with this section, this section prevails."
_PARTS_PREVAIL = (
    "If any other part of this document conflicts with this section, or with a section that a step"
    " refers you to, these sections prevail."
)
_SCORED = (
    "Also report, in the same form, each of the following values that a step you carried out has"
    " set."
)


def list_general_sentences(model: DomainModel) -> list[str]:
    """Return the sentences that every SOP of the model holds word for word."""
    return [
        *render_input_rules(model),
        *render_general_rules(model),
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
        opening += " Semicolons separate several values in one input."
    if any(isinstance(item.type, ListType) for item in inputs):
        opening += " Lists are given as JSON, in brackets."
    yield opening
    taken = _collect_taken_names(model)
    if any(isinstance(item.type, SetType | ListType) and item.name in taken for item in inputs):
        yield _AS_LISTS
    if model.malformable:
        yield _AS_STATED


def _collect_taken_names(model: DomainModel) -> set[str]:
    """Return the names of what the tools take that the procedure calls."""
    return {name for tool in model.called for name in model.tools[tool].takes}


def render_general_rules(model: DomainModel) -> Iterator[str]:
    """Return what holds for all steps."""
    branches = any(len(step.edges) > 1 for step in model.steps.values())
    yield f"{_SEVERAL} {_ENDS}" if branches else _ENDS
    yield _PARTS_PREVAIL if model.parts else _PREVAILS
    returned = {name for tool in model.called for name in model.tools[tool].returns}
    if returned & _collect_taken_names(model):
        yield "Pass values that one tool returns to other tools unchanged."
    if any(tool.effects for tool in model.tools.values()):
        yield (
            "Use each value as a tool last returned it: a change on file counts only once a tool"
            " has returned the new value. If one call changes several values, work out each change"
            " from the values before the call."
        )


def render_refusal_rules(model: DomainModel) -> Iterator[str]:
    """Return what holds for every refusal."""
    has_refusals = any(step.refusals for step in model.steps.values())
    text = "A tool that refuses a call changes nothing and returns a code for the reason."
    yield f"{text} If the step names a next step for that code, go there." if has_refusals else text


def render_built_in_refusals(model: DomainModel) -> Iterator[str]:
    """Return what to do after the refusals of calls that are amiss, as far as they may occur."""
    tools = [model.tools[name] for name in model.called]
    if tools:
        yield f"{INVALID_PARAMETER}: a value in the call is missing or malformed. {_AMISS}"
    entities = dict.fromkeys(entity for tool in tools for entity in model.list_entities_read(tool))
    if entities:
        records = _describe_records(model, list(entities))
        yield f"{UNKNOWN_RECORD}: no record matches the key in the call. {records}"
    yield from _render_writing_refusals(model, tools)
    if any(tool.kind is ToolKind.LOOKUP and list_compared_fields(model, tool) for tool in tools):
        yield (
            f"{RECORD_MISMATCH}: a value in the call differs from what is on file. Call again with"
            " the inputs of the case and the values that tools returned."
        )


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
    lacking = [model.fields[entity.key] for entity in entities if model.may_lack(entity)]
    sure = [item for item in keys if item not in lacking]
    stated = [item for item in sure if item.role is Role.INPUT]
    sentences = [
        _describe_sure_records("of every case", stated),
        _describe_sure_records(
            "that a tool returns", [item for item in sure if item not in stated]
        ),
        f"The {_join_labels(lacking)} may be unknown: go on as the steps say." if lacking else "",
    ]
    return " ".join(filter(None, sentences))


def _describe_sure_records(source: str, keys: Sequence[Field]) -> str:
    """Return that keys from a source have a record."""
    form = ", if it is well formed" if any(item.malformed for item in keys) else ""
    text = f"The {_join_labels(keys)} {source} is on file{form}: check it, and call again."
    return text if keys else ""


def _join_labels(items: Sequence[Field]) -> str:
    return " or ".join(item.label for item in items)


def render_check_rules(model: DomainModel) -> Iterator[str]:
    """Return what it means that a check of a tool fails."""
    if not any(tool.guard for tool in model.tools.values()):
        return
    has_refusals = any(step.refusals for step in model.steps.values())
    opening = "If the step names no next step for the code, such" if has_refusals else "Such"
    yield (
        "Some tools have requirements of their own, and refuse with the code given here if one is"
        f" not met. {opening} a refusal means that an earlier step went wrong: compare your"
        " decisions with the inputs of the case and the values that tools returned, correct the"
        " first mistake, and continue from there. Never repeat an action that has already been"
        " carried out."
    )


def render_result_rules(model: DomainModel) -> Iterator[str]:
    """Return the form of an answer, in words, and which result is the decision."""
    label = model.primary.label
    # "The final decision is the decision" says nothing.
    named = f" {_DECISION.format(decision=label)}" if label != "decision" else ""
    yield f"{_RESULTS}{named}"


def render_intermediate_rules() -> Iterator[str]:
    """Return which intermediate values an answer states."""
    yield _SCORED
