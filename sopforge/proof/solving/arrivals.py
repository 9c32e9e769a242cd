"""What holds of every case that comes to a step: no step before it has sent the case elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.language.domain.expressions.expressions import (
    AnyOf,
    Expression,
    Not,
    collect_read_fields,
)
from sopforge.language.domain.model import DomainModel, Edge, Step
from sopforge.language.domain.procedure.known_fields import collect_step_results, map_known_fields
from sopforge.language.logic.tables import FALSE
from sopforge.proof.solving.questions import find_changeable_fields


def list_arrival_conditions(model: DomainModel, step: Step) -> list[Expression]:
    """Return conditions that every case meets that comes to a step.

    They are those of the steps on every path to it: what such a step asks for is known there, and
    is the same later. More may hold of the cases.
    """
    found: list[Expression] = []
    for earlier in _list_passed_steps(model, step):
        coming: list[Expression] = []
        for edge in earlier.edges:
            if _may_lead_to(model, edge, step):
                coming += [edge.when] if edge.when is not None else []
            else:
                found.append(_build_not_taken(edge, coming))
    return found


def iterate_leaving_edges(model: DomainModel, step: Step) -> Iterator[Edge]:
    """Yield the edges on which every case that meets their conditions is kept from a step.

    They are those of the steps on every path to it before the first one that may lead to it.
    """
    for earlier in _list_passed_steps(model, step):
        for edge in earlier.edges:
            if edge.when is None or _may_lead_to(model, edge, step):
                break
            yield edge


def _build_not_taken(edge: Edge, coming: list[Expression]) -> Expression:
    """Return when an edge is not taken: not met, or after another that may lead to the step."""
    others = AnyOf(tuple(coming)) if coming else FALSE
    return others if edge.when is None else AnyOf((Not(edge.when), others))


def _list_passed_steps(model: DomainModel, step: Step) -> list[Step]:
    """Return the steps on every path to a step of whose choice as much is certain."""
    known, changeable = map_known_fields(model), find_changeable_fields(model)
    return [
        other
        for other in model.steps.values()
        if other.id in known
        and other.id != step.id
        and not any(_is_reached(model, edge.to, step) for edge in other.refusals.values())
        and _collect_asked(other) <= known[other.id] | collect_step_results(model, other)
        and changeable.isdisjoint(_collect_asked(other))
        and not _is_reached(model, model.start, step, without=other.id)
    ]


def _collect_asked(step: Step) -> frozenset[str]:
    read = (collect_read_fields(edge.when) for edge in step.edges if edge.when is not None)
    return frozenset[str]().union(*read)


def _may_lead_to(model: DomainModel, edge: Edge, step: Step) -> bool:
    """Return whether a case may come to a step after an edge; also when a loop is used up."""
    return any(_is_reached(model, name, step) for name in (edge.to, edge.then) if name)


def _is_reached(model: DomainModel, start: str, step: Step, without: str = "") -> bool:
    """Return whether a path leads from one step to another, on which a third one does not stand.

    The steps of a part are taken to lead back to every step that carries it out.
    """
    waiting, seen = [start], {without}
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        if name == step.id:
            return True
        seen.add(name)
        waiting += _list_next_steps(model, model.steps[name])
    return False


def _list_next_steps(model: DomainModel, step: Step) -> list[str]:
    edges = (*step.edges, *step.refusals.values())
    found = [name for edge in edges for name in (edge.to, edge.then) if name]
    if step.do:
        found.append(model.parts[step.do].start)
    if step.is_return:
        found += [other.id for other in model.steps.values() if other.do == step.part]
    return found
