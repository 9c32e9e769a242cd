"""The procedure in the SOP: its steps with calls, decisions, transitions and ends, and parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from sopforge.domain.guards import list_guard_checks
from sopforge.domain.language.expressions import Not
from sopforge.domain.model import (
    INVALID_PARAMETER,
    UNKNOWN_RECORD,
    DomainModel,
    Edge,
    ProcedurePart,
    Step,
    Tool,
    build_form_checks,
)
from sopforge.logic.english import phrase_expression
from sopforge.logic.phrasing.grammar import join_items, say_still
from sopforge.rendering.sop import frames
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.general import render_bans, render_general_rules
from sopforge.rendering.sop.references import (
    RESULTS,
    format_step_number,
    is_next_step,
    to_part,
    to_sections,
    to_step,
)
from sopforge.rendering.sop.sections.conditions import (
    Case,
    group_neighbours,
    is_listed,
    render_conditional_sentence,
)
from sopforge.rendering.sop.sections.decisions import render_decisions
from sopforge.rendering.sop.sections.dictionary import DICTIONARY, render_dictionary
from sopforge.rendering.sop.sections.effects import render_effects
from sopforge.rendering.sop.sections.exceptions import format_reason, resolve_refusal
from sopforge.rendering.sop.sections.fields import (
    are_results_in_words,
    describe_returned_field,
    list_results,
    phrase_returned_field,
)
from sopforge.rendering.sop.sections.terms import render_terms
from sopforge.rendering.sop.sections.values import VALUES, render_values
from sopforge.rendering.sop.wording import (
    Conjunction,
    Wording,
    punctuate_items,
)

TERMS = "How to read the rules"
_MOST_IN_SENTENCE = {True: 5, False: 3}
"""How many values a sentence lists in words, and how many by their names."""
_JOINED = re.compile(r",| and ")
"""What in a label could be taken for the end of it in a sentence."""
_TAKE = ("Take", "Carry out")
"""What to do with the steps; the first is that of the general rules."""
_NUMBER = re.compile(r"\b(?:number|code|id|key|reference|identifier)\b")
"""Keys that records have; others are called what the records are of."""


@dataclass(frozen=True, slots=True)
class StepStyle:
    """How steps are written.

    ``has_dictionary``: the data dictionary has all values, so that steps can call what tools return
    by its label; ``names_roles``: each step says who carries it out.
    """

    wording: Wording
    has_dictionary: bool = True
    names_roles: bool = True


def render_procedure(model: DomainModel, style: StepStyle) -> Iterator[Line]:
    """Return the steps, after what holds for all of them."""
    text = f"{frames.BEGIN}step {to_step(model, model.start)}."
    yield Line(Style.PARAGRAPH, text, ("start",))
    goes_on, *others = render_general_rules(model)
    in_order = f"{style.wording.choose(_TAKE, 'begin')}{goes_on.removeprefix(_TAKE[0])}"
    yield Line(Style.PARAGRAPH, in_order, _list_edges_to_next_steps(model))
    yield from (Line(Style.PARAGRAPH, text) for text in others)
    yield from _render_section_pointers(model, is_full=style.has_dictionary)
    yield from _render_steps(model, "", style)


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


def render_part(model: DomainModel, part: ProcedurePart, style: StepStyle) -> Iterator[Line]:
    """Return the steps of a part, after how a case comes to them."""
    text = frames.PART_OPENING.render(to=to_step(model, part.start))
    yield Line(Style.PARAGRAPH, text, (f"part {part.name}",))
    steps = model.list_steps_in(part.name)
    if any(edge.bound is not None for step in steps for edge in step.edges):
        yield Line(Style.PARAGRAPH, frames.COUNT_ANEW, (f"part {part.name}",))
    yield from _render_steps(model, part.name, style)


def _render_steps(model: DomainModel, part: str, style: StepStyle) -> Iterator[Line]:
    for step in model.list_steps_in(part):
        heading = f"{format_step_number(model, step.id)} {step.title}"
        yield Line(Style.STEP, heading, (f"step {step.id}",))
        if step.by and style.names_roles:
            text = frames.RESPONSIBLE.render(office=step.by)
            yield Line(Style.PARAGRAPH, text, (f"step {step.id}",))
        yield from _render_step(model, step, style)
        if step.end is not None:
            yield _render_end(model, step)


def _render_section_pointers(model: DomainModel, *, is_full: bool) -> Iterator[Line]:
    """Return where the sections after the procedure explain what it says."""
    explained = {
        DICTIONARY: render_dictionary(model, is_full=is_full),
        VALUES: render_values(model),
        TERMS: render_terms(model),
    }
    titles = [title for title, lines in explained.items() if any(lines)]
    yield Line(Style.PARAGRAPH, f"See also {to_sections((*titles, RESULTS))}.")


def _list_called_before(model: DomainModel, step: Step) -> list[str]:
    """Return the tools that the steps before one call, as the text has them."""
    order = list(model.steps)
    before = order[: order.index(step.id)]
    return [call for name in before if (call := model.steps[name].call) is not None]


def _render_step(model: DomainModel, step: Step, style: StepStyle) -> Iterator[Line]:
    if step.instruction:
        yield Line(Style.PARAGRAPH, step.instruction, (f"step {step.id}",))
    if step.do:
        text = frames.CARRY_OUT.render(part=to_part(step.do))
        yield Line(Style.PARAGRAPH, text, (f"part {step.do}", f"step {step.id}"))
    if step.call is not None:
        yield from _render_call(model, model.tools[step.call], style)
        if step.call not in _list_called_before(model, step):
            for old, text in render_bans(model, step.call).items():
                yield Line(Style.PARAGRAPH, text, (f"ban {old}",))
        yield from render_effects(model, model.tools[step.call])
        yield from _render_refusals(model, step.call, step.refusals)
    earlier = _list_earlier_steps(model, step)
    yield from render_decisions(model, step.decide, earlier, style.wording)
    for group in group_neighbours(step.edges, _get_shared_target):
        yield from _render_edges(model, step, group, style.wording)
    if step.is_return:
        yield Line(Style.PARAGRAPH, frames.RETURN, (f"step {step.id}",))


def _list_earlier_steps(model: DomainModel, step: Step) -> dict[str, str]:
    """Return the steps, as sentences name them, that decide fields earlier in the document."""
    order = [item for part in ("", *model.parts) for item in model.list_steps_in(part)]
    found: dict[str, str] = {}
    for other in order[: order.index(step)]:
        for target in other.decide:
            found.setdefault(target, to_step(model, other.id))
    return found


def _render_call(model: DomainModel, tool: Tool, style: StepStyle) -> Iterator[Line]:
    """Return the call of a tool, with what it returns in a sentence or, if that is much, a list."""
    in_words = style.has_dictionary and are_results_in_words(model, tool)
    returned = _list_returned(model, tool, in_words=in_words)
    is_joined = in_words and len(returned) > 1 and any(map(_JOINED.search, returned))
    is_listed = len(returned) > _MOST_IN_SENTENCE[in_words] or is_joined
    text = (frames.CALL_LISTED if is_listed else frames.CALL).render(
        verb=frames.CALL_VERB,
        tool=tool.offered_name,
        takes=join_items(model.describe_arguments(tool)),
        returned=join_items(returned) if returned else "",
    )
    states = (f"tool {tool.name}",)
    yield Line(Style.PARAGRAPH, text, states)
    if is_listed:
        yield from (Line(Style.NESTED, item, states) for item in punctuate_items(returned))


def _list_returned(model: DomainModel, tool: Tool, *, in_words: bool) -> list[str]:
    """Return what a tool returns, in words where the dictionary has names, units and forms."""
    if in_words:
        return [phrase_returned_field(item) for item in model.list_tool_results(tool)]
    return [
        describe_returned_field(replace(item, name=tool.results[item.name]))
        for item in list_results(model, tool)
    ]


def _render_refusals(model: DomainModel, tool: str, refusals: Mapping[str, Edge]) -> Iterator[Line]:
    """Return where a case goes after a refusal; codes that lead to one step stand together."""
    called = model.tools[tool]
    for place in dict.fromkeys(edge.to for edge in refusals.values()):
        edges = {code: edge for code, edge in refusals.items() if edge.to == place}
        codes = [
            frames.CODE.render(code=code, reason=_explain_refusal(model, called, code))
            for code in edges
        ]
        text = frames.REFUSED_ALIKE.render(
            tool=called.offered_name, codes=join_items(codes, "or"), to=to_step(model, place)
        )
        yield Line(Style.PARAGRAPH, text, tuple(f"edge {edge.id}" for edge in edges.values()))


def _explain_refusal(model: DomainModel, tool: Tool, code: str) -> str:
    """Return why a tool refuses: what its check finds, or the brief's words if that is long."""
    if code == UNKNOWN_RECORD:
        keys = " or ".join(model.name_lacking_records(tool))
        is_number = _NUMBER.search(keys) is not None
        return f"no record has this {keys}" if is_number else f"there is no record of this {keys}"
    if code == INVALID_PARAMETER:
        return _explain_malformed(model, tool)
    found = [check for check in list_guard_checks(tool.guard) if check.refusal == code]
    refused = resolve_refusal(model, found[0]) if len(found) == 1 else None
    if len(found) != 1:
        return ""
    if refused is None or is_listed(refused):
        return format_reason(found[0].says)
    said = phrase_expression(refused, model.fields)
    return format_reason(found[0].says) if "(" in said else said


