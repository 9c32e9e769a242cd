"""Mistakes about parts of the procedure: back at the wrong step, loops that count on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sopforge.language.domain.model import DomainModel, Step


def derive_part_mistakes(model: DomainModel, step: Step) -> Iterator[tuple[str, DomainModel]]:
    """Return the models with a mistake at a step that carries out a part, each in words."""
    for other in _list_confused_steps(model, step):
        words = f"back from '{step.do}' as to step '{other.id}'"
        yield words, _return_as(model, step, other)


def derive_counting_mistakes(model: DomainModel) -> Iterator[tuple[str, str, DomainModel]]:
    """Return the models in which the loops of a part count on when it is carried out again."""
    for name, part in model.parts.items():
        if any(edge.bound is not None for step in model.list_steps_in(name) for edge in step.edges):
            parts = {**model.parts, name: replace(part, is_counted_anew=False)}
            yield name, "its loops count over the whole case", replace(model, parts=parts)


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
