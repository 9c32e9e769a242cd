"""Mistakes about parts of the procedure: left out, confused, come back from to the wrong step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from sopforge.domain.model import DomainModel, Step


def derive_part_mistakes(model: DomainModel, step: Step) -> Iterator[tuple[str, DomainModel]]:
    """Return the models with a mistake at a step that carries out a part, each in words."""
    yield f"'{step.do}' left out", _with_step(model, replace(step, do=""))
    for name in model.parts:
        if name != step.do and not _is_within(model, name, step.part):
            words = f"'{name}' carried out for '{step.do}'"
            yield words, _with_step(model, replace(step, do=name))
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
        last, targets = step.edges[-1], dict.fromkeys(edge.to for edge in step.edges)
        ends = [item.id for item in model.steps.values() if item.end is not None]
        others = list(targets)[1:] and list(targets)
        others = others or [name for name in ends if name not in targets][:1]
        straight = [replace(last, to=name, bound=None, then=None) for name in others]
        found = [_with_step(model, replace(step, edges=(edge,))) for edge in straight]
    return tuple(found)


def _return_as(model: DomainModel, step: Step, other: Step) -> DomainModel:
    """Return the model in which a step goes on after its part as another one does."""
    return _with_step(model, replace(step, edges=other.edges, decide=other.decide))


def _list_confused_steps(model: DomainModel, step: Step) -> list[Step]:
    """Return the steps with the same part from which no case comes to this one.

    A case that went on as there, and so came here again, could go round for ever.
    """
    others = [item for item in model.list_steps_doing(step.do) if item.part == step.part]
    return [
        other
        for other in others
        if other is not step and step.id not in _collect_reachable(model, other)
    ]


def _collect_reachable(model: DomainModel, step: Step) -> set[str]:
    """Return the steps of the same part that edges lead to from a step."""

    def list_targets(name: str) -> list[str]:
        edges = (*model.steps[name].edges, *model.steps[name].refusals.values())
        return [to for edge in edges for to in (edge.to, edge.then) if to is not None]

    return _collect_linked(list_targets(step.id), list_targets)


def _is_within(model: DomainModel, name: str, part: str) -> bool:
    """Return whether a part is another one, or carries it out."""

    def list_called(part: str) -> list[str]:
        return [step.do for step in model.list_steps_in(part) if step.do]

    return bool(part) and part in _collect_linked([name], list_called)


def _collect_linked(names: Iterable[str], list_next: Callable[[str], list[str]]) -> set[str]:
    waiting = list(names)
    found = set(waiting)
    while waiting:
        fresh = set(list_next(waiting.pop())) - found
        found |= fresh
        waiting += fresh
    return found


def _with_step(model: DomainModel, step: Step) -> DomainModel:
    return replace(model, steps={**model.steps, step.id: step})
