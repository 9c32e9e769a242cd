"""The procedure unfolded into expressions: when a step is reached, and what is known there.

Bounded back edges are unrolled, so that the unfolded procedure has no cycles. Where edges meet, a
value becomes a choice between what is known on each edge; parts are shared, so that the size stays
linear in the number of unfolded steps.

Step *check* leads to *fast* where ``amount < 100`` and else to *slow*; *fast* decides 1 as the
``days``, *slow* 5; both lead to *close*. Unfolded, that is::

    fast    reached: amount < 100                             days: 1
    slow    reached: not amount < 100                         days: 5
    close   reached: amount < 100 or not amount < 100         days: 1 if amount < 100 else 5

A further step after *close* reads ``days`` as that one choice, so that ten such forks in a row
make ten choices and not 1,024 paths. An edge from *close* back to *check*, at most once, makes a
second place of each step: ``("fast", (("close.1", 1),))`` is *fast* on the second round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from typing import Any, TypeVar

from sopforge.domain.fields import STORED, Field
from sopforge.domain.guards import GuardLeaf, list_guard_checks
from sopforge.domain.language.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Expression,
    Not,
    Presence,
    Read,
    Relation,
    collect_read_fields,
)
from sopforge.domain.language.numbers import make_number_constant
from sopforge.domain.model import (
    DomainModel,
    Edge,
    Step,
    Tool,
    ToolKind,
    list_built_in_checks,
    order_decisions,
)
from sopforge.domain.rules import Decision, collect_decision_inputs
from sopforge.domain.values.types import TextType
from sopforge.logic.tables import build_choice, build_coverage_condition, build_decision_value
from sopforge.logic.variants.substitution import Replacement, Substitution

Visits = tuple[tuple[str, int], ...]
Place = tuple[str, Visits]

TRUE: Expression = Compare(Relation.EQ, make_number_constant(0), make_number_constant(0))
FALSE: Expression = Compare(Relation.EQ, make_number_constant(0), make_number_constant(1))
# Nested bounds multiply; beyond this, questions are answered undecided (ADR 0003).
MOST_PLACES = 2_000
T = TypeVar("T")


class TooManyStepsError(ValueError):
    """The procedure unfolds into more steps than are examined."""


class Parts:
    """Parts of unfolded procedures that are made once, by what they are made of.

    Models that differ in one place so share all expressions but those that follow from it: what is
    equal in both is one object, which is evaluated once. ``base`` are the parts of another model,
    which are looked up and never added to.
    """

    def __init__(self, base: Parts | None = None) -> None:
        self.base: Mapping[tuple[object, ...], tuple[Any, object]] = base.made if base else {}
        self.made: dict[tuple[object, ...], tuple[Any, object]] = {}

    def make_once(self, name: str, make: Callable[[], T], *of: object) -> T:
        """Return what was made under a name of the same objects, or make it."""
        # By identity: to hash by value would walk expressions that grow with every step.
        key = (name, *map(id, of))
        found = self.base.get(key) or self.made.get(key)
        if found is None:
            # What it is made of is kept, so that no other object gets its identity.
            found = self.made[key] = (make(), of)
        return found[0]


@dataclass(frozen=True, slots=True)
class Arrival:
    """An edge into a place: when it is taken, what the case knows by then, what records hold."""

    condition: Expression
    known: Mapping[str, Replacement]
    state: Mapping[str, Replacement] = field(default_factory=dict)
    edge: str = ""


@dataclass(frozen=True, slots=True)
class Transition:
    """An edge at a place: where it leads, and when it is taken, whatever the case was before.

    ``here`` says when a case takes it that has come to the place. A back edge that is used up leads
    elsewhere.
    """

    edge: Edge
    to: Place
    condition: Expression
    here: Expression
    is_used_up: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """When something is read: the condition of coming there, and what is known by then."""

    reached: Expression
    known: Mapping[str, Replacement]
    seen: Substitution = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "seen", Substitution(self.known, TRUE))

    def resolve_expression(self, expression: Expression) -> Expression:
        """Return an expression with what is known by then; what several share stays shared."""
        return self.seen.apply_to(expression)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A check of a call: the code with which it refuses, and when; earlier checks have held.

    ``here`` says when it refuses a case that has come to the place.
    """

    leaf: GuardLeaf
    test: Expression
    condition: Expression
    here: Expression
    moment: Moment

    @property
    def code(self) -> str:
        """The code with which the tool refuses."""
        return self.leaf.refusal


