"""The loops of a procedure: the steps between an edge back and the step that it leads to.

Edges do not leave a part, so that steps may be those of the whole procedure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from sopforge.language.domain.model import Counts, Edge, Step

Steps = Mapping[str, Step]


def note_loops(steps: Steps) -> dict[str, Step]:
    """Return the steps whose edges know their loops where the visits of these are counted."""
    return {
        name: replace(step, edges=tuple(_note_loop(steps, edge) for edge in step.edges))
        if any(edge.counts is Counts.VISIT for edge in step.edges)
        else step
        for name, step in steps.items()
    }


def _note_loop(steps: Steps, edge: Edge) -> Edge:
    is_visited = edge.counts is Counts.VISIT
    return replace(edge, loop=list_loop_steps(steps, edge)) if is_visited else edge


def list_loop_steps(steps: Steps, edge: Edge) -> tuple[str, ...]:
    """Return the steps of the loop that an edge closes, in the order of the procedure.

    These are the step that it leads to, and all from which a case can come to the edge without
    passing that step again.
    """
    before: dict[str, list[str]] = {name: [] for name in steps}
    for step in steps.values():
        for to in _list_targets(steps, step.id):
            before[to].append(step.id)
    found = _collect(edge.step, lambda name: () if name == edge.to else before[name])
    return tuple(name for name in steps if name in found or name == edge.to)


def may_enter_within(steps: Steps, start: str, edge: Edge) -> bool:
    """Return whether a case can come to an edge back without the step that this leads to."""

    def list_others(name: str) -> list[str]:
        return [to for to in _list_targets(steps, name) if to != edge.to]

    return start != edge.to and edge.step in _collect(start, list_others)


def is_entered_again(steps: Steps, edge: Edge) -> bool:
    """Return whether edges lead out of the loop of an edge and back into it."""
    loop = list_loop_steps(steps, edge)
    left = [to for name in loop for to in _list_targets(steps, name) if to not in loop]
    return any(edge.to in _collect(name, lambda at: _list_targets(steps, at)) for name in left)


def _list_targets(steps: Steps, name: str) -> list[str]:
    edges = (*steps[name].edges, *steps[name].refusals.values())
    return [to for edge in edges for to in (edge.to, edge.then) if to and to in steps]


def _collect(start: str, list_next: Callable[[str], Iterable[str]]) -> set[str]:
    """Return all that one comes to from a start, which is among them."""
    found, waiting = {start}, [start]
    while waiting:
        fresh = set(list_next(waiting.pop())) - found
        found |= fresh
        waiting += fresh
    return found
