"""Goals of edges: each where it is taken, one into a step with one out of it, back from a part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.model import DomainModel, Edge, Step
from sopforge.language.logic.variants.slots import with_edge
from sopforge.proof.dataset.coverage.goals.goal import Goal, GoalKind
from sopforge.proof.dataset.mutants.mistakes import name_edge
from sopforge.proof.dataset.mutants.mutants import list_other_bounds, list_other_targets
from sopforge.proof.dataset.mutants.part_mistakes import derive_wrong_returns
from sopforge.proof.solving.places import OUT_OF_PART
from sopforge.proof.solving.unfolding import FALSE, Unfolded, build_conjunction, build_disjunction


def build_edge_goals(model: DomainModel, places: Sequence[Unfolded]) -> Iterator[Goal]:
    """Ask for each edge where there are others: the mistake is to go elsewhere."""
    found: dict[tuple[str, bool], tuple[Step, Edge, Expression]] = {}
    for place in places:
        for transition in place.transitions if len(place.transitions) > 1 else ():
            # A used-up edge is taken as well, and is a goal of its own besides.
            for is_used_up in {False, transition.is_used_up}:
                key = transition.edge.id, is_used_up
                _, _, known = found.get(key, (place.step, transition.edge, FALSE))
                found[key] = (
                    place.step,
                    transition.edge,
                    build_disjunction(known, transition.condition),
                )
    for (name, is_used_up), (step, edge, condition) in found.items():
        words = f"{name_edge(edge)} is taken"
        last = ", used up" if is_used_up else ""
        wrong = _without_edge(model, step, edge, is_used_up=is_used_up)
        yield Goal(f"edge {name}{last}", condition, f"{words}{last}", GoalKind.EDGE, wrong)


def _without_edge(
    model: DomainModel, step: Step, edge: Edge, *, is_used_up: bool = False
) -> tuple[DomainModel, ...]:
    """Return the models in which a case does not take an edge, but goes elsewhere."""
    if is_used_up:
        bounds = list_other_bounds(edge)
        return tuple(with_edge(model, step.id, replace(edge, bound=bound)) for bound in bounds)
    targets = list_other_targets(step, edge)
    found = [with_edge(model, step.id, replace(edge, to=target)) for target in targets]
    if edge.when is not None:
        found.append(with_edge(model, step.id, replace(edge, when=FALSE)))
    if not found:  # to an end at least, so that no case goes round for ever
        ends = [name for name, other in model.steps.items() if other.end is not None]
        others = [name for name in ends if name != edge.to]
        found = [with_edge(model, step.id, replace(edge, to=name)) for name in others[:1]]
    return tuple(found)


def build_edge_pair_goals(model: DomainModel, places: Sequence[Unfolded]) -> Iterator[Goal]:
    """Ask for each edge into a step with each edge out of it, where there are several of both."""
    found: dict[tuple[str, str], tuple[Step, Edge, Expression]] = {}
    for place in places:
        for came_by, arrival in place.arrivals if len(place.arrivals) > 1 else ():
            for transition in place.transitions if len(place.transitions) > 1 else ():
                pair = came_by, transition.edge.id
                _, _, known = found.get(pair, (place.step, transition.edge, FALSE))
                meeting = build_disjunction(known, build_conjunction(arrival, transition.condition))
                found[pair] = (place.step, transition.edge, meeting)
    for (first, second), (step, edge, condition) in found.items():
        step_before, _, name = first.rpartition(".")
        came = f"back from step '{step_before}'" if name == OUT_OF_PART else f"by edge {first}"
        words = f"a case comes {came} and goes by edge {second}"
        wrong = _without_edge(model, step, edge)
        yield Goal(f"edges {first} and {second}", condition, words, GoalKind.PAIR_OF_EDGES, wrong)


def build_return_goals(model: DomainModel, places: Sequence[Unfolded]) -> Iterator[Goal]:
    """Ask for the return to each such step: the mistake is to go on as after another one."""
    for step in [item for item in model.steps.values() if item.do]:
        condition = FALSE
        for place in places:
            if place.step.id == step.id and place.place.is_back:
                condition = build_disjunction(condition, place.reached)
        words = f"a case comes back to step '{step.id}' from '{step.do}'"
        wrong = derive_wrong_returns(model, step)
        yield Goal(f"return to {step.id}", condition, words, GoalKind.RETURN, wrong)
