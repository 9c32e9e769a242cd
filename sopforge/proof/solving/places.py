"""The places of an unfolded procedure, and what is worked out of each, whatever conditions are.

A place is a step on one round, and in a part as one step carries it out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from sopforge.language.domain.guards import GuardLeaf
from sopforge.language.domain.model import Counts, Edge, Step

Visits = tuple[tuple[str, int], ...]


class StepPlace(NamedTuple):
    """A step on one round; ``callers`` are the steps whose parts it is in, the innermost last.

    A step that carries out a part has two places: where the part begins, and where the case
    ``is_back`` from it. ``visits`` counts as the brief declares it; ``carried`` has how many rounds
    more, or fewer, count by mistake.
    """

    step: str
    visits: Visits = ()
    callers: tuple[str, ...] = ()
    is_back: bool = False
    carried: Visits = ()

    @property
    def course(self) -> StepPlace:
        """The place as paths know it: equal ones are come to after the same steps and edges."""
        return self._replace(carried=())

    @property
    def rounds(self) -> dict[str, int]:
        """How often each edge back was taken, as it is counted there."""
        return dict(add_visits(self.visits, self.carried))

    def forget_rounds(self, left: Collection[Edge], scopes: Collection[Counts]) -> StepPlace:
        """Return a place at which edges count anew that count over what was left.

        Places count as the brief declares it, whatever mistake the edges are counted by.
        """
        if not left:
            return self
        anew = {edge.id for edge in left if edge.declared in scopes}
        gone = {edge.id for edge in left if edge.counts in scopes}
        visits = tuple(item for item in self.visits if item[0] not in anew)
        rounds = [(name, count) for name, count in self.rounds.items() if name not in gone]
        carried = add_visits((), (*rounds, *((name, -count) for name, count in visits)))
        return self._replace(visits=visits, carried=carried)


def add_visits(visits: Visits, others: Iterable[tuple[str, int]]) -> Visits:
    """Return the counts of both together.

    >>> add_visits((("ask.1", 1),), [("ask.1", -1), ("look.2", 1)])
    (('look.2', 1),)
    """
    counts = dict(visits)
    for name, count in others:
        counts[name] = counts.get(name, 0) + count
    # Sorted: a step that was reached by equal rounds in another order is one place.
    return tuple(sorted(item for item in counts.items() if item[1]))


# The names of transitions that are no edges of a procedure, whose names are numbers and codes.
INTO_PART = "into part"
OUT_OF_PART = "out of part"

C = TypeVar("C")
"""What a condition is."""
K = TypeVar("K")
"""What is known of a field: its value, and when it has one."""
M = TypeVar("M")
"""What is kept of a moment: when it is come to, and what is known by then."""


@dataclass(frozen=True, slots=True)
class ArrivalOf(Generic[C, K]):
    """An edge into a place: when it is taken, what the case knows by then, what records hold."""

    condition: C
    known: Mapping[str, K]
    state: Mapping[str, K] = field(default_factory=dict)
    edge: str = ""


@dataclass(frozen=True, slots=True)
class TransitionOf(Generic[C]):
    """An edge at a place: where it leads, and when it is taken, whatever the case was before.

    ``here`` says when a case takes it that has come to the place. A back edge that is used up leads
    elsewhere.
    """

    edge: Edge
    to: StepPlace
    condition: C
    here: C
    is_used_up: bool = False

    @property
    def is_edge(self) -> bool:
        """Whether it is an edge of the procedure, and does not lead into a part or out of one."""
        return self.edge.name not in {INTO_PART, OUT_OF_PART}

    @property
    def nodes(self) -> tuple[str, ...]:
        """What the transition adds to a path: its edge, and the step that it leads to.

        Into a part, and out of it, no edge leads; a step that a case comes back to was named when
        it came there first.
        """
        edges = (self.edge.id,) if self.is_edge else ()
        return edges if self.to.is_back else (*edges, self.to.step)


@dataclass(frozen=True, slots=True)
class RefusalOf(Generic[C, M]):
    """A check of a call: the code with which it refuses, and when; earlier checks have held.

    ``here`` says when it refuses a case that has come to the place.
    """

    leaf: GuardLeaf
    test: C
    condition: C
    here: C
    moment: M

    @property
    def code(self) -> str:
        """The code with which the tool refuses."""
        return self.leaf.refusal


@dataclass(frozen=True, slots=True)
class UnfoldedOf(Generic[C, K, M]):
    """A step at one place: when it is reached, what is known before and after its decisions.

    ``arrivals`` says by which edge it is reached when, "" at the start. ``checks`` are those of its
    call, ``passed`` says when none of them refuses. ``transitions`` are taken where that is so, and
    after a refusal that the step names; ``departures`` are where they lead, with what the case
    knows then; ``refusals`` are the checks that refuse and lead nowhere. ``state`` and ``later``
    are what the records hold before and after the call, where an action has changed them.
    ``moments`` holds, per decision of the step, when it is taken, and ``worked_out`` the same of
    what its tool computes, intermediate values among them.

    Where a part begins, ``step`` is the step that carries it out with nothing of what comes after.
    """

    step: Step
    place: StepPlace
    arrivals: tuple[tuple[str, C], ...]
    reached: C
    passed: C
    before: Mapping[str, K]
    after: Mapping[str, K]
    transitions: tuple[TransitionOf[C], ...]
    departures: tuple[tuple[StepPlace, ArrivalOf[C, K]], ...] = ()
    checks: tuple[RefusalOf[C, M], ...] = ()
    moments: Mapping[str, M] = field(default_factory=dict)
    worked_out: Mapping[str, M] = field(default_factory=dict)
    state: Mapping[str, K] = field(default_factory=dict)
    later: Mapping[str, K] = field(default_factory=dict)

    @property
    def is_before_part(self) -> bool:
        """Whether a part begins here, so that what the step decides is yet to come."""
        return bool(self.step.do) and not self.place.is_back

    @property
    def refusals(self) -> tuple[RefusalOf[C, M], ...]:
        """The checks after whose refusal the step names no edge."""
        return tuple(item for item in self.checks if item.code not in self.step.refusals)