@dataclass(frozen=True, slots=True)
class Unfolded:
    """A step at one place: when it is reached, what is known before and after its decisions.

    ``arrivals`` says by which edge it is reached when, "" at the start. ``checks`` are those of its
    call, ``passed`` says when none of them refuses. ``transitions`` are taken where that is so, and
    after a refusal that the step names; ``departures`` are where they lead, with what the case
    knows then; ``refusals`` are the checks that refuse and lead nowhere. ``state`` and ``later``
    are what the records hold before and after the call, where an action has changed them.
    ``moments`` holds, per decision of the step, when it is taken, and ``worked_out`` the same of
    what its tool computes, intermediate values among them.
    """

    step: Step
    place: Place
    arrivals: tuple[tuple[str, Expression], ...]
    reached: Expression
    passed: Expression
    before: Mapping[str, Replacement]
    after: Mapping[str, Replacement]
    transitions: tuple[Transition, ...]
    departures: tuple[tuple[Place, Arrival], ...] = ()
    checks: tuple[Refusal, ...] = ()
    moments: Mapping[str, Moment] = field(default_factory=dict)
    worked_out: Mapping[str, Moment] = field(default_factory=dict)
    state: Mapping[str, Replacement] = field(default_factory=dict)
    later: Mapping[str, Replacement] = field(default_factory=dict)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """The checks after whose refusal the step names no edge."""
        return tuple(item for item in self.checks if item.code not in self.step.refusals)


