"""What a case knows of records as they are: read, and changed by no call since.

A tool that takes a value which it also reads in the record itself reads one value twice. That is
sound where no path to the step can have changed the record after the case has read it.
"""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.language.domain.model import DomainModel, Step


def map_fresh_fields(model: DomainModel) -> dict[str, frozenset[str]]:
    """Return the columns that a case has read as they are on arrival at each step, by any path."""
    fresh = {model.start: frozenset[str]()}
    waiting = [model.start]
    while waiting:
        step = model.steps[waiting.pop()]
        for target, after in _iterate_targets(model, step, fresh[step.id]):
            before = fresh.get(target)
            # What is fresh at a step only ever shrinks, so that loops come to an end here.
            met = after if before is None else before & after
            if met != before:
                fresh[target] = met
                waiting.append(target)
    return fresh


def _iterate_targets(
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
