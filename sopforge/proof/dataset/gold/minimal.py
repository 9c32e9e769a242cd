"""The gold calls that something needs: without any one of them, the case is not decided.

A case is decided where the model comes to the same writes and the same answers whatever the calls
that are left out would have said. What an agent then has not seen is unknown: both edges of a step
are open where its condition is, and so is whether a call that is not made would have been refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.fields import Entity
from sopforge.language.domain.model import DomainModel, Step, Tool
from sopforge.language.domain.rules import Decision, Formula, HitPolicy
from sopforge.language.domain.tool_checks import list_tool_checks
from sopforge.language.domain.values.malformed_inputs import is_malformed
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.partial import UNKNOWN, PartialValue, evaluate_as_known
from sopforge.language.logic.stated_inputs import derive_marks, derive_stated_inputs
from sopforge.language.logic.tables import build_decision_value, build_presence
from sopforge.language.logic.tool_calls import Frame, Refused
from sopforge.language.logic.walking import Walk, forget_loops, forget_part, take_edge
from sopforge.proof.dataset.gold.order import is_acting

MOST_STEPS = 2_000
"""How many steps are followed for one question; beyond that, the call in question stays."""
Asked: TypeAlias = tuple[str, str, int]
"""A call: its tool, its arguments, and how many writes came before it."""
Replies: TypeAlias = Mapping[Asked, Frame | Refused]


class _OpenError(Exception):
    """The case may come to something else."""


def find_minimal_calls(model: DomainModel, row: Frame, walk: Walk) -> frozenset[int]:
    """Return the places of the calls of a walk that are left when none can be left out.

    The last ones are tried first: an earlier call may only be there for a later one.
    """
    question = _Question(model, derive_stated_inputs(model, row), walk)
    kept = frozenset(range(len(walk.calls)))
    for place in reversed(range(len(walk.calls))):
        if question.is_decided(kept - {place}):
            kept -= {place}
    return kept


def is_decided(model: DomainModel, row: Frame, walk: Walk, kept: Iterable[int]) -> bool:
    """Return whether some calls of a walk are enough to come to its writes and its answers."""
    return _Question(model, derive_stated_inputs(model, row), walk).is_decided(frozenset(kept))


@dataclass(slots=True)
class _State:
    """Where a case is, and what is known there; ``fresh`` is what no write has changed since.

    ``unsure`` is what was decided and may be one or another; ``there`` are the entities of which
    there surely is a record.
    """

    step: Step
    known: dict[str, Value | None]
    unsure: set[str] = field(default_factory=set)
    fresh: set[str] = field(default_factory=set)
    there: set[str] = field(default_factory=set)
    writes: tuple[Asked, ...] = ()
    visits: Counter[str] = field(default_factory=Counter)
    callers: tuple[Step, ...] = ()

    def copy_at(self, step: Step) -> _State:
        """Return a copy of it at a step, which shares nothing that changes."""
        return replace(
            self,
            step=step,
            known=dict(self.known),
            unsure=set(self.unsure),
            fresh=set(self.fresh),
            there=set(self.there),
            visits=Counter(self.visits),
        )


@dataclass(frozen=True)
class _Question:
    """A case of which some calls were made, and the rest is unknown."""

    model: DomainModel
    stated: Frame
    walk: Walk

    def is_decided(self, kept: frozenset[int]) -> bool:
        """Return whether every course that the case may take ends as the walk does."""
        replies = self.list_replies(kept)
        given = {**self.stated, **derive_marks(self.model, self.stated)}
        left = [_State(self.model.steps[self.model.start], dict(given))]
        try:
            for _ in range(MOST_STEPS):
                if not left:
                    return True
                left += self.follow(left.pop(), replies)
        except _OpenError:
            pass
        return False

    def list_replies(self, kept: frozenset[int]) -> Replies:
        """Return what the kept calls were answered."""
        return {asked: reply for place, (asked, reply) in enumerate(self.calls) if place in kept}

    @cached_property
    def calls(self) -> list[tuple[Asked, Frame | Refused]]:
        """The calls of the walk with their replies; equal ones between two writes are one call."""
        found: list[tuple[Asked, Frame | Refused]] = []
        writes = 0
        for call in self.walk.calls:
            found.append((_name_call(call.tool, call.arguments, writes), call.result))
            writes += self.is_write(call.tool, call.result)
        return found

    @cached_property
    def writes(self) -> tuple[Asked, ...]:
        """The calls of the walk by which something was changed."""
        return tuple(asked for asked, reply in self.calls if self.is_write(asked[0], reply))

    @cached_property
    def malformed(self) -> frozenset[str]:
        """The inputs that are stated malformed, of which rules read the mark alone."""
        kinds = {item.name: item.type for item in self.model.given}
        return frozenset(n for n, value in self.stated.items() if is_malformed(kinds[n], value))

    def is_write(self, tool: str, reply: Frame | Refused) -> bool:
        """Return whether a call may have changed something."""
        return is_acting(self.model, tool) and not isinstance(reply, Refused)

    def follow(self, state: _State, replies: Replies) -> list[_State]:
        """Return where a case may be after a step; raise where it may end elsewhere."""
        step = state.step
        if step.do:
            state.callers = (*state.callers, step)
            state.step = self.model.steps[self.model.parts[step.do].start]
            return [state]
        if step.call is None:
            return self.leave(state)
        refused, is_answered = self.call(state, self.model.tools[step.call], replies)
        onward = self.leave(state) if is_answered else []
        return [*refused, *onward]

    def call(self, state: _State, tool: Tool, replies: Replies) -> tuple[list[_State], bool]:
        """Return where refusals may lead, and whether the call may be answered besides."""
        arguments = {name: state.known.get(name) for name in tool.takes}
        asked = _name_call(tool.name, arguments, len(state.writes))
        step, edges = state.step, state.step.refusals
        is_ready = all(name in state.known for name in tool.takes)
        reply = replies.get(asked) if is_ready else None
        if isinstance(reply, Refused):
            # Where the step names no edge for it, no task comes by here.
            edge = edges.get(reply.code)
            return [self.go_to(state.copy_at(step), step, edge.to)] if edge else [], False
        read = self.model.list_entities_read(tool)
        if reply is not None:
            self.learn(state, asked, reply, read)
            return [], True
        codes, may_answer = self.list_refusals(state, tool)
        if may_answer and is_acting(self.model, tool.name):
            # It would be another write, or one too few.
            raise _OpenError
        refused = [self.go_to(state.copy_at(step), step, edges[code].to) for code in codes]
        for name in set(tool.returns) - state.fresh:
            state.known.pop(name, None)
        return refused, may_answer

    def list_refusals(self, state: _State, tool: Tool) -> tuple[list[str], bool]:
        """Return with which codes a call may be refused, and whether it may be answered."""
        checks = list_tool_checks(self.model, tool)
        possible = set(state.step.refusals) - {check.refusal for check in checks}
        # What a write has changed since, the tool sees as it is.
        stale = {name for name in self.model.fields if self.model.fields[name].table} - state.fresh
        seen = {name: value for name, value in state.known.items() if name not in stale}
        seen |= dict.fromkeys(state.there, 1)
        for check in checks:
            is_met = self.evaluate(replace(state, known=seen), check.test)
            if is_met is UNKNOWN or not is_met:
                possible.add(check.refusal)
            if is_met is not UNKNOWN and not is_met:
                return [code for code in state.step.refusals if code in possible], False
        return [code for code in state.step.refusals if code in possible], True

    def learn(self, state: _State, asked: Asked, reply: Frame, read: Iterable[Entity]) -> None:
        """Take in a reply, with what it says of the same record under other references."""
        if self.is_write(asked[0], reply):
            state.fresh.clear()
            state.writes = (*state.writes, asked)
        state.known.update(reply)
        state.fresh.update(reply)
        state.there.update(entity.name for entity in read)
        for entity in read:
            state.there.update(
                other.name
                for other in self.model.references
                if other.table == entity.table and self.are_same(state, entity, other)
            )
        for name in reply:
            for item, one, other in self.model.list_aliases(name):
                if self.are_same(state, one, other):
                    state.known[item.name] = reply[name]
                    state.fresh.add(item.name)

    def are_same(self, state: _State, one: Entity, other: Entity) -> bool:
        """Return whether two references are known to lead to one record."""
        key = state.known.get(one.key)
        return key is not None and key == state.known.get(other.key)

    def leave(self, state: _State) -> list[_State]:
        """Return where a case may be once the call of its step is answered."""
        step = state.step
        states = [state]
        for target in step.decide:
            states = [after for before in states for after in self.decide(before, target)]
        return [after for before in states for after in self.go_on(before)]

    def go_on(self, state: _State) -> list[_State]:
        """Return where a case may be once its step has decided."""
        step = state.step
        if step.is_return:
            state.step, state.callers = state.callers[-1], state.callers[:-1]
            forget_part(self.model, step.part, state.visits)
            return self.leave(state)
        if step.end is not None:
            self.require_same_end(state, step)
            return []
        return list(self.take_edges(state))

    def go_to(self, state: _State, step: Step, to: str) -> _State:
        """Return a case that goes from a step to another one."""
        forget_loops(self.model, step, to, state.visits)
        state.step = self.model.steps[to]
        return state

    def require_same_end(self, state: _State, step: Step) -> None:
        """Raise where a case has other writes or answers than the walk, or may have."""
        for name, constant in (step.end or {}).items():
            state.known[name] = constant.value
            state.unsure.discard(name)
        asked = [item.name for item in (*self.model.outcomes, *self.model.intermediates)]
        found = {name: state.known[name] for name in asked if name in state.known}
        wanted = {name: self.walk.known[name] for name in asked if name in self.walk.known}
        if state.writes != self.writes or found != wanted or state.unsure & set(asked):
            raise _OpenError

    def decide(self, state: _State, target: str) -> list[_State]:
        """Return the case with each result that a decision may have; raise where it has none."""
        results = list(self.iterate_results(state, self.model.decisions[target]))
        if not results:
            raise _OpenError
        # A single one, as nearly always, needs no copy.
        states = [state, *(state.copy_at(state.step) for _ in results[1:])]
        for after, result in zip(states, results, strict=True):
            self.take_result(after, target, result)
        return states

    def iterate_results(self, state: _State, decision: Decision) -> Iterator[Expression]:
        """Yield the results of the rules that may decide, each of which would then be known."""
        if isinstance(decision, Formula) or decision.hit is HitPolicy.COLLECT:
            yield build_decision_value(decision)
            return
        for rule in decision.rules:
            is_met = self.evaluate(state, rule.when)
            if is_met is UNKNOWN or is_met:
                yield rule.then
            if is_met is not UNKNOWN and is_met:
                return

    def take_result(self, state: _State, target: str, result: Expression) -> None:
        """Take in what is decided; where it may be one or another, it is unsure."""
        is_given = self.evaluate(state, build_presence(result))
        found = self.evaluate(state, result) if is_given else None
        state.known.pop(target, None)
        state.unsure.add(target)
        if is_given is not UNKNOWN and found is not UNKNOWN:
            state.known[target] = found
            state.unsure.discard(target)

    def evaluate(self, state: _State, asked: Expression | None) -> PartialValue | None:
        """Return what an expression comes to, 1 for a condition that is none."""
        if asked is None:
            return 1
        seen = {n: value for n, value in state.known.items() if n not in self.malformed}
        return evaluate_as_known([asked], seen)[0]

    def take_edges(self, state: _State) -> Iterator[_State]:
        """Yield where the edges may lead of which none before surely holds."""
        for edge in state.step.edges:
            holds = self.evaluate(state, edge.when)
            if holds is not UNKNOWN and not holds:
                continue
            moved = state.copy_at(state.step)
            to = take_edge(edge, moved.visits)
            yield self.go_to(moved, state.step, to)
            if holds is not UNKNOWN:
                return


def _name_call(tool: str, arguments: Frame, writes: int) -> Asked:
    # As text, for a list among the arguments could be no key.
    return tool, repr(list(arguments.items())), writes