@dataclass(slots=True)
class Unfolder:
    """Goes through the procedure, each place after those that lead to it."""

    model: DomainModel
    parts: Parts = field(default_factory=Parts)
    known: Mapping[str, Replacement] = field(default_factory=dict)
    arrivals: defaultdict[Place, list[Arrival]] = field(default_factory=lambda: defaultdict(list))

    def unfold(self) -> Iterator[Unfolded]:
        """Yield the places that are led to; only a refusal that no check gives may name others."""
        start: Place = (self.model.start, ())
        make = partial(dict[str, Replacement], self.known)
        # Made once too, for a place is recognised by the very objects that it begins with.
        nothing = self.parts.make_once("nothing", make, *self.known.values())
        self.arrivals[start].append(Arrival(TRUE, nothing, self.parts.make_once("state", dict)))
        for place in self.order_places(start):
            if place in self.arrivals:
                done = self.unfold_place(place)
                for to, arrival in done.departures:
                    self.arrivals[to].append(arrival)
                yield done

    def unfold_place(self, place: Place) -> Unfolded:
        """Return an unfolded place, the same one where all that it is made of is the same."""
        step, arrivals = self.model.steps[place[0]], self.arrivals.pop(place)
        tool = self.model.tools.get(step.call or "")
        # All that a place depends on: a mistake elsewhere in a model leaves it the same object.
        return self.parts.make_once(
            f"place {place}",
            partial(self.visit, place, arrivals),
            step,
            tool,
            *(self.model.decisions.get(name) for name in self.list_decisions(step, tool)),
            *(part for item in arrivals for part in (item.condition, item.known, item.state)),
        )

    def list_decisions(self, step: Step, tool: Tool | None) -> list[str]:
        """Return the decisions that are taken at a step, by the agent or by the tool it calls."""
        computed = tool.returns if tool and tool.kind is ToolKind.COMPUTE else ()
        given = tool.takes if tool else ()
        return [*step.decide, *order_decisions(self.model, computed, given)]

    def order_places(self, start: Place) -> list[Place]:
        """Return the places so that each stands after all from which an edge leads to it."""
        # A depth-first walk that notes a place once all after it are noted, read backwards. It
        # keeps its own stack: a procedure may be longer than Python lets functions call.
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
                    raise TooManyStepsError(
                        f"more than {MOST_PLACES} steps when back edges are unrolled"
                    )
                waiting.append((place, True))
                waiting.extend((after, False) for after in self.list_next_places(place))
        return list(reversed(finished))

    def list_next_places(self, place: Place) -> list[Place]:
        step = self.model.steps[place[0]]
        return [self.find_target(place, edge) for edge in (*step.edges, *step.refusals.values())]

    def find_target(self, place: Place, edge: Edge) -> Place:
        if edge.bound is None or edge.then is None:
            return edge.to, place[1]
        if self.is_used_up(place, edge):
            return edge.then, place[1]
        counts = dict(place[1])
        counts[edge.id] = counts.get(edge.id, 0) + 1
        # Sorted: a step that was reached by equal rounds in another order is one place.
        return edge.to, tuple(sorted(counts.items()))

    def is_used_up(self, place: Place, edge: Edge) -> bool:
        return edge.bound is not None and dict(place[1]).get(edge.id, 0) >= edge.bound

    def visit(self, place: Place, arrivals: list[Arrival]) -> Unfolded:
        step = self.model.steps[place[0]]
        reached, before, state = self.merge_arrivals(arrivals)
        refusals = self.list_refusals(step, reached, before, state)
        transitions = list(self.iterate_refusal_transitions(place, reached, refusals))
        # After a refusal the case knows nothing of the call, and no record was changed (ADR 0004).
        departures = [_build_departure(transition, before, state) for transition in transitions]
        held = reduce(self.conjoin, [item.test for item in refusals], TRUE)
        passed = self.conjoin(reached, held)
        later = self.apply_effects(step, before, state)
        computed, worked_out = self.compute_returns(step, before, passed)
        # Only what this call returns is seen anew: an agent that does not look again works with
        # what it has seen.
        after = {**before, **self.collect_changed_returns(step, later), **computed}
        moments = {}
        for target in step.decide:
            # A copy: a decision must not see those that are taken after it.
            moments[target] = Moment(passed, dict(after))
            after[target] = self.decide_field(target, after)
        for transition in self.iterate_edge_transitions(place, reached, held, after):
            departures.append(_build_departure(transition, after, later))
            transitions.append(transition)
        for name, value in (step.end or {}).items():
            after[name] = self.make_constant(value)
        return Unfolded(
            step=step,
            place=place,
            arrivals=tuple((arrival.edge, arrival.condition) for arrival in arrivals),
            reached=reached,
            passed=passed,
            before=before,
            after=after,
            transitions=tuple(transitions),
            departures=tuple(departures),
            checks=tuple(refusals),
            moments=moments,
            worked_out=worked_out,
            state=state,
            later=later,
        )

    def iterate_refusal_transitions(
        self, place: Place, reached: Expression, refusals: Iterable[Refusal]
    ) -> Iterator[Transition]:
        """Return the transitions after refusals that the step names, one for each code."""
        found: dict[str, Expression] = {}
        for item in refusals:
            found[item.code] = self.disjoin(found.get(item.code, FALSE), item.here)
        named = self.model.steps[place[0]].refusals
        for code in [code for code in found if code in named]:
            yield self.build_transition(place, named[code], reached, found[code])

    def build_transition(
        self, place: Place, edge: Edge, reached: Expression, here: Expression
    ) -> Transition:
        to, is_used_up = self.find_target(place, edge), self.is_used_up(place, edge)
        return Transition(edge, to, self.conjoin(reached, here), here, is_used_up)

    def iterate_edge_transitions(
        self, place: Place, reached: Expression, held: Expression, after: Mapping[str, Replacement]
    ) -> Iterator[Transition]:
        # Edges are tried in order: each is taken where its condition holds and none before it did.
        earlier = FALSE
        for edge in self.model.steps[place[0]].edges:
            holds = TRUE if edge.when is None else self.substitute_fields(edge.when, after)
            here = self.conjoin(self.negate(earlier), holds)
            yield self.build_transition(place, edge, reached, self.conjoin(held, here))
            earlier = self.disjoin(earlier, holds)

    # calls

    def list_refusals(
        self,
        step: Step,
        reached: Expression,
        before: Mapping[str, Replacement],
        state: Mapping[str, Replacement],
    ) -> list[Refusal]:
        """Return what the call is refused for, in the tool's order."""
        tool = self.model.tools.get(step.call or "")
        if tool is None:
            return []
        known = self.collect_tool_inputs(tool, before, state)
        found: list[Refusal] = []
        held = TRUE
        # What a tool checks by itself comes first: a guard may rely on it, as on a text's form.
        for check in (*self.list_built_in_checks(tool), *list_guard_checks(tool.guard)):
            test = self.substitute_fields(check.test, known)
            here, passed = self.conjoin(held, self.negate(test)), self.conjoin(reached, held)
            moment = Moment(passed, known)
            found.append(Refusal(check, test, self.conjoin(reached, here), here, moment))
            held = self.conjoin(held, test)
        return found

    def list_built_in_checks(self, tool: Tool) -> tuple[GuardLeaf, ...]:
        """Return what a tool checks by itself."""
        model = self.model
        # Kept: tests built anew for each call would be other objects, and nothing shared.
        make = partial(list_built_in_checks, model, tool)
        return self.parts.make_once("checks", make, tool, model.fields, model.entities)

    def collect_tool_inputs(
        self, tool: Tool, before: Mapping[str, Replacement], state: Mapping[str, Replacement]
    ) -> dict[str, Replacement]:
        """Return what a tool sees: its arguments, and the record as it is by then."""
        return {
            # Arguments stand over the record: a tool computes from what it is handed, old or new.
            **state,
            **{name: before.get(name) or self.build_plain_value(name) for name in tool.takes},
        }

    def apply_effects(
        self, step: Step, before: Mapping[str, Replacement], state: Mapping[str, Replacement]
    ) -> Mapping[str, Replacement]:
        """Return what the records hold after the call."""
        tool = self.model.tools.get(step.call or "")
        if tool is None or not tool.effects:
            return state
        seen = self.collect_tool_inputs(tool, before, state)
        # All from what was there before: no effect sees another effect of the same call.
        changed = {name: self.substitute_fields(to, seen) for name, to in tool.effects.items()}
        return {**state, **{name: self.make_constant(value) for name, value in changed.items()}}

    def collect_changed_returns(
        self, step: Step, state: Mapping[str, Replacement]
    ) -> dict[str, Replacement]:
        """Return what a call reveals of fields that an action has changed."""
        tool = self.model.tools.get(step.call or "")
        return {name: state[name] for name in (tool.returns if tool else ()) if name in state}

    def build_plain_value(self, name: str) -> Replacement:
        """Return a field as it is drawn; what is worked out is not known by itself."""
        item = self.model.fields[name]
        return self.parts.make_once("field", partial(_build_plain_value, item), item)

    def compute_returns(
        self, step: Step, before: Mapping[str, Replacement], passed: Expression
    ) -> tuple[dict[str, Replacement], dict[str, Moment]]:
        """Return what a compute tool returns to the case, and when it works out each value."""
        tool = self.model.tools.get(step.call or "")
        if tool is None or tool.kind is not ToolKind.COMPUTE:
            return {}, {}
        known, moments = dict(before), {}
        for name in order_decisions(self.model, tool.returns, tool.takes):
            moments[name] = Moment(passed, dict(known))
            known[name] = self.decide_field(name, known)
        # Intermediate values stay in the tool: the case learns what is returned.
        return {name: known[name] for name in tool.returns if name in known}, moments

    def decide_field(self, target: str, known: Mapping[str, Replacement]) -> Replacement:
        decision = self.model.decisions[target]
        read = self.parts.make_once("inputs", partial(_sort_inputs, decision), decision)
        # Keyed by its inputs alone, so that it is shared whatever else became known.
        make = partial(_substitute_decision, decision, known)
        return self.parts.make_once("decided", make, decision, *(known.get(name) for name in read))

    def substitute_fields(
        self, expression: Expression, known: Mapping[str, Replacement]
    ) -> Expression:
        """Return an expression with what is known in the place of fields."""
        read = self.parts.make_once("read", partial(_sort_fields, expression), expression)
        make = partial(Substitution(known, TRUE).apply_to, expression)
        return self.parts.make_once(
            "substituted", make, expression, *(known.get(name) for name in read)
        )

    def make_constant(self, value: Expression) -> Replacement:
        return self.parts.make_once("constant", partial(Replacement, value), value)

    def conjoin(self, left: Expression, right: Expression) -> Expression:
        return self.parts.make_once("both", partial(build_conjunction, left, right), left, right)

    def disjoin(self, left: Expression, right: Expression) -> Expression:
        return self.parts.make_once("some", partial(build_disjunction, left, right), left, right)

    def negate(self, condition: Expression) -> Expression:
        return self.parts.make_once("negated", partial(negate_condition, condition), condition)

    def merge_arrivals(
        self, arrivals: list[Arrival]
    ) -> tuple[Expression, dict[str, Replacement], dict[str, Replacement]]:
        """Return the reach condition, what is known and what records hold where edges meet."""
        if len(arrivals) == 1:
            (only,) = arrivals
            return only.condition, dict(only.known), dict(only.state)
        reached = FALSE
        for arrival in arrivals:
            reached = self.disjoin(reached, arrival.condition)
        known = self.merge_branches([(arrival.condition, arrival.known) for arrival in arrivals])
        state = self.merge_branches([(arrival.condition, arrival.state) for arrival in arrivals])
        return reached, known, state

    def merge_branches(
        self, parts: list[tuple[Expression, Mapping[str, Replacement]]]
    ) -> dict[str, Replacement]:
        names = list(dict.fromkeys(name for _, known in parts for name in known))
        return {name: self.merge_values(name, parts) for name in names}

    def merge_values(
        self, name: str, parts: list[tuple[Expression, Mapping[str, Replacement]]]
    ) -> Replacement:
        """Return a field where edges meet, each edge with its condition and what is known on it."""
        nothing = self.build_plain_value(name)
        known = [(condition, part.get(name, nothing)) for condition, part in parts]
        first = known[0][1]
        # Alike on every edge: a choice would only make the expression grow.
        if all(item is first for _, item in known):
            return first
        return self.parts.make_once(
            "merged", partial(_merge_values, known), *(x for pair in known for x in pair)
        )


