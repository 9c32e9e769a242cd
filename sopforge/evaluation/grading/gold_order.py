"""Which gold calls must come before which, and which call of an attempt stands for which of them.

A call needs those that its arguments come from, directly or by rules. What acts keeps its place
among all others: before it and after it, the same call may be answered differently. All further
order is free, for the replies are the same in any.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from sopforge.domain.model import DomainModel
from sopforge.domain.rules import collect_decision_inputs
from sopforge.domain.tasks import GoldCall
from sopforge.evaluation.grading.calls import Made, is_acting

Needs: TypeAlias = Sequence[frozenset[int]]
"""For each gold call, the places of those that must come before it."""


def derive_needs(model: DomainModel, calls: Sequence[GoldCall]) -> Needs:
    """Return what each gold call of a task needs."""
    suppliers: dict[str, int] = {}
    needs: list[frozenset[int]] = []
    for place, call in enumerate(calls):
        acts = is_acting(model, call.tool)
        fixed = {
            earlier for earlier in range(place) if acts or is_acting(model, calls[earlier].tool)
        }
        needs.append(find_suppliers(model, call.arguments, suppliers) | fixed)
        suppliers |= dict.fromkeys(call.result, place)
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


def match_calls(gold: Sequence[Made], needs: Needs, made: Iterable[Made]) -> list[int | None]:
    """Return for each call the place of the gold call that it stands for, None if for none.

    It stands for one only after all that this one needs.
    """
    done: set[int] = set()
    found: list[int | None] = []
    for call in made:
        place = next(
            (
                place
                for place, wanted in enumerate(gold)
                if place not in done and call == wanted and needs[place] <= done
            ),
            None,
        )
        found.append(place)
        done |= set() if place is None else {place}
    return found
