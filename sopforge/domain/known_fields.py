"""What a case knows at each step, as far as the graph of the procedure shows.

A field counts as known at a step where every path to the step has made it known. What is read
without that is known on some paths only: whether a case ever reads it unknown is a question for
the solver.
"""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.domain.language.expressions import collect_all_read_fields
from sopforge.domain.model import DomainModel, Step
from sopforge.domain.rules import collect_decision_inputs
from sopforge.domain.values.malformed_inputs import name_malformed_mark


def map_known_fields(model: DomainModel) -> dict[str, frozenset[str]]:
    """Return what is known on arrival at each reachable step, whatever the path."""
    marks = [name_malformed_mark(item.name) for item in model.malformable]
    known = {model.start: frozenset((*(item.name for item in model.inputs), *marks))}
    waiting = [model.start]
    while waiting:
        step = model.steps[waiting.pop()]
        refused = frozenset(edge.to for edge in step.refusals.values())
        for target in _list_targets(step):
            # A refused call returns nothing. Where an edge leads to the same step too, no more can
            # be relied on there.
            made = frozenset() if target in refused else collect_step_results(model, step)
            before = known.get(target)
            leaving = known[step.id] | made
            # What is known at a step only ever shrinks, so that loops come to an end here.
            after = leaving if before is None else before & leaving
            if after != before:
                known[target] = after
                waiting.append(target)
    return known


def collect_step_results(model: DomainModel, step: Step) -> frozenset[str]:
    """Return what a step makes known: what its call returns, and what it decides."""
    returned = model.tools[step.call].returns if step.call else ()
    return frozenset((*returned, *step.decide))


def find_partly_known_fields(model: DomainModel) -> frozenset[str]:
    """Return the fields that a step reads, and that some paths to it make known and others not."""
    known = map_known_fields(model)
    made = frozenset[str]().union(
        *(collect_step_results(model, model.steps[name]) for name in known)
    )
    read = {
        name
        for step in model.steps.values()
        if step.id in known
        for name in _iterate_unsure_reads(model, step, known[step.id])
    }
    return frozenset(read & made & set(model.fields))


def _iterate_unsure_reads(model: DomainModel, step: Step, known: frozenset[str]) -> Iterator[str]:
    if step.call is not None:
        yield from set(model.tools[step.call].takes) - known
        known |= frozenset(model.tools[step.call].returns)
    for target in step.decide:
        yield from collect_decision_inputs(model.decisions[target]) - known
        known |= {target}
    conditions = [edge.when for edge in step.edges if edge.when is not None]
    yield from collect_all_read_fields(conditions) - known


def _list_targets(step: Step) -> list[str]:
    """Return the steps to which a step can lead on, used-up back edges and refusals included."""
    edges = (*step.edges, *step.refusals.values())
    return [name for edge in edges for name in (edge.to, edge.then) if name is not None]