def _build_departure(
    transition: Transition, known: Mapping[str, Replacement], state: Mapping[str, Replacement]
) -> tuple[Place, Arrival]:
    return transition.to, Arrival(transition.condition, known, state, transition.edge.id)


def _merge_values(known: Sequence[tuple[Expression, Replacement]]) -> Replacement:
    # A case comes by exactly one of the edges, so that the last of them needs no condition; and an
    # edge on which the field has no value leaves its choice to the others: nothing may read it.
    value, present = known[-1][1].value, known[-1][1].present or TRUE
    for condition, item in reversed(known[:-1]):
        if item.present is not FALSE:
            value = item.value if present is FALSE else build_choice(condition, item.value, value)
        here = item.present or TRUE
        present = build_disjunction(
            build_conjunction(condition, here),
            build_conjunction(negate_condition(condition), present),
        )
    return Replacement(value, present)


def _build_plain_value(item: Field) -> Replacement:
    # Absent as long as nothing has worked it out, with the value that evaluation reads there.
    if item.role not in STORED:
        return Replacement(Constant(item.type, "" if isinstance(item.type, TextType) else 0), FALSE)
    return Replacement(Read(item.type, item.name), Presence(item.name) if item.missing else None)


def _substitute_decision(decision: Decision, known: Mapping[str, Replacement]) -> Replacement:
    substitution = Substitution(known, TRUE)
    condition = build_coverage_condition(decision)
    present = None if condition is None else substitution.apply_to(condition)
    return Replacement(substitution.apply_to(build_decision_value(decision)), present)


