"""The conditions and values of a model where they are read, and on which rows they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sopforge.language.domain.expressions.expressions import Choice, Expression
from sopforge.language.domain.model import DomainModel, Step
from sopforge.language.domain.rules import Formula, Table, is_first_given
from sopforge.language.logic.variants.slots import Put, Slot
from sopforge.language.logic.variants.substitution import replace_part
from sopforge.proof.dataset.coverage.goals.goal import GoalKind
from sopforge.proof.dataset.coverage.goals.inner_places import InnerPlace, list_inner_places
from sopforge.proof.solving.unfolding import (
    FALSE,
    TRUE,
    Moment,
    Unfolded,
    build_conjunction,
    build_disjunction,
    find_decision_moments,
    negate_condition,
)


@dataclass(frozen=True, slots=True)
class Site:
    """A condition, or a value, of the model where it is read; ``earlier`` holds there as well.

    That a rule or an edge ``is_taken`` is a goal of its own. ``inner`` is the place inside of a
    formula at which the condition stands, and ``put`` returns the model with another condition in
    its place.
    """

    id: str
    condition: Expression
    kind: GoalKind
    moments: Sequence[Moment]
    put: Put
    earlier: Expression = TRUE
    is_taken: bool = False
    inner: InnerPlace | None = None

    def build_meeting_condition(self, wanted: Expression) -> Expression:
        """Return the rows on which the condition is read while ``wanted`` holds."""
        found = FALSE
        wanted = wanted if self.inner is None else self.inner.build_condition(wanted)
        for moment in self.moments:
            here = build_conjunction(
                moment.resolve_expression(self.earlier), moment.resolve_expression(wanted)
            )
            found = build_disjunction(found, build_conjunction(moment.reached, here))
        return found


def iterate_sites(
    model: DomainModel, places: Sequence[Unfolded], slots: Mapping[str, Slot]
) -> Iterator[Site]:
    """Yield the conditions of decisions, then those of edges, then those of guards."""
    for target, decision in model.decisions.items():
        if isinstance(decision, Formula):
            slot, moments = slots[f"formula {target}"], list_formula_moments(places, target)
            yield from _iterate_choice_sites(target, slot, moments)
        elif is_first_given(decision):
            yield from _iterate_table_sites(decision, find_decision_moments(places, target), slots)
    for step in model.steps.values():
        after = [Moment(place.passed, place.after) for place in places if place.step is step]
        yield from _iterate_edge_sites(step, after, slots)
    yield from _iterate_guard_sites(places, slots)


def _iterate_edge_sites(
    step: Step, moments: Sequence[Moment], slots: Mapping[str, Slot]
) -> Iterator[Site]:
    earlier: Expression = TRUE
    for edge in step.edges:
        if edge.when is not None:
            name = f"edge {edge.id}"
            put = slots[name].put
            yield Site(name, edge.when, GoalKind.EDGE, moments, put, earlier, is_taken=True)
            earlier = build_conjunction(earlier, negate_condition(edge.when))


def _iterate_guard_sites(places: Sequence[Unfolded], slots: Mapping[str, Slot]) -> Iterator[Site]:
    """Yield the checks of guards; what a tool checks by itself is no mistake of anybody's."""
    found: dict[str, Site] = {}
    for place in places:
        for check in place.checks:
            name = f"guard {place.step.call}.{check.leaf.id}"
            if name in slots:
                new = Site(name, check.leaf.test, GoalKind.GUARD, (), slots[name].put)
                known = found.get(name, new)
                found[name] = replace(known, moments=(*known.moments, check.moment))
    yield from found.values()


def _iterate_choice_sites(target: str, slot: Slot, moments: Sequence[Moment]) -> Iterator[Site]:
    for number, (place, node) in enumerate(list_choices(slot.expression), start=1):
        put = partial(_put_condition, slot, node)
        name = f"choice {target}.{number}"
        yield Site(name, node.condition, GoalKind.CHOICE, moments, put, inner=place)


def _put_condition(slot: Slot, node: Choice, condition: Expression) -> DomainModel:
    return slot.put(replace_part(slot.expression, node, replace(node, condition=condition)))


def list_choices(value: Expression) -> list[tuple[InnerPlace, Choice]]:
    """Return the choices inside of a value, each with its place."""
    inner = list_inner_places(value)
    return [(place, place.node) for place in inner if isinstance(place.node, Choice)]


def _iterate_table_sites(
    table: Table, moments: Sequence[Moment], slots: Mapping[str, Slot]
) -> Iterator[Site]:
    earlier: Expression = TRUE
    for rule in table.rules:
        if rule.when is not None:
            name = f"rule {table.name}.{rule.id}"
            put = slots[name].put
            yield Site(name, rule.when, GoalKind.RULE, moments, put, earlier, is_taken=True)
            # With any other hit policy a rule is read whatever the rules before it say.
            if table.is_in_turn:
                earlier = build_conjunction(earlier, negate_condition(rule.when))


def list_formula_moments(places: Iterable[Unfolded], target: str) -> list[Moment]:
    """Return the moments at which a formula is worked out, by the agent or by a tool."""
    found = [{**place.worked_out, **place.moments}.get(target) for place in places]
    return [moment for moment in found if moment is not None]


def build_meeting_condition(moments: Iterable[Moment], wanted: Expression) -> Expression:
    """Return the rows on which a condition holds at one of several moments."""
    found = FALSE
    for moment in moments:
        found = build_disjunction(
            found, build_conjunction(moment.reached, moment.resolve_expression(wanted))
        )
    return found
