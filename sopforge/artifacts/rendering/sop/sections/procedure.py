"""The procedure in the SOP: its steps with calls, decisions, transitions and ends, and parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.references import (
    RESULTS,
    is_next_step,
    to_part,
    to_sections,
    to_step,
)
from sopforge.artifacts.rendering.sop.sections.decisions import render_decisions
from sopforge.artifacts.rendering.sop.sections.dictionary import DICTIONARY
from sopforge.artifacts.rendering.sop.sections.effects import render_effects
from sopforge.artifacts.rendering.sop.sections.exceptions import describe_refusal
from sopforge.artifacts.rendering.sop.sections.fields import (
    are_results_in_words,
    describe_returned_field,
    list_results,
    phrase_returned_field,
)
from sopforge.artifacts.rendering.sop.sections.general import render_bans, render_general_rules
from sopforge.artifacts.rendering.sop.sections.terms import TERMS
from sopforge.artifacts.rendering.sop.sections.values import VALUES
from sopforge.artifacts.rendering.sop.writer import Writer, list_stated_items, write_list
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel, Edge, ProcedurePart, Step, Tool
from sopforge.language.domain.tool_checks import (
    INVALID_PARAMETER,
    UNKNOWN_RECORD,
    build_form_checks,
)
from sopforge.language.english.nouns import join_items
from sopforge.language.english.terms import Term

_MOST_IN_SENTENCE = {True: 5, False: 3}
"""How many values a sentence lists in words, and how many by their names."""
_JOINED = re.compile(r",| and ")
"""What in a label could be taken for the end of it in a sentence."""
_NUMBER = re.compile(r"\b(?:number|code|id|key|reference|identifier)\b")
"""Keys that records have; others are called what the records are of."""
PART_OPENING = "Carry out this section when a step refers to it. Begin with step {to}."
CARRY_OUT = "Carry out {part}."
RETURN = "Return to the step that referred you to this section, and continue there."


@dataclass(frozen=True, slots=True)
class StepStyle:
    """How steps are written.

    ``has_dictionary``: the data dictionary has all values, so that steps can call what tools return
    by its label; ``names_roles``: each step says who carries it out.
    """

    has_dictionary: bool = True
    names_roles: bool = True


def render_procedure(writer: Writer, style: StepStyle) -> Iterator[Statement]:
    """Return the steps, after what holds for all of them."""
    model = writer.model
    yield Statement(Style.PARAGRAPH, f"Begin with step {to_step(model.start)}.", ("start",))
    in_order, *others = render_general_rules(model)
    yield Statement(Style.PARAGRAPH, in_order, _list_edges_to_next_steps(model))
    yield from (Statement(Style.PARAGRAPH, text) for text in others)
    explained = to_sections((DICTIONARY, VALUES, TERMS, RESULTS))
    yield Statement(Style.PARAGRAPH, f"See also {explained}.")
    yield from _render_steps(writer, "", style)


def _list_edges_to_next_steps(model: DomainModel) -> tuple[str, ...]:
    """Return the edges that no step states, as they lead to the step after it."""
    edges = [(step, edge) for step in model.steps.values() for edge in step.edges]
    return tuple(
        f"edge {edge.id}" for step, edge in edges if _is_next_for_others(model, step, edge)
    )


def _is_next_for_others(model: DomainModel, step: Step, edge: Edge) -> bool:
    """Return whether an edge leads all other cases to the next step of the text.

    A step that does nothing else says so, as its title would stand alone.
    """
    is_open = edge.when is None and edge.bound is None
    says_more = step.instruction or step.do or step.call or step.decide or len(step.edges) > 1
    return is_open and bool(says_more) and is_next_step(model, step.id, edge.to)


def render_part(writer: Writer, part: ProcedurePart, style: StepStyle) -> Iterator[Statement]:
    """Return the steps of a part, after how a case comes to them."""
    text = PART_OPENING.format(to=to_step(part.start))
    yield Statement(Style.PARAGRAPH, text, (f"part {part.name}",))
    yield from _render_steps(writer, part.name, style)


def _render_steps(writer: Writer, part: str, style: StepStyle) -> Iterator[Statement]:
    for step in writer.model.list_steps_in(part):
        states = (f"step {step.id}",)
        yield Statement(Style.STEP, step.title, states)
        if step.by and style.names_roles:
            yield Statement(Style.PARAGRAPH, f"Responsible: {step.by}.", states)
        yield from _render_step(writer, step, style)
        if step.end is not None:
            yield _render_end(writer, step)


def _render_step(writer: Writer, step: Step, style: StepStyle) -> Iterator[Statement]:
    model = writer.model
    if step.instruction:
        yield Statement(Style.PARAGRAPH, step.instruction, (f"step {step.id}",))
    if step.do:
        text = CARRY_OUT.format(part=to_part(step.do))
        yield Statement(Style.PARAGRAPH, text, (f"part {step.do}", f"step {step.id}"))
    if step.call is not None:
        tool = model.tools[step.call]
        yield _render_call(model, tool, style)
        if step.call not in _list_called_before(model, step):
            for old, text in render_bans(model, step.call).items():
                yield Statement(Style.PARAGRAPH, text, (f"ban {old}",))
        yield from render_effects(writer, tool)
        yield from _render_refusals(writer, tool, step)
    yield from render_decisions(writer, step.decide, _list_earlier_steps(model, step))
    for _, group in groupby(step.edges, _find_shared_target):
        yield from _render_edges(writer, step, list(group))
    if step.is_return:
        yield Statement(Style.PARAGRAPH, RETURN, (f"step {step.id}",))


def _list_called_before(model: DomainModel, step: Step) -> list[str]:
    """Return the tools that the steps before one call, as the text has them."""
    order = list(model.steps)
    before = order[: order.index(step.id)]
    return [call for name in before if (call := model.steps[name].call) is not None]


def _list_earlier_steps(model: DomainModel, step: Step) -> dict[str, str]:
    """Return the steps that decide fields earlier in the document, by these fields."""
    order = [item for part in ("", *model.parts) for item in model.list_steps_in(part)]
    found: dict[str, str] = {}
    for other in order[: order.index(step)]:
        for target in other.decide:
            found.setdefault(target, other.id)
    return found


# calls


def _render_call(model: DomainModel, tool: Tool, style: StepStyle) -> Statement:
    """Return the call of a tool, with what it returns in a sentence or, if that is much, a list."""
    in_words = style.has_dictionary and are_results_in_words(model, tool)
    returned = _list_returned(model, tool, in_words=in_words)
    is_joined = in_words and len(returned) > 1 and any(map(_JOINED.search, returned))
    takes = join_items(model.describe_arguments(tool))
    text = f"Call {tool.offered_name} with {takes}."
    if len(returned) > _MOST_IN_SENTENCE[in_words] or is_joined:
        text = write_list(f"{text} It returns:", returned)
    elif returned:
        text = f"{text} It returns {join_items(returned)}."
    return Statement(Style.PARAGRAPH, text, (f"tool {tool.name}",))


def is_called(tool: str, text: str) -> bool:
    """Return whether a text has a tool called, by its name.

    >>> is_called("findParcel", "Call findParcel with parcel_id. It returns service.")
    True
    >>> is_called("findParcel", "Do not use findParcel: it is superseded.")
    False
    """
    return re.search(rf"\b[Cc]all {tool} with\b", text) is not None


def _list_returned(model: DomainModel, tool: Tool, *, in_words: bool) -> list[str]:
    """Return what a tool returns, in words where the dictionary has names, units and forms."""
    if in_words:
        return [phrase_returned_field(item) for item in model.list_tool_results(tool)]
    return [
        describe_returned_field(replace(item, name=tool.results[item.name]))
        for item in list_results(model, tool)
    ]


def _render_refusals(writer: Writer, tool: Tool, step: Step) -> Iterator[Statement]:
    """Return where a case goes after a refusal; codes that lead to one step stand together."""
    for place in dict.fromkeys(edge.to for edge in step.refusals.values()):
        edges = {code: edge for code, edge in step.refusals.items() if edge.to == place}
        reasons = {code: _explain_refusal(writer, tool, code) for code in edges}
        codes = [f"{code} ({why})" if why else code for code, why in reasons.items()]
        text = (
            f"If {tool.offered_name} refuses with {join_items(codes, 'or')}, go to step"
            f" {to_step(place)}."
        )
        yield Statement(Style.PARAGRAPH, text, tuple(f"edge {edge.id}" for edge in edges.values()))


def _explain_refusal(writer: Writer, tool: Tool, code: str) -> str:
    """Return why a tool refuses: what its check finds, or the brief's words if that is long."""
    model = writer.model
    if code == UNKNOWN_RECORD:
        keys = " or ".join(model.name_lacking_records(tool))
        is_number = _NUMBER.search(keys) is not None
        return f"no record has this {keys}" if is_number else f"there is no record of this {keys}"
    if code == INVALID_PARAMETER:
        tests = [writer.mean(check.test) for check in build_form_checks(model, tool)]
        return " or ".join(writer.say("fact", writer.words.forms.negate(test)) for test in tests)
    found = [check for check in list_guard_checks(tool.guard) if check.refusal == code]
    return describe_refusal(writer, found[0]) if len(found) == 1 else ""