def _sort_inputs(decision: Decision) -> list[str]:
    return sorted(collect_decision_inputs(decision))


def _sort_fields(expression: Expression) -> list[str]:
    return sorted(collect_read_fields(expression))


def unfold(model: DomainModel, parts: Parts | None = None) -> tuple[Unfolded, ...]:
    """Return the unfolded steps, each after those before it.

    Raises:
        TooManyStepsError: the back edges unroll into too many steps.
    """
    return tuple(Unfolder(model, parts or Parts()).unfold())


def unfold_with_nothing(model: DomainModel, parts: Parts) -> tuple[Unfolded, ...]:
    """Return the unfolded steps of a model that may read what nothing has worked out.

    Such a value is nothing: 0, or the empty text. A model with a mistake may read one.

    Raises:
        TooManyStepsError: the back edges unroll into too many steps.
    """
    unfolder = Unfolder(model, parts)
    worked_out = [item.name for item in model.fields.values() if item.role not in STORED]
    unfolder.known = {name: unfolder.build_plain_value(name) for name in worked_out}
    return tuple(unfolder.unfold())


def find_decision_moments(places: Iterable[Unfolded], target: str) -> list[Moment]:
    """Return the moments at which a decision is taken, on whatever path."""
    return [place.moments[target] for place in places if target in place.moments]


