"""What a case knows at each step, as far as the graph of the procedure shows.

A field counts as known at a step where every path to the step has made it known. What is read
without that is known on some paths only: whether a case ever reads it unknown is a question for
the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.model import DomainModel, Step
from sopforge.language.domain.rules import collect_decision_inputs
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark


def map_known_fields(model: DomainModel) -> dict[str, frozenset[str]]:
    """Return what is known on arrival at each reachable step, whatever the path."""
    marks = [name_malformed_mark(item.name) for item in model.malformable]
    given = frozenset((*(item.name for item in model.given), *marks))
    return _collect_known(model, model.start, given, map_part_results(model))


def map_part_results(model: DomainModel) -> dict[str, frozenset[str]]:
    """Return what each part surely makes known, whoever carries it out; none of its own ends.

    A part that no case comes back from is not among them.
    """
    made: dict[str, frozenset[str]] = {}
    # Parts do not come to themselves: after as many rounds, each stands on those that it calls.
    for _ in model.parts:
        for name, part in model.parts.items():
            known = _collect_known(model, part.start, frozenset(), made)
            back = [
                known[step.id] | collect_step_results(model, step)
                for step in model.list_steps_in(name)
                if step.is_return and step.id in known
            ]
            if back:
                made[name] = frozenset.intersection(*back)
    return made


def map_fresh_fields(model: DomainModel) -> dict[str, frozenset[str]]:
    """Return the columns that a case has read as they are on arrival at each step, by any path.

    A tool that takes a value which it also reads in the record itself reads one value twice. That
    is sound where no path to the step can have changed the record after the case has read it.
    """
    return _follow(model, model.start, frozenset(), partial(_iterate_fresh_targets, model))


def _follow(
    model: DomainModel,
    start: str,
    given: frozenset[str],
    lead: Callable[[Step, frozenset[str]], Iterator[tuple[str, frozenset[str]]]],
) -> dict[str, frozenset[str]]:
    """Return what holds on arrival at each step that is reached from one on, by any path.

    ``lead`` yields where a step leads, and what holds there, by what holds before it.
    """
    found = {start: given}
    waiting = [start]
    while waiting:
        step = model.steps[waiting.pop()]
        for target, after in lead(step, found[step.id]):
            before = found.get(target)
            # What holds at a step only ever shrinks, so that loops come to an end here.
            met = after if before is None else before & after
            if met != before:
                found[target] = met
                waiting.append(target)
    return found


def _collect_known(
    model: DomainModel, start: str, given: frozenset[str], made: Mapping[str, frozenset[str]]
) -> dict[str, frozenset[str]]:
    """Return what is known on arrival at each step that is reached from one on.

    ``made`` is what the parts make known that a case comes back from.
    """
    return _follow(model, start, given, partial(_iterate_known_targets, model, made))


def _iterate_known_targets(
    model: DomainModel, made: Mapping[str, frozenset[str]], step: Step, before: frozenset[str]
) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield where a step leads, a part that it carries out among it, and what is known there."""
    if step.do:
        yield model.parts[step.do].start, before
        if step.do not in made:
            return
    refused = frozenset(edge.to for edge in step.refusals.values())
    learned = collect_step_results(model, step) | made.get(step.do, frozenset())
    for target in _list_targets(step):
        # A refused call returns nothing. Where an edge leads to the same step too, no more can
        # be relied on there.
        yield target, before if target in refused else before | learned


def _iterate_fresh_targets(
    model: DomainModel, step: Step, before: frozenset[str]
) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the steps to which a step leads, and what is fresh there."""
    if step.do:
        # What the part has changed is not followed: after it, nothing counts as fresh.
        yield model.parts[step.do].start, before
        before = frozenset()
    after = before
    if step.call is not None:
        tool = model.tools[step.call]
        returned = frozenset(name for name in tool.returns if model.fields[name].table)
        after = (before - model.expand_columns(tool.effects)) | returned
    for edge in step.edges:
        yield from ((target, after) for target in (edge.to, edge.then) if target)
    # A refused call changes nothing, and returns nothing.
    yield from ((edge.to, before) for edge in step.refusals.values())


def collect_step_results(model: DomainModel, step: Step) -> frozenset[str]:
    """Return what a step makes known: what its call returns, and what it decides."""
    returned = model.tools[step.call].returns if step.call else ()
    return frozenset((*returned, *step.decide))


def find_partly_known_fields(model: DomainModel) -> frozenset[str]:
    """Return the fields that a step reads, and that some paths to it make known and others not."""
    known, by_parts = map_known_fields(model), map_part_results(model)
    made = frozenset[str]().union(
        *(collect_step_results(model, model.steps[name]) for name in known)
    )
    read = {
        name
        for step in model.steps.values()
        if step.id in known
        for name in _iterate_unsure_reads(
            model, step, known[step.id] | by_parts.get(step.do, frozenset())
        )
    }
    return frozenset(read & made & set(model.fields))


def find_reread_changes(model: DomainModel) -> frozenset[str]:
    """Return the fields that a call changes on file and that a step may read after that."""
    return frozenset().union(*(_find_reread(model, step) for step in model.steps.values()))


def _find_reread(model: DomainModel, step: Step) -> frozenset[str]:
    changed = model.expand_columns(model.tools[step.call].effects) if step.call else frozenset()
    if not changed:
        return frozenset()
    # A case may come back from a part to any step that carries it out.
    later = _list_later_steps(model, step) if not model.parts else [*model.steps.values()]
    passed = {name for after in later if after.call for name in model.tools[after.call].takes}
    # A later call may return the value anew: then there are two.
    asked = [replace(after, call=None) for after in (step, *later)]
    reads = {name for after in asked for name in _iterate_unsure_reads(model, after, frozenset())}
    return changed & (passed | reads)


def _list_later_steps(model: DomainModel, step: Step) -> list[Step]:
    """Return the steps that a case may come to after one, in a procedure without parts."""
    found: dict[str, Step] = {}
    waiting = _list_targets(step)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = model.steps[name]
            waiting += _list_targets(found[name])
    return [*found.values()]


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
