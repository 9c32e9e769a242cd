"""The procedure unfolded into expressions: when a step is reached, and what is known there.

Bounded ways back are unrolled, so that the unfolded procedure has no cycles. Where ways meet, a
value becomes a choice between what each way knows; parts are shared, so that the size stays
linear in the number of unfolded steps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from sopforge.domain.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Expression,
    Not,
    Read,
    Relation,
)
from sopforge.domain.model import DomainModel, Edge, Step, ToolKind, decision_order
from sopforge.domain.numbers import constant
from sopforge.logic.substitution import Known, Substitution
from sopforge.logic.tables import covered, decision_value, either

Visits = tuple[tuple[str, int], ...]
Place = tuple[str, Visits]

TRUE: Expression = Compare(Relation.EQ, constant(0), constant(0))
FALSE: Expression = Compare(Relation.EQ, constant(0), constant(1))
MOST_PLACES = 2_000


class TooManyStepsError(ValueError):
    """The procedure unfolds into more steps than are examined."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A way into a place: the condition under which it is taken, and what is known by then."""

    condition: Expression
    known: Mapping[str, Known]


@dataclass(frozen=True, slots=True)
class Way:
    """An edge at a place: when it is taken, whatever the case was before."""

    edge: Edge
    condition: Expression


@dataclass(frozen=True, slots=True)
class Moment:
    """When something is read: the condition of coming there, and what is known by then."""

    reached: Expression
    known: Mapping[str, Known]


@dataclass(frozen=True, slots=True)
class Unfolded:
    """A step at one place: when it is reached, what is known before and after its decisions.

    ``moments`` holds, per decision of the step, when it is taken.
    """

    step: Step
    reached: Expression
    before: Mapping[str, Known]
    after: Mapping[str, Known]
    ways: tuple[Way, ...]
    moments: Mapping[str, Moment] = field(default_factory=dict)

    def seen_after(self, expression: Expression) -> Expression:
        """Return an expression as a condition on inputs and observed fields alone."""
        return Substitution(self.after, TRUE).of(expression)