# transitions and ends


def _find_shared_target(edge: Edge) -> str:
    """Return the step by which edges go together; one for others or a bounded one stands alone."""
    return edge.id if edge.when is None or edge.bound is not None else f"to {edge.to}"


def _render_edges(writer: Writer, step: Step, group: Sequence[Edge]) -> Iterator[Statement]:
    model, edge = writer.model, group[0]
    if _is_next_for_others(model, step, edge):
        return
    cases = [writer.mean(item.when) for item in group if item.when is not None]
    states = [x for item in group for x in list_stated_items(f"edge {item.id}", item.when)]
    asked = writer.words.forms.join("or", *cases) if cases else None
    term: Term = ("goes", asked, ("step", edge.to))
    if edge.bound is not None and edge.then is not None:
        times: Term = ("times", str(edge.bound), str(edge.counts))
        then: Term = ("step", edge.then)
        again = edge.to == step.id
        term = (
            ("repeats", asked, times, then) if again else ("returns", asked, term[2], times, then)
        )
    is_only = len(step.edges) == 1 and not (step.refusals and not step.decide)
    is_alone = asked is None and (is_only or edge.bound is not None)
    kind = "onlyedge" if is_alone else "edge"
    yield writer.state(Style.PARAGRAPH, kind, term, states)


def _render_end(writer: Writer, step: Step) -> Statement:
    model = writer.model
    values = [
        ("sets", ("field", name), writer.mean_value(value, model.fields[name].type))
        for name, value in (step.end or {}).items()
    ]
    leave: Term = ("handed", step.hand_to) if step.hand_to else ("closed",)
    states = (*(f"end {step.id}.{name}" for name in step.end or {}), f"step {step.id}")
    return writer.state(Style.PARAGRAPH, "end", ("ends", leave, *values), states)
