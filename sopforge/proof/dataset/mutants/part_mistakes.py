"""Mistakes about parts of the procedure and loops: back at the wrong step, counts that go on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce

from sopforge.language.domain.model import Counts, DomainModel, Edge, Step
from sopforge.language.domain.procedure.loops import (
    is_entered_again,
    list_loop_steps,
    may_enter_within,
)
from sopforge.language.logic.variants.slots import with_edge

_OVER = {
    Counts.CASE: "counted over the whole case",
    Counts.PART: "counted anew each time the part is carried out",
    Counts.VISIT: "counted anew each time the loop is entered",
}


def derive_part_mistakes(model: DomainModel, step: Step) -> Iterator[tuple[str, DomainModel]]:
    """Return the models with a mistake at a step that carries out a part, each in words."""
    for other in _list_confused_steps(model, step):
        words = f"back from '{step.do}' as to step '{other.id}'"
        yield words, _return_as(model, step, other)


def derive_counting_mistakes(model: DomainModel) -> Iterator[tuple[str, str, DomainModel]]:
    """Return the models in which the loops of a part count on when it is carried out again."""
    for name in model.parts:
        counted = [
            edge
            for step in model.list_steps_in(name)
            for edge in step.edges
            if edge.bound is not None and edge.counts is not Counts.CASE
        ]
        if counted:
            wrong = reduce(_count_in_case, counted, model)
            yield name, "its loops count over the whole case", wrong


def list_other_counts(model: DomainModel, edge: Edge) -> list[tuple[str, Edge]]:
    """Return an edge back that is counted over something else, in words, where that may matter."""
    part = model.steps[edge.step].part
    start = model.parts[part].start if part else model.start
    if edge.bound is None or may_enter_within(model.steps, start, edge):
        return []
    widest = Counts.PART if part else Counts.CASE
    found = [Counts.PART] if part and edge.counts is Counts.CASE else []
    if is_entered_again(model.steps, edge):
        found.append(widest if edge.counts is Counts.VISIT else Counts.VISIT)
    loop = list_loop_steps(model.steps, edge)
    return [(_OVER[counts], replace(edge, counts=counts, loop=loop)) for counts in found]


def derive_wrong_returns(model: DomainModel, step: Step) -> tuple[DomainModel, ...]:
    """Return the models in which a case goes on elsewhere after a part.

    It does so as after another step with that part; where there is none, without a look at what
    this one says, or at an end.
    """
    found = [_return_as(model, step, other) for other in _list_confused_steps(model, step)]
    if not found:
        last = step.edges[-1]
        straight = [
            replace(last, to=name, bound=None, then=None) for name in _list_targets(model, step)
        ]
        found = [with_step(model, replace(step, edges=(edge,))) for edge in straight]
    return tuple(found)


def _count_in_case(model: DomainModel, edge: Edge) -> DomainModel:
    return with_edge(model, edge.step, replace(edge, counts=Counts.CASE))


def _list_targets(model: DomainModel, step: Step) -> list[str]:
    """Return where the edges of a step lead but not back; where that is one step, an end."""
    every = dict.fromkeys(edge.to for edge in step.edges)
    onward = [
        name
        for name in every
        if step.id not in {name, *collect_reachable(model, model.steps[name])}
    ]
    if len(every) > 1:
        return onward
    ends = [item.id for item in model.steps.values() if item.end is not None]
    return [name for name in ends if name not in every][:1]


def _return_as(model: DomainModel, step: Step, other: Step) -> DomainModel:
    """Return the model in which a step goes on after its part as another one does."""
    return with_step(model, replace(step, edges=other.edges, decide=other.decide))


def _list_confused_steps(model: DomainModel, step: Step) -> list[Step]:
    """Return the steps with the same part from which no case comes to this one.

    A case that went on as there, and so came here again, could go round for ever.
    """
    others = [item for item in model.list_steps_doing(step.do) if item.part == step.part]
    return [
        other
        for other in others
        if other is not step and step.id not in collect_reachable(model, other)
    ]


def collect_reachable(model: DomainModel, step: Step) -> set[str]:
    """Return the steps of the same part that edges lead to from a step."""
    found: set[str] = set()
    waiting = [step]
    while waiting:
        item = waiting.pop()
        edges = (*item.edges, *item.refusals.values())
        fresh = {to for edge in edges for to in (edge.to, edge.then) if to is not None} - found
        found |= fresh
        waiting += [model.steps[name] for name in fresh]
    return found


def with_step(model: DomainModel, step: Step) -> DomainModel:
    """Return a model with another step in the place of the one of its name."""
    return replace(model, steps={**model.steps, step.id: step})