def _explain_malformed(model: DomainModel, tool: Tool) -> str:
    """Return why a tool refuses what the task states."""
    checks = build_form_checks(model, tool)
    return " or ".join(phrase_expression(Not(check.test), model.fields) for check in checks)


def _get_shared_target(edge: Edge) -> str | None:
    """Return the step by which edges go together; one that may be taken so often stands alone."""
    return None if edge.when is None or edge.bound is not None else edge.to


def _render_edges(
    model: DomainModel, step: Step, group: list[Edge], wording: Wording
) -> Iterator[Line]:
    edge = group[0]
    target = to_step(model, edge.to)
    cases = [Case(f"edge {item.id}", item.when) for item in group if item.when is not None]
    if _is_next_for_others(model, step, edge):
        return
    if not cases:
        verb = wording.choose(frames.GO_ON_VERBS, "on")
        text = (
            frames.GO_ON_OTHERWISE.render(rest=wording.rest, verb=verb, to=target)
            if len(step.edges) > 1 or (step.refusals and not step.decide)
            else frames.GO_ON.render(verb=verb.capitalize(), to=target)
        )
        yield Line(Style.PARAGRAPH, _add_bound(model, edge, text), (f"edge {edge.id}",))
        return
    result = f"{frames.GO_TO}{target}" if edge.to != step.id else frames.REPEAT
    first, *others = render_conditional_sentence(
        model, Style.PARAGRAPH, Conjunction.IF, cases, result
    )
    yield first if others else replace(first, text=_add_bound(model, edge, first.text))
    yield from others
    bound = _add_bound(model, edge, "") if others else ""
    if bound:
        yield Line(Style.PARAGRAPH, bound, (f"edge {edge.id}",))


