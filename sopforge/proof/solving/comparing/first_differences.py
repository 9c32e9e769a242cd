"""Where a mistake makes its first difference: at the place in the procedure where it is made.

A case in which it makes none there is answered alike, whatever comes after. To ask this first is
cheap: it takes nothing of the procedure but the path to that place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sopforge.language.domain.model import DomainModel
from sopforge.proof.solving.places import ArrivalOf, C, K, M, UnfoldedOf
from sopforge.proof.solving.unfolded_places import PlaceUnfolder


def derive_first_difference(
    model: DomainModel, places: Sequence[UnfoldedOf[C, K, M]], wrong: PlaceUnfolder[C, K, M]
) -> C:
    """Return when a model with a mistake, of the unfolder, differs where the mistake is made.

    The places are those of the sound model.
    """
    if wrong.model.fields is not model.fields:
        # Other fields, such as of more places, may be read anywhere: no place is the first.
        return wrong.always
    found = wrong.never
    for place in places:
        if _is_changed(place, model, wrong.model):
            # A case comes to its first difference as the sound model leads it there.
            arrival = ArrivalOf(wrong.always, place.before, place.state)
            other = wrong.visit(place.place, [arrival])
            differs = _compare_places(place, other, wrong)
            found = wrong.disjoin(found, wrong.conjoin(place.reached, differs))
    return found


def _is_changed(place: UnfoldedOf[C, K, M], model: DomainModel, wrong: DomainModel) -> bool:
    """Return whether the step, its tool or one of its decisions is another one."""
    step = place.step
    # By its id: where a part begins, a place has a step of its own.
    if wrong.steps[step.id] is not model.steps[step.id]:
        return True
    if step.is_return and wrong.parts[step.part] is not model.parts[step.part]:
        return True
    if step.call and wrong.tools[step.call] is not model.tools[step.call]:
        return True
    names = {*place.moments, *place.worked_out}
    return any(wrong.decisions[name] is not model.decisions[name] for name in names)


def _compare_places(
    one: UnfoldedOf[C, K, M], other: UnfoldedOf[C, K, M], by: PlaceUnfolder[C, K, M]
) -> C:
    """Return when a case leaves a place otherwise, or with other values."""
    found = by.disjoin(
        _compare_known(one.after, other.after, by), _compare_known(one.later, other.later, by)
    )
    departures = _collect_departures(one, by), _collect_departures(other, by)
    return by.disjoin(found, compare_conditions(*departures, by))


def compare_conditions(
    left: Mapping[object, C], right: Mapping[object, C], by: PlaceUnfolder[C, K, M]
) -> C:
    """Return when one of some conditions holds on one side alone; what is not there never holds."""
    found = by.never
    for key in dict.fromkeys([*left, *right]):
        here, there = left.get(key, by.never), right.get(key, by.never)
        if here is not there:
            either = by.conjoin(here, by.negate(there)), by.conjoin(there, by.negate(here))
            found = by.disjoin(found, by.disjoin(*either))
    return found


def _collect_departures(
    place: UnfoldedOf[C, K, M], by: PlaceUnfolder[C, K, M]
) -> Mapping[object, C]:
    """Return when a case leaves a place by which edge to where, or is refused without one."""
    found: dict[object, C] = {}
    for transition in place.transitions:
        key = (transition.edge.id, transition.to)
        found[key] = by.disjoin(found.get(key, by.never), transition.here)
    for refusal in place.refusals:
        found[refusal.code] = by.disjoin(found.get(refusal.code, by.never), refusal.here)
    return found


def _compare_known(one: Mapping[str, K], other: Mapping[str, K], by: PlaceUnfolder[C, K, M]) -> C:
    found = by.never
    for name in dict.fromkeys([*one, *other]) if one is not other else ():
        left, right = one.get(name), other.get(name)
        if left is not right:
            differ = by.always if left is None or right is None else by.compare_values(left, right)
            found = by.disjoin(found, differ)
    return found
