"""The control paths of a procedure: which ones a case can take.

The unfolded procedure has no cycles, so that its paths are a tree. A branch that no case can enter
is cut off with all paths that continue it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import z3

from sopforge.language.domain.expressions.expressions import AllOf, Expression
from sopforge.language.domain.model import DomainModel
from sopforge.proof.solving.places import StepPlace
from sopforge.proof.solving.questions import NoRow, OpenQuestion, ask
from sopforge.proof.solving.unfolding import TRUE, Transition, Unfolded

Nodes: TypeAlias = tuple[str, ...]
Tree: TypeAlias = dict[str, "Tree"]


@dataclass(frozen=True, slots=True)
class ControlPath:
    """The steps and edges that a case takes, in order, and when it takes them."""

    nodes: Nodes
    condition: Expression

    @property
    def id(self) -> str:
        """The path as one text."""
        return " > ".join(self.nodes)


@dataclass(slots=True)
class ControlPaths:
    """The paths that cases take, and the beginnings of paths that none takes, or perhaps none.

    Where there are more than were asked for, ``is_whole`` is False, and the others are left out.
    """

    feasible: list[ControlPath] = field(default_factory=list)
    infeasible: list[ControlPath] = field(default_factory=list)
    undecided: list[ControlPath] = field(default_factory=list)
    is_whole: bool = True


def find_paths(
    model: DomainModel, places: Sequence[Unfolded], taken: Iterable[Nodes], most: int
) -> ControlPaths:
    """Return the control paths, if they are at most so many.

    ``taken`` are paths that some rows take, about which the solver need not be asked.
    """
    found = ControlPaths()
    by_place = {place.place: place for place in places}
    branches = _Branches(
        model, [transition for place in places for transition in place.transitions]
    )
    waiting = [_Branch(places[0].place, None, (places[0].step.id,), _build_tree(taken))]
    # One more than asked for, to learn whether there are more.
    while waiting and len(found.feasible) <= most:
        branch = waiting.pop()
        if not branch.is_taken:
            answer = branches.ask_solver(branch.list_transitions())
            if answer != z3.sat:
                part = found.infeasible if answer == z3.unsat else found.undecided
                part.append(branch.build_path())
                continue
        place = by_place[branch.place]
        if place.transitions:
            # Reversed onto the stack, so that the first edge's paths are found first.
            waiting += [
                branch.follow_transition(transition) for transition in reversed(place.transitions)
            ]
        else:
            found.feasible.append(branch.build_path())
    found.is_whole = len(found.feasible) <= most
    del found.feasible[most:]
    return found


@dataclass(frozen=True, slots=True)
class _Branch:
    """The beginning of a path: the place that it has come to, by which transition, and from where.

    ``taken`` are its continuations in paths that some rows take; ``is_open`` says that a case which
    came to the branch before takes this one too.
    """

    place: StepPlace
    transition: Transition | None
    nodes: Nodes
    taken: Tree | None
    before: _Branch | None = None
    is_open: bool = True

    @property
    def is_taken(self) -> bool:
        """Whether it is known that some row takes it."""
        return self.is_open or self.taken is not None

    def follow_transition(self, transition: Transition) -> _Branch:
        nodes = transition.nodes
        taken = self.taken
        for node in nodes:
            taken = None if taken is None else taken.get(node)
        return _Branch(
            transition.to, transition, nodes, taken, self, is_open=transition.here is TRUE
        )

    def iterate_back(self) -> Iterator[_Branch]:
        """Return this and the branches before it."""
        branch: _Branch | None = self
        while branch is not None:
            yield branch
            branch = branch.before

    def list_transitions(self) -> list[Transition]:
        return [
            branch.transition for branch in self.iterate_back() if branch.transition is not None
        ]

    def build_path(self) -> ControlPath:
        branches = list(self.iterate_back())[::-1]
        nodes = tuple(node for branch in branches for node in branch.nodes)
        # What each step adds is enough: a transition's `condition` repeats all that came before.
        conditions = [branch.transition.here for branch in branches if branch.transition]
        return ControlPath(nodes, AllOf(tuple(part for part in conditions if part is not TRUE)))


def _build_tree(paths: Iterable[Nodes]) -> Tree | None:
    """Return paths that begin alike as a tree, after the first node, which all share."""
    root: Tree = {}
    for path in paths:
        tree = root
        for node in path[1:]:
            tree = tree.setdefault(node, {})
    return root or None


class _Branches:
    """Decides whether a case takes several transitions; one solver learns from all answers."""

    def __init__(self, model: DomainModel, transitions: Sequence[Transition]) -> None:
        # Assumed by flags, and not pushed and popped: so the solver keeps what it has learnt.
        asked = ask(model, [], further=[transition.here for transition in transitions])
        self.asked = asked
        self.flags: Mapping[int, z3.BoolRef] = (
            {
                id(transition): flag
                for transition, flag in zip(transitions, asked.flags, strict=True)
            }
            if isinstance(asked, OpenQuestion)
            else {}
        )

    def ask_solver(self, transitions: Iterable[Transition]) -> z3.CheckSatResult:
        if not isinstance(self.asked, OpenQuestion):
            # No row meets even the constraints, or not even that could be decided.
            return z3.unsat if isinstance(self.asked, NoRow) else z3.unknown
        return self.asked.solver.check(*(self.flags[id(transition)] for transition in transitions))