def _add_bound(model: DomainModel, edge: Edge, sentence: str) -> str:
    """Return a sentence with how often a loop edge may be taken, and where the case goes then."""
    if edge.bound is None or edge.then is None:
        return sentence
    times = frames.TIMES.get(edge.bound, f"{edge.bound} times")
    to = to_step(model, edge.then)
    repeated = sentence.removesuffix(f"{frames.REPEAT}.")
    if repeated != sentence and repeated.startswith("If "):
        gap, often = ("", times) if edge.bound == 1 else (",", f"at most {times}")
        still = say_still(repeated.removeprefix("If ").removesuffix(", ")) or frames.STILL_SO
        return frames.REPEATED.render(sentence=repeated, gap=gap, times=often, still=still, to=to)
    if repeated != sentence:
        return frames.REPEATED_AT_MOST.render(sentence=repeated, times=times, to=to)
    opening = f"{sentence} " if sentence else ""
    return frames.BOUNDED.render(sentence=opening, times=times, to=to)


def _lower_first(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"


def _render_end(model: DomainModel, step: Step) -> Line:
    values = [
        frames.END_VALUE.render(
            label=model.fields[name].label,
            name=name,
            value=phrase_expression(constant, model.fields),
        )
        for name, constant in (step.end or {}).items()
    ]
    text = (frames.HAND_OVER if step.hand_to else frames.CLOSE).render(office=step.hand_to)
    if len(values) > 1:
        text = f"{frames.END.render(values=join_items(values))} {frames.THEN}{_lower_first(text)}"
    elif values:
        leave = _lower_first(text)
        text = frames.END_AND_LEAVE.render(values=join_items(values), leave=leave)
    stated = (f"end {step.id}.{name}" for name in step.end or {})
    return Line(Style.PARAGRAPH, text, (*stated, f"step {step.id}"))
