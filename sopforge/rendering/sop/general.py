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

FOR_INFORMATION = "What follows is for information only; it changes no rule."
_AS_STATED = (
    "An entry whose form is given here may be malformed, that is, of another form. Take such an"
    " entry exactly as the task states it: never correct it, nor guess what was meant, not even"
    " where it is plain to see."
)
_AS_LISTS = (
    "A tool takes an entry of several values as a list, and as an empty list where the entry says"
    " in words that there is none."
)
_RESULTS = (
    "Close with a statement of all results. Put each result into an XML element of its own,"
    " named exactly as it is in brackets below, with nothing in it but the value, without quotation"
    " marks."
)
_GO_ON = "Where the step names no next step for it, compare the entries of the call."
_AMISS = (
    "Correct a mistake of your own and call again; what the task states is handed over as it"
    " stands."
)
_PREVAILS = (
    "Where another passage of this document differs from this section, this section prevails."
)
_PARTS_PREVAIL = (
    "Where another passage of this document differs from this section or from one that a step has"
    " you carry out, these sections prevail."
)
_SCORED = (
    "State these intermediate values likewise. Leave out what the steps that the"
    " case went through did not call for."
)


def list_general_sentences(model: DomainModel) -> list[str]:
    """Return the sentences that every SOP of the model holds word for word."""
    return [
        *render_input_rules(model),
        *render_general_rules(model),
        *render_refusal_rules(model),
        *render_built_in_refusals(model),
        *render_check_rules(model),
        *render_result_rules(),
        *(render_intermediate_rules() if model.intermediates else ()),
    ]


def render_input_rules(model: DomainModel) -> Iterator[str]:
    """Return how the entries of a task are read."""
    opening, inputs = "The task states the following entries.", model.inputs
    if any(isinstance(item.type, SetType) for item in inputs):
        opening += " Several values in one entry are separated by semicolons."
    if any(isinstance(item.type, ListType) for item in inputs):
        opening += " A list stands in brackets as JSON."
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
    yield _PARTS_PREVAIL if model.parts else _PREVAILS
    if any(len(step.edges) > 1 for step in model.steps.values()):
        yield (
            "Where a step names several next steps, take the first one whose condition holds, in"
            " the order in which they stand."
        )
    returned = {name for tool in model.called for name in model.tools[tool].returns}
    if returned & _collect_taken_names(model):
        yield "What one tool returned is handed to another as it was returned."
    if any(tool.effects for tool in model.tools.values()):
        yield (
            "A rule uses each value as a tool last returned it: what an action changes on file"
            " counts for a rule only once a tool has returned it. The changes of one action are"
            " worked out from the values before it."
        )


def render_refusal_rules(model: DomainModel) -> Iterator[str]:
    """Return what holds for every refusal."""
    has_refusals = any(step.refusals for step in model.steps.values())
    next_step = " Where the step names a next step for this code, go there." if has_refusals else ""
    yield f"A tool that refuses a call changes nothing, and gives a code for the reason.{next_step}"


def render_built_in_refusals(model: DomainModel) -> Iterator[str]:
    """Return what to do after the refusals of calls that are amiss, as far as they may occur."""
    tools = [model.tools[name] for name in model.called]
    if tools:
        yield f"{INVALID_PARAMETER}: an entry of the call is lacking or malformed. {_AMISS}"
    entities = dict.fromkeys(entity for tool in tools for entity in model.list_entities_read(tool))
    if entities:
        records = _describe_records(model, list(entities))
        yield f"{UNKNOWN_RECORD}: no record has the key that was handed over. {records}"
    yield from _render_writing_refusals(model, tools)
    if any(tool.kind is ToolKind.LOOKUP and list_compared_fields(model, tool) for tool in tools):
        yield (
            f"{RECORD_MISMATCH}: an entry of the call is not what is on file. Call again with what"
            " the task states and the tools returned."
        )


def _render_writing_refusals(model: DomainModel, tools: Iterable[Tool]) -> Iterator[str]:
    """Return what the refusals of actions mean that they give by themselves."""
    codes = {check.refusal for tool in tools for check in build_writing_checks(model, tool)}
    if OUT_OF_RANGE in codes:
        yield f"{OUT_OF_RANGE}: a value on file would leave the range that it may have. {_GO_ON}"
    if SAME_RECORD in codes:
        yield f"{SAME_RECORD}: entries of the call that have to be apart are one record. {_GO_ON}"


def _describe_records(model: DomainModel, entities: Sequence[Entity]) -> str:
    """Return which keys have a record, and what to do where one has none."""
    keys = [model.fields[entity.key] for entity in entities]
    lacking = [model.fields[entity.key] for entity in entities if model.may_lack(entity)]
    sure = [item for item in keys if item not in lacking]
    stated = [item for item in sure if item.role is Role.INPUT]
    sentences = [
        _describe_sure_records("that a task states", stated),
        _describe_sure_records(
            "that a tool returns", [item for item in sure if item not in stated]
        ),
        f"A {_join_labels(lacking)} may be without one: go on as the steps say." if lacking else "",
    ]
    return " ".join(filter(None, sentences))


def _describe_sure_records(source: str, keys: Sequence[Field]) -> str:
    """Return that keys from a source have a record."""
    form = ", if it is well formed" if any(item.malformed for item in keys) else ""
    text = f"Each {_join_labels(keys)} {source} has a record{form}: hand over that one."
    return text if keys else ""


def _join_labels(items: Sequence[Field]) -> str:
    return " or ".join(item.label for item in items)


def render_check_rules(model: DomainModel) -> Iterator[str]:
    """Return what it means that a check of a tool fails."""
    if not any(tool.guard for tool in model.tools.values()):
        return
    has_refusals = any(step.refusals for step in model.steps.values())
    opening = "Where the step names no next step for its code, such" if has_refusals else "Such"
    yield (
        "A tool also refuses where one of the following checks fails, with the code that is named."
        f" {opening} a refusal means that an earlier step was not carried out as it stands: compare"
        " what was decided with what the task states and the tools returned, correct the first"
        " mistake, and carry on from there. An action that was carried out is not repeated."
    )


def render_result_rules() -> Iterator[str]:
    """Return the form of an answer, in words."""
    yield _RESULTS


def render_intermediate_rules() -> Iterator[str]:
    """Return which intermediate values an answer states."""
    yield _SCORED
