"""What is known where a step decides something, and so can be asked there."""

from __future__ import annotations

from collections.abc import Iterable

from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel, Step
from sopforge.language.domain.procedure.known_fields import map_known_fields


def list_known_at_transitions(model: DomainModel, step: Step) -> list[Field]:
    """Return the fields that are known where a step chooses the next one."""
    return _list_known(model, step, step.decide)


def list_known_at_decision(model: DomainModel, target: str) -> list[Field]:
    """Return the fields that are known where a field is decided, at the step that does so."""
    for step in model.steps.values():
        if target in step.decide:
            return _list_known(model, step, step.decide[: step.decide.index(target)])
    return []


def is_certain(item: Field) -> bool:
    """Return whether a field that is known has a value of its type."""
    return not item.missing and item.malformed is None


def _list_known(model: DomainModel, step: Step, decided: Iterable[str]) -> list[Field]:
    arrived = map_known_fields(model).get(step.id, frozenset())
    returned = model.tools[step.call].returns if step.call else ()
    known = arrived.union(returned, decided)
    return [item for name, item in model.fields.items() if name in known]