@dataclass(slots=True)
class _Unfolder:
    model: DomainModel
    arrivals: defaultdict[Place, list[Arrival]] = field(default_factory=lambda: defaultdict(list))

    def unfold(self) -> Iterator[Unfolded]:
        start: Place = (self.model.start, ())
        self.arrivals[start].append(Arrival(TRUE, {}))
        for place in self.order(start):
            yield self.visit(place)

    def order(self, start: Place) -> list[Place]:
        """Return the places so that each stands behind all from which a way leads to it."""
        finished: dict[Place, None] = {}
        waiting: list[tuple[Place, bool]] = [(start, False)]
        opened: set[Place] = set()
        while waiting:
            place, is_done = waiting.pop()
            if is_done:
                finished[place] = None
            elif place not in opened:
                opened.add(place)
                if len(opened) > MOST_PLACES:
                    raise TooManyStepsError(f"more than {MOST_PLACES} steps when ways are unrolled")
                waiting.append((place, True))
                waiting.extend((after, False) for after in self.onward(place))
        return list(reversed(finished))

    def onward(self, place: Place) -> list[Place]:
        return [self.target(place, edge) for edge in self.model.steps[place[0]].edges]

    def target(self, place: Place, edge: Edge) -> Place:
        if edge.bound is None or edge.then is None:
            return edge.to, place[1]
        counts = dict(place[1])
        counts[edge.id] = counts.get(edge.id, 0) + 1
        if counts[edge.id] > edge.bound:
            return edge.then, place[1]
        return edge.to, tuple(sorted(counts.items()))

    def visit(self, place: Place) -> Unfolded:
        step = self.model.steps[place[0]]
        reached, before = self.met(self.arrivals.pop(place))
        after = {**before, **self.computed(step, before)}
        moments = {}
        for target in step.decide:
            moments[target] = Moment(reached, dict(after))
            after[target] = self.decided(target, after)
        ways, earlier = [], FALSE
        for edge in step.edges:
            holds = TRUE if edge.when is None else Substitution(after, TRUE).of(edge.when)
            condition = both(reached, both(negated(earlier), holds))
            earlier = some(earlier, holds)
            ways.append(Way(edge, condition))
            self.arrivals[self.target(place, edge)].append(Arrival(condition, after))
        for name, value in (step.end or {}).items():
            after[name] = Known(value)
        return Unfolded(step, reached, before, after, tuple(ways), moments)

    def computed(self, step: Step, before: Mapping[str, Known]) -> dict[str, Known]:
        """Return what a compute tool works out from what the case knows when it is called."""
        tool = self.model.tools.get(step.call or "")
        if tool is None or tool.kind is not ToolKind.COMPUTE:
            return {}
        known = dict(before)
        for name in decision_order(self.model, tool.returns, tool.takes):
            known[name] = self.decided(name, known)
        return {name: known[name] for name in tool.returns if name in known}

    def decided(self, target: str, known: Mapping[str, Known]) -> Known:
        decision = self.model.decisions[target]
        substitution = Substitution(known, TRUE)
        condition = covered(decision)
        present = None if condition is None else substitution.of(condition)
        return Known(substitution.of(decision_value(decision)), present)

    def met(self, arrivals: list[Arrival]) -> tuple[Expression, dict[str, Known]]:
        """Return the reach condition and what is known where several ways meet."""
        if len(arrivals) == 1:
            return arrivals[0].condition, dict(arrivals[0].known)
        reached = FALSE
        for arrival in arrivals:
            reached = some(reached, arrival.condition)
        names = list(dict.fromkeys(name for arrival in arrivals for name in arrival.known))
        return reached, {name: self.merged(name, arrivals) for name in names}

    def merged(self, name: str, arrivals: list[Arrival]) -> Known:
        nothing = Known(Read(self.model.fields[name].type, name), FALSE)
        known = [(arrival.condition, arrival.known.get(name, nothing)) for arrival in arrivals]
        first = known[0][1]
        if all(item is first for _, item in known):
            return first
        value, present = known[-1][1].value, known[-1][1].present or TRUE
        for condition, item in reversed(known[:-1]):
            if item.present is not FALSE:
                value = item.value if present is FALSE else either(condition, item.value, value)
            here = item.present or TRUE
            present = some(both(condition, here), both(negated(condition), present))
        return Known(value, present)


def unfold(model: DomainModel) -> tuple[Unfolded, ...]:
    """Return the unfolded steps, each behind those before it.

    Raises:
        TooManyStepsError: the ways back unroll into too many steps.
    """
    return tuple(_Unfolder(model).unfold())


def moments_of(places: Iterable[Unfolded], target: str) -> list[Moment]:
    """Return the moments at which a decision is taken, on whatever way."""
    return [place.moments[target] for place in places if target in place.moments]


def both(left: Expression, right: Expression) -> Expression:
    """Return the conjunction of two conditions."""
    if left is TRUE or right is FALSE:
        return right
    return left if right is TRUE or left is FALSE else AllOf((left, right))


def some(left: Expression, right: Expression) -> Expression:
    """Return the disjunction of two conditions."""
    if left is FALSE or right is TRUE:
        return right
    return left if right is FALSE or left is TRUE else AnyOf((left, right))


def negated(condition: Expression) -> Expression:
    """Return the opposite of a condition."""
    if condition is TRUE:
        return FALSE
    return TRUE if condition is FALSE else Not(condition)


def outcomes_of(model: DomainModel, places: tuple[Unfolded, ...]) -> dict[str, Known]:
    """Return each outcome as an expression over inputs and observed fields."""
    ends = [place for place in places if place.step.end is not None]
    arrivals = [Arrival(end.reached, end.after) for end in ends]
    unfolder = _Unfolder(model)
    return {item.name: unfolder.merged(item.name, arrivals) for item in model.outcomes}