def build_conjunction(left: Expression, right: Expression) -> Expression:
    """Return the conjunction of two conditions."""
    # By identity: `==` would walk down comparisons of any depth.
    if left is TRUE or right is FALSE:
        return right
    return left if right is TRUE or left is FALSE else AllOf((left, right))


def build_disjunction(left: Expression, right: Expression) -> Expression:
    """Return the disjunction of two conditions."""
    if left is FALSE or right is TRUE:
        return right
    return left if right is FALSE or left is TRUE else AnyOf((left, right))


def negate_condition(condition: Expression) -> Expression:
    """Return the opposite of a condition."""
    if condition is TRUE:
        return FALSE
    return TRUE if condition is FALSE else Not(condition)


def derive_outcomes(model: DomainModel, places: tuple[Unfolded, ...]) -> dict[str, Replacement]:
    """Return each outcome as an expression over inputs and observed fields."""
    return _merge_at_ends(model, places, model.outcomes)


def derive_answers(
    model: DomainModel, places: tuple[Unfolded, ...], parts: Parts | None = None
) -> dict[str, Replacement]:
    """Return all that is scored: the outcomes, and the intermediate values that are marked so."""
    return _merge_at_ends(model, places, (*model.outcomes, *model.intermediates), parts)


def _merge_at_ends(
    model: DomainModel,
    places: tuple[Unfolded, ...],
    items: Iterable[Field],
    parts: Parts | None = None,
) -> dict[str, Replacement]:
    # Ends merge as edges into one step would: a case comes to one of them at most.
    ends = [(place.reached, place.after) for place in places if place.step.end is not None]
    unfolder = Unfolder(model, parts or Parts())
    return {item.name: unfolder.merge_values(item.name, ends) for item in items}
