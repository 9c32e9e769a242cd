"""Which gold calls must come before which.

A call needs those that its arguments come from, directly or by rules: the first that returned them
as they are then. What acts keeps its place among all others: before it and after it, the same call
may be answered differently. All further order is free, for the replies are the same in any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import collect_decision_inputs
from sopforge.language.domain.tasks import GoldCall, Task
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.tool_calls import Refused
from sopforge.language.logic.walking import Walk

Needs: TypeAlias = Sequence[frozenset[int]]
"""For each gold call, the places of those that must come before it."""


@dataclass(frozen=True, slots=True)
class _Linked:
    """A call as far as its order goes: what it takes, and what it makes known."""

    tool: str
    takes: tuple[str, ...]
    gives: tuple[str, ...]


def derive_walk_needs(model: DomainModel, walk: Walk) -> Needs:
    """Return what each call of a walk needs.

    By the fields of the case: an operation's parameters have other names than the results that they
    come from.
    """
    return _derive_needs(model, list(_iterate_linked(walk)))


def _iterate_linked(walk: Walk) -> Iterator[_Linked]:
    """Yield the calls of a walk; what one returns once more, it does not make known."""
    known: dict[str, Value | None] = {}
    for call in walk.calls:
        result = {} if isinstance(call.result, Refused) else call.result
        new = [name for name in result if name not in known or known[name] != result[name]]
        yield _Linked(call.tool, tuple(call.arguments), tuple(new))
        known |= result


def list_needs(model: DomainModel, task: Task) -> Needs:
    """Return what each gold call of a task needs: as it is stored, or by the names of values."""
    stored = [call.needs for call in task.calls]
    if None not in stored:
        return [frozenset(needs or ()) for needs in stored]
    return derive_needs(model, task.calls)


def derive_needs(model: DomainModel, calls: Sequence[GoldCall]) -> Needs:
    """Return what each gold call needs, by the names of parameters and results."""
    return _derive_needs(
        model, [_Linked(call.tool, tuple(call.arguments), tuple(call.result)) for call in calls]
    )


def _derive_needs(model: DomainModel, calls: Sequence[_Linked]) -> Needs:
    suppliers: dict[str, int] = {}
    needs: list[frozenset[int]] = []
    for place, call in enumerate(calls):
        acts = is_acting(model, call.tool)
        fixed = {
            earlier for earlier in range(place) if acts or is_acting(model, calls[earlier].tool)
        }
        needs.append(find_suppliers(model, call.takes, suppliers) | fixed)
        suppliers |= dict.fromkeys(call.gives, place)
    return needs


def find_suppliers(
    model: DomainModel, names: Iterable[str], suppliers: Mapping[str, int]
) -> frozenset[int]:
    """Return the calls from which values come: they return these, or what decides them."""
    found: set[int] = set()
    seen: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name in suppliers:
            found.add(suppliers[name])
        elif name in model.decisions and name not in seen:
            left += collect_decision_inputs(model.decisions[name])
        seen.add(name)
    return frozenset(found)


def is_acting(model: DomainModel, tool: str) -> bool:
    """Return whether a call of a tool may change what later ones are answered."""
    found = model.tools.get(tool)
    return found is not None and found.is_acting
