"""Goals of ties: quotients that show how they are rounded, such as halves."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from sopforge.language.domain.expressions.expressions import Quotient
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Table
from sopforge.language.logic.tables import build_rule_condition
from sopforge.language.logic.variants.slots import Slot, SlotKind
from sopforge.language.logic.variants.substitution import Replacement, replace_part
from sopforge.proof.dataset.coverage.goals.atoms import build_presence_condition
from sopforge.proof.dataset.coverage.goals.goal import Goal, GoalKind
from sopforge.proof.dataset.coverage.goals.inner_places import list_inner_places
from sopforge.proof.dataset.coverage.goals.sites import (
    build_meeting_condition,
    list_formula_moments,
)
from sopforge.proof.dataset.mutants.ties import list_showing_cases
from sopforge.proof.solving.unfolding import (
    TRUE,
    Moment,
    Unfolded,
    build_conjunction,
    find_decision_moments,
)


def build_tie_goals(
    model: DomainModel, places: Sequence[Unfolded], slots: Mapping[str, Slot]
) -> Iterator[Goal]:
    """Ask for each case in which a quotient shows how it is rounded."""
    for slot in slots.values():
        moments = _list_moments(model, places, slot)
        inner = list_inner_places(slot.expression)
        found = [(place, place.node) for place in inner if isinstance(place.node, Quotient)]
        for number, (place, node) in enumerate(found, start=1):
            there = build_presence_condition(model, node)
            for name, wanted, words, other in list_showing_cases(node):
                met = build_meeting_condition(
                    moments, build_conjunction(there, place.build_condition(wanted))
                )
                wrong = slot.put(replace_part(slot.expression, node, other))
                goal, text = f"tie {slot.id} {number}{name}", f"{slot.words}, {words}"
                yield Goal(goal, met, text, GoalKind.TIE, (wrong,))


def _list_moments(model: DomainModel, places: Sequence[Unfolded], slot: Slot) -> list[Moment]:
    """Return the moments at which what stands in a slot is worked out."""
    name, _, part = slot.name.partition(".")
    match slot.kind:
        case SlotKind.FORMULA:
            return list_formula_moments(places, slot.name)
        case SlotKind.RULE | SlotKind.RESULT:
            table = model.find_decision(name)
            rule = (
                next(item for item in table.rules if item.id == part)
                if isinstance(table, Table)
                else None
            )
            when = (
                build_rule_condition(table, rule) if rule and isinstance(table, Table) else None
            ) or TRUE
            reading = when if slot.kind is SlotKind.RESULT else TRUE
            return [
                Moment(
                    build_conjunction(item.reached, item.resolve_expression(reading)), item.known
                )
                for item in find_decision_moments(places, table.target)
            ]
        case SlotKind.EDGE:
            return [Moment(place.passed, place.after) for place in places if place.step.id == name]
        case SlotKind.GUARD | SlotKind.EFFECT:
            takes = model.tools[name].takes
            return [
                Moment(place.reached, _collect_seen_by_tool(place, model.partly_known - {*takes}))
                for place in places
                if place.step.call == name
            ]


def _collect_seen_by_tool(place: Unfolded, unseen: Collection[str]) -> dict[str, Replacement]:
    """Return what a tool works with; what the case may not know of ``unseen``, records hold."""
    known = {**place.after, **place.before}
    seen = {name: item for name, item in known.items() if name not in unseen}
    return {**seen, **{name: item for name, item in place.state.items() if name in unseen}}
