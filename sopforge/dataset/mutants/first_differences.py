"""Where a mistake makes its first difference: at the place in the procedure where it is made.

A case in which it makes none there is answered alike, whatever comes after. To ask this first is
cheap: it takes nothing of the procedure but the path to that place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sopforge.domain.language.expressions import Expression
from sopforge.domain.model import DomainModel
from sopforge.logic.variants.substitution import Replacement
from sopforge.solving.differences import build_value_difference
from sopforge.solving.unfolding import (
    FALSE,
    TRUE,
    Arrival,
    Parts,
    Unfolded,
    Unfolder,
    build_conjunction,
    build_disjunction,
    negate_condition,
)


@dataclass(frozen=True, slots=True)
class FirstDifferences:
    """The places of a model, at which models with a mistake are compared with it."""

    model: DomainModel
    places: Sequence[Unfolded]
    parts: Parts

    def derive_difference(self, wrong: DomainModel) -> Expression:
        """Return the rows on which a model differs where its mistake is made."""
        if wrong.fields is not self.model.fields:
            # Other fields, such as of more places, may be read anywhere: no place is the first.
            return TRUE
        found, unfolder = FALSE, Unfolder(wrong, Parts(self.parts))
        for place in self.places:
            if self.is_changed(place, wrong):
                # A case comes to its first difference as the sound model leads it there.
                arrival = Arrival(TRUE, place.before, place.state)
                other = unfolder.visit(place.place, [arrival])
                found = build_disjunction(
                    found, build_conjunction(place.reached, _compare_places(place, other))
                )
        return found

    def is_changed(self, place: Unfolded, wrong: DomainModel) -> bool:
        """Return whether the step, its tool or one of its decisions is another one."""
        model, step = self.model, place.step
        if wrong.steps[step.id] is not step:
            return True
        if step.call and wrong.tools[step.call] is not model.tools[step.call]:
            return True
        names = {*place.moments, *place.worked_out}
        return any(wrong.decisions[name] is not model.decisions[name] for name in names)


def _compare_places(one: Unfolded, other: Unfolded) -> Expression:
    """Return the rows on which a case leaves a place otherwise, or with other values."""
    found = _compare_values(one.after, other.after)
    found = build_disjunction(found, _compare_values(one.later, other.later))
    left, right = _collect_departures(one), _collect_departures(other)
    for key in dict.fromkeys([*left, *right]):
        here, there = left.get(key, FALSE), right.get(key, FALSE)
        if here is not there:
            found = build_disjunction(
                found,
                build_disjunction(
                    build_conjunction(here, negate_condition(there)),
                    build_conjunction(negate_condition(here), there),
                ),
            )
    return found


def _collect_departures(place: Unfolded) -> Mapping[object, Expression]:
    """Return when a case leaves a place by which edge to where, or is refused without one."""
    found: dict[object, Expression] = {}
    for transition in place.transitions:
        key = (transition.edge.id, transition.to)
        found[key] = build_disjunction(found.get(key, FALSE), transition.here)
    for refusal in place.refusals:
        found[refusal.code] = build_disjunction(found.get(refusal.code, FALSE), refusal.here)
    return found


def _compare_values(one: Mapping[str, Replacement], other: Mapping[str, Replacement]) -> Expression:
    found = FALSE
    for name in dict.fromkeys([*one, *other]):
        left, right = one.get(name), other.get(name)
        if left is not right:
            found = build_disjunction(
                found, build_value_difference(left, right) if left and right else TRUE
            )
    return found
