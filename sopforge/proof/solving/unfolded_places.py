"""The procedure unfolded, whatever conditions and values are: expressions, or columns of rows.

Places are gone through so that each comes after those that lead to it; what is known there, when
it is reached and which edges are taken follow by a few operations, which a reading supplies
(``unfolding``, and ``unfolded_columns``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial, reduce
from typing import Any, Generic, TypeVar

from sopforge.language.domain.expressions.expressions import Constant, Expression, Presence
from sopforge.language.domain.fields import STORED
from sopforge.language.domain.guards import GuardLeaf
from sopforge.language.domain.model import (
    Counts,
    DomainModel,
    Edge,
    Step,
    Tool,
    ToolKind,
    order_decisions,
)
from sopforge.language.domain.references import build_sameness
from sopforge.language.domain.tool_checks import list_built_in_checks, list_tool_checks
from sopforge.language.logic.tables import build_presence
from sopforge.language.logic.tool_calls import RECORD_MISMATCH
from sopforge.proof.solving.places import (
    INTO_PART,
    OUT_OF_PART,
    ArrivalOf,
    C,
    K,
    M,
    RefusalOf,
    StepPlace,
    TransitionOf,
    UnfoldedOf,
    add_visits,
)

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


class PlaceUnfolder(ABC, Generic[C, K, M]):
    """Goes through the procedure, each place after those that lead to it.

    What a reading supplies keeps an object the same where it is made of the same objects, so that
    what two models share is found by identity.
    """

    always: C
    never: C

    def __init__(self, model: DomainModel, parts: Parts | None = None) -> None:
        self.model = model
        self.parts = parts or Parts()
        self.known: Mapping[str, K] = {}
        self.arrivals: defaultdict[StepPlace, list[ArrivalOf[C, K]]] = defaultdict(list)

    # what a reading supplies

    @abstractmethod
    def conjoin(self, left: C, right: C) -> C:
        """Return that both hold."""

    @abstractmethod
    def disjoin(self, left: C, right: C) -> C:
        """Return that one holds."""

    @abstractmethod
    def negate(self, condition: C) -> C:
        """Return that a condition does not hold."""

    @abstractmethod
    def resolve_condition(self, condition: Expression, known: Mapping[str, K]) -> C:
        """Return when a condition holds, with what is known."""

    @abstractmethod
    def resolve_value(self, value: Expression, known: Mapping[str, K]) -> K:
        """Return a value that is always there, with what is known."""

    @abstractmethod
    def limit_value(self, value: K, present: C) -> K:
        """Return a value that is there only where a condition holds."""

    @abstractmethod
    def resolve_decision(self, target: str, known: Mapping[str, K]) -> K:
        """Return what is decided, which may be nothing."""

    @abstractmethod
    def build_plain_value(self, name: str) -> K:
        """Return a field as it is drawn; what is worked out is not known by itself."""

    @abstractmethod
    def build_unknown_value(self, name: str) -> K:
        """Return what stands for a field that the case has not come to know: nothing."""

    @abstractmethod
    def merge_alternatives(self, known: list[tuple[C, K]], *, is_partly_known: bool) -> K:
        """Return a value of several, each under the condition that stands with it.

        Of a field that is known on some paths only, nothing stands on the others, as for a walk.
        """

    @abstractmethod
    def compare_values(self, left: K, right: K) -> C:
        """Return when two values differ, or only one of them is there."""

    @abstractmethod
    def make_moment(self, reached: C, known: Mapping[str, K]) -> M:
        """Return what is kept of a moment."""

    def settle(self, arrival: ArrivalOf[C, K], name: str) -> ArrivalOf[C, K]:  # noqa: ARG002 - for readings
        """Return an arrival as it goes on, which a reading may recognise by its name."""
        return arrival

    # the procedure

    def begin_with_nothing(self) -> None:
        """Let the model read what nothing has worked out: it is nothing, 0 or the empty text."""
        worked_out = [item.name for item in self.model.fields.values() if item.role not in STORED]
        self.known = {name: self.build_plain_value(name) for name in worked_out}

    def unfold(self) -> Iterator[UnfoldedOf[C, K, M]]:
        """Yield the places that are led to; only a refusal that no check gives may name others."""
        start = StepPlace(self.model.start)
        unknown = {name: self.build_unknown_value(name) for name in sorted(self.model.partly_known)}
        known = {**self.known, **unknown}
        make = partial(dict[str, K], known)
        # Made once too, for a place is recognised by the very objects that it begins with.
        nothing = self.parts.make_once("nothing", make, *known.values())
        first = ArrivalOf(self.always, nothing, self.begin_session())
        self.arrivals[start].append(first)
        order, name = partial(self.order_places, start), f"order from {start}"
        for place in self.parts.make_once(name, order, self.model.steps, self.model.parts):
            if place in self.arrivals:
                done = self.unfold_place(place)
                for to, arrival in done.departures:
                    name = f"from {place} by {arrival.edge} to {to}"
                    self.arrivals[to].append(self.settle(arrival, name))
                yield done

    def begin_session(self) -> Mapping[str, K]:
        """Return the facts that the session begins with."""
        return {
            item.name: self.build_plain_value(item.name)
            if item.starts is None
            else self.resolve_value(Constant(item.type, item.starts), {})
            for item in self.model.session
        }

    def unfold_place(self, place: StepPlace) -> UnfoldedOf[C, K, M]:
        """Return an unfolded place, the same one where all that it is made of is the same."""
        step, arrivals = self.get_step(place), self.arrivals.pop(place)
        tool = self.model.tools.get(step.call or "")
        # All that a place depends on: a mistake elsewhere in a model leaves it the same object.
        return self.parts.make_once(
            f"place {place}",
            partial(self.visit, place, arrivals),
            step,
            # Where edges lead to depends on which rounds are counted on there.
            *self.list_counted(place),
            tool,
            *(self.model.decisions.get(name) for name in self.list_decisions(step, tool)),
            *(part for item in arrivals for part in (item.condition, item.known, item.state)),
        )

    def get_step(self, place: StepPlace) -> Step:
        """Return what is done at a place: where a part begins, nothing else."""
        step = self.model.steps[place.step]
        if not step.do or place.is_back:
            return step
        make = partial(replace, step, decide=(), edges=())
        return self.parts.make_once("before part", make, step)

    def list_decisions(self, step: Step, tool: Tool | None) -> list[str]:
        """Return the decisions that are taken at a step, by the agent or by the tool it calls."""
        if tool is None or tool.kind is not ToolKind.COMPUTE:
            return list(step.decide)
        return [*step.decide, *order_decisions(self.model, tool.returns, tool.takes)]

    def order_places(self, start: StepPlace) -> list[StepPlace]:
        """Return the places so that each stands after all from which an edge leads to it."""
        # A depth-first walk that notes a place once all after it are noted, read backwards. It
        # keeps its own stack: a procedure may be longer than Python lets functions call.
        finished: dict[StepPlace, None] = {}
        waiting: list[tuple[StepPlace, bool]] = [(start, False)]
        opened: set[StepPlace] = set()
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

    def list_next_places(self, place: StepPlace) -> list[StepPlace]:
        step = self.get_step(place)
        edges = (*step.edges, *step.refusals.values(), *self.list_part_edges(place, step))
        return [self.find_target(place, edge) for edge in edges]

    def list_part_edges(self, place: StepPlace, step: Step) -> tuple[Edge, ...]:
        """Return what leads from a place into a part, or out of one."""
        if step.do and not place.is_back:
            name, to = INTO_PART, self.model.parts[step.do].start
        elif step.is_return:
            name, to = OUT_OF_PART, place.callers[-1]
        else:
            return ()
        make = partial(Edge, step.id, name, to, None)
        return (self.parts.make_once(f"{name} to {to}", make, step),)

    def find_target(self, place: StepPlace, edge: Edge) -> StepPlace:
        if edge.name == INTO_PART:
            return place._replace(step=edge.to, callers=(*place.callers, place.step), is_back=False)
        if edge.name == OUT_OF_PART:
            part = self.model.steps[place.step].part
            left = [item for item in self.list_counted(place) if self.get_part(item) == part]
            onward = place._replace(step=edge.to, callers=place.callers[:-1], is_back=True)
            return onward.forget_rounds(left, {Counts.PART, Counts.VISIT})
        to, visits = edge.to, place.visits
        if edge.bound is not None and edge.then is not None:
            is_used_up = self.is_used_up(place, edge)
            to = edge.then if is_used_up else edge.to
            visits = visits if is_used_up else add_visits(visits, [(edge.id, 1)])
        onward = place._replace(step=to, is_back=False, visits=visits)
        left = [item for item in self.list_counted(onward) if item.is_left(place.step, to)]
        return onward.forget_rounds(left, {Counts.VISIT})

    def list_counted(self, place: StepPlace) -> list[Edge]:
        """Return the edges of which rounds are counted at a place."""
        names = dict.fromkeys(name for name, _ in (*place.visits, *place.carried))
        return [self.model.find_edge(name) for name in names]

    def get_part(self, edge: Edge) -> str:
        """Return the part in which an edge is."""
        return self.model.steps[edge.step].part

    def is_used_up(self, place: StepPlace, edge: Edge) -> bool:
        return edge.bound is not None and place.rounds.get(edge.id, 0) >= edge.bound

    def visit(self, place: StepPlace, arrivals: list[ArrivalOf[C, K]]) -> UnfoldedOf[C, K, M]:
        step = self.get_step(place)
        reached, before, state = self.merge_arrivals(arrivals)
        refusals = self.list_refusals(step, reached, before, state)
        transitions = list(self.iterate_refusal_transitions(place, reached, refusals))
        # After a refusal the case knows nothing of the call, and no record was changed (ADR 0004).
        departures = [_build_departure(transition, before, state) for transition in transitions]
        held = reduce(self.conjoin, [item.test for item in refusals], self.always)
        passed = self.conjoin(reached, held)
        later = self.apply_effects(step, before, state)
        computed, worked_out = self.compute_returns(step, before, passed)
        # Only what this call returns is seen anew: an agent that does not look again works with
        # what it has seen.
        after = {**before, **self.collect_seen_returns(step, later), **computed}
        moments = {}
        for target in step.decide:
            # A copy: a decision must not see those that are taken after it.
            moments[target] = self.make_moment(passed, dict(after))
            after[target] = self.resolve_decision(target, after)
        after = self.adopt_known(after)
        for transition in self.iterate_edge_transitions(place, reached, held, after):
            departures.append(_build_departure(transition, after, later))
            transitions.append(transition)
        if step.end:
            ended = {name: self.resolve_value(value, {}) for name, value in step.end.items()}
            after = self.adopt_known({**after, **ended})
        return UnfoldedOf(
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
        self, place: StepPlace, reached: C, refusals: Iterable[RefusalOf[C, M]]
    ) -> Iterator[TransitionOf[C]]:
        """Return the transitions after refusals that the step names, one for each code."""
        found: dict[str, C] = {}
        for item in refusals:
            found[item.code] = self.disjoin(found.get(item.code, self.never), item.here)
        named = self.model.steps[place.step].refusals
        for code in [code for code in found if code in named]:
            yield self.build_transition(place, named[code], reached, found[code])

    def build_transition(
        self, place: StepPlace, edge: Edge, reached: C, here: C
    ) -> TransitionOf[C]:
        to, is_used_up = self.find_target(place, edge), self.is_used_up(place, edge)
        return TransitionOf(edge, to, self.conjoin(reached, here), here, is_used_up)

    def iterate_edge_transitions(
        self, place: StepPlace, reached: C, held: C, after: Mapping[str, K]
    ) -> Iterator[TransitionOf[C]]:
        # Edges are tried in order: each is taken where its condition holds and none before it did.
        earlier, step = self.never, self.get_step(place)
        for edge in (*step.edges, *self.list_part_edges(place, step)):
            holds = self.always if edge.when is None else self.resolve_condition(edge.when, after)
            here = self.conjoin(self.negate(earlier), holds)
            yield self.build_transition(place, edge, reached, self.conjoin(held, here))
            earlier = self.disjoin(earlier, holds)

    # calls

    def list_refusals(
        self,
        step: Step,
        reached: C,
        before: Mapping[str, K],
        state: Mapping[str, K],
    ) -> list[RefusalOf[C, M]]:
        """Return what the call is refused for, in the tool's order."""
        tool = self.model.tools.get(step.call or "")
        if tool is None:
            return []
        known = self.collect_tool_inputs(tool, before, state)
        found: list[RefusalOf[C, M]] = []
        held = self.always
        # What a tool checks by itself comes first: a guard may rely on it, as on a text's form.
        checks = self.list_checks(tool)
        tests = [(check, self.resolve_condition(check.test, known)) for check in checks]
        unknown = self.list_unknown_arguments(tool, known, state)
        # As a lookup asks for it: after what it checks of any call, and before its guard.
        place = len(list_built_in_checks(self.model, tool)) if unknown else 0
        tests[place:place] = unknown
        for check, test in tests:
            here, passed = self.conjoin(held, self.negate(test)), self.conjoin(reached, held)
            moment = self.make_moment(passed, known)
            found.append(RefusalOf(check, test, self.conjoin(reached, here), here, moment))
            held = self.conjoin(held, test)
        return found

    def list_unknown_arguments(
        self, tool: Tool, known: Mapping[str, K], state: Mapping[str, K]
    ) -> list[tuple[GuardLeaf, C]]:
        """Return the checks of a lookup that a value which the case may not know is the record's.

        In a sound model each holds: no call hands on what is not known.
        """
        if tool.kind is not ToolKind.LOOKUP or tool.operation:
            return []
        found = []
        for name in [name for name in tool.takes if name in self.model.partly_known]:
            there = Presence(name)
            on_file = {name: state.get(name) or self.build_plain_value(name)}
            given, held = (self.resolve_condition(there, part) for part in (known, on_file))
            says = f"{name} does not agree with the record"
            leaf = GuardLeaf(f"record of {name}", there, RECORD_MISMATCH, says)
            found.append((leaf, self.disjoin(given, self.negate(held))))
        return found

    def list_checks(self, tool: Tool) -> tuple[GuardLeaf, ...]:
        """Return the checks of a call, in the tool's order."""
        model = self.model
        # Kept: tests built anew for each call would be other objects, and nothing shared.
        make = partial(list_tool_checks, model, tool)
        return self.parts.make_once("checks", make, tool, model.fields, model.entities)

    def collect_tool_inputs(
        self, tool: Tool, before: Mapping[str, K], state: Mapping[str, K]
    ) -> dict[str, K]:
        """Return what a tool sees: its arguments, and the record as it is by then."""
        return {
            # Arguments stand over the record: a tool computes from what it is handed, old or new.
            **state,
            **{name: before.get(name) or self.build_plain_value(name) for name in tool.takes},
        }

    def apply_effects(
        self, step: Step, before: Mapping[str, K], state: Mapping[str, K]
    ) -> Mapping[str, K]:
        """Return what the records hold after the call."""
        tool = self.model.tools.get(step.call or "")
        if tool is None or not tool.effects:
            return state
        seen = self.collect_tool_inputs(tool, before, state)
        # All from what was there before: no effect sees another effect of the same call.
        changed = {name: self.resolve_effect(to, seen) for name, to in tool.effects.items()}
        after: Mapping[str, K] = state
        for name, value in changed.items():
            for item, one, other in self.model.list_aliases(name):
                # On top of what another effect made of it: a record can be either of two.
                same = build_sameness(one, other, self.model.fields)
                after = {
                    **after,
                    item.name: self.change_alias(item.name, same, value, after),
                }
        return {**after, **changed}

    def resolve_effect(self, value: Expression, known: Mapping[str, K]) -> K:
        """Return what a field is changed to, which may be nothing."""
        found = self.resolve_value(value, known)
        present = self.parts.make_once("presence", partial(build_presence, value), value)
        if present is None:
            return found
        here = self.resolve_condition(present, known)
        return self.parts.make_once("limited", partial(self.limit_value, found, here), found, here)

    def change_alias(self, name: str, same: Expression, value: K, state: Mapping[str, K]) -> K:
        """Return a field of a record that is the changed one where two references are equal."""
        condition = self.resolve_condition(same, {})
        before = state.get(name) or self.build_plain_value(name)
        known = [(condition, value), (self.always, before)]
        make = partial(self.merge_alternatives, known, is_partly_known=False)
        return self.parts.make_once("alias", make, condition, value, before)

    def collect_seen_returns(self, step: Step, state: Mapping[str, K]) -> dict[str, K]:
        """Return what a call reveals of fields that an action has changed, or that were unknown."""
        tool = self.model.tools.get(step.call or "")
        found = {}
        for name in tool.returns if tool else ():
            if name in state:
                found[name] = state[name]
            elif name in self.model.partly_known and self.model.fields[name].role in STORED:
                found[name] = self.build_plain_value(name)
        return found

    def compute_returns(
        self, step: Step, before: Mapping[str, K], passed: C
    ) -> tuple[dict[str, K], dict[str, M]]:
        """Return what a compute tool returns to the case, and when it works out each value."""
        tool = self.model.tools.get(step.call or "")
        if tool is None or tool.kind is not ToolKind.COMPUTE:
            return {}, {}
        known: dict[str, K] = dict(before)
        moments: dict[str, M] = {}
        for name in order_decisions(self.model, tool.returns, tool.takes):
            moments[name] = self.make_moment(passed, dict(known))
            known[name] = self.resolve_decision(name, known)
        # Intermediate values stay in the tool: the case learns what is returned.
        return {name: known[name] for name in tool.returns if name in known}, moments

    def merge_arrivals(
        self, arrivals: list[ArrivalOf[C, K]]
    ) -> tuple[C, Mapping[str, K], Mapping[str, K]]:
        """Return the reach condition, what is known and what records hold where edges meet."""
        if len(arrivals) == 1:
            (only,) = arrivals
            return only.condition, only.known, only.state
        reached = reduce(self.disjoin, [item.condition for item in arrivals], self.never)
        known = self.merge_branches(
            [(arrival.condition, arrival.known) for arrival in arrivals], self.merge_values
        )
        state = self.merge_branches(
            [(arrival.condition, arrival.state) for arrival in arrivals], self.merge_records
        )
        return reached, known, state

    def merge_branches(
        self,
        parts: list[tuple[C, Mapping[str, K]]],
        merge: Callable[[str, list[tuple[C, Mapping[str, K]]]], K],
    ) -> dict[str, K]:
        names = list(dict.fromkeys(name for _, known in parts for name in known))
        return self.adopt_known({name: merge(name, parts) for name in names})

    def adopt_known(self, known: dict[str, K]) -> dict[str, K]:
        """Return the dictionary of the same names and values that was there first."""
        # A place is recognised by the very dictionary that it begins with.
        return self.parts.make_once(" ".join(known), lambda: known, *known.values())

    def merge_values(self, name: str, parts: list[tuple[C, Mapping[str, K]]]) -> K:
        """Return a field where edges meet, each edge with its condition and what is known on it."""
        is_partly_known = name in self.model.partly_known
        make = self.build_unknown_value if is_partly_known else self.build_plain_value
        known = [(condition, part.get(name) or make(name)) for condition, part in parts]
        return self.merge_all(known, is_partly_known=is_partly_known)

    def merge_records(self, name: str, parts: list[tuple[C, Mapping[str, K]]]) -> K:
        """Return what records hold where edges meet, whoever has seen it."""
        known = [(when, part.get(name) or self.build_plain_value(name)) for when, part in parts]
        return self.merge_all(known, is_partly_known=False)

    def merge_all(self, known: list[tuple[C, K]], *, is_partly_known: bool) -> K:
        """Return one value of those on all edges."""
        first = known[0][1]
        # Alike on every edge: a choice would only make the expression grow.
        if all(item is first for _, item in known):
            return first
        make = partial(self.merge_alternatives, known, is_partly_known=is_partly_known)
        how = "merged, partly known" if is_partly_known else "merged"
        return self.parts.make_once(how, make, *(x for pair in known for x in pair))

    def merge_at_ends(
        self, places: Iterable[UnfoldedOf[C, K, M]], names: Iterable[str]
    ) -> dict[str, K]:
        """Return what is known at the ends; they merge as edges into one step would."""
        # A case comes to one end at most.
        ends = [(place.reached, place.after) for place in places if place.step.end is not None]
        return {name: self.merge_values(name, ends) for name in names}

    def merge_records_at_ends(self, places: Iterable[UnfoldedOf[C, K, M]], name: str) -> K:
        """Return what records hold at the ends, whoever has seen it."""
        ends = [(place.reached, place.later) for place in places if place.step.end is not None]
        return self.merge_records(name, ends)


def _build_departure(
    transition: TransitionOf[C], known: Mapping[str, K], state: Mapping[str, K]
) -> tuple[StepPlace, ArrivalOf[C, K]]:
    return transition.to, ArrivalOf(transition.condition, known, state, transition.edge.id)
