"""What a goal is: a thing that some task must show, and the mistake that it guards against."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from sopforge.language.domain.expressions import numbers
from sopforge.language.domain.expressions.expressions import Compare, Constant, Expression, Relation
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.variants.slots import Put
from sopforge.proof.dataset.mutants.about import About
from sopforge.proof.solving.unfolding import build_conjunction


class GoalKind(StrEnum):
    """What a goal is about."""

    RULE = "rule"
    PAIR = "pair of rules"
    EDGE = "edge"
    PAIR_OF_EDGES = "pair of edges"
    RETURN = "return"
    CHOICE = "choice"
    GUARD = "guard"
    PART = "part of a condition"
    BOUNDARY = "boundary"
    TIE = "tie"
    LIST = "entries of a list"
    MUTANT = "mutant"


PLURALS: Mapping[GoalKind, str] = MappingProxyType(
    {
        GoalKind.RULE: "rules",
        GoalKind.PAIR: "pairs of rules",
        GoalKind.EDGE: "edges",
        GoalKind.PAIR_OF_EDGES: "pairs of edges",
        GoalKind.RETURN: "returns from parts",
        GoalKind.CHOICE: "choices in formulas",
        GoalKind.GUARD: "guards of tools",
        GoalKind.PART: "parts of conditions",
        GoalKind.BOUNDARY: "boundaries",
        GoalKind.TIE: "halves that are rounded",
        GoalKind.LIST: "entries of lists that are made",
        GoalKind.MUTANT: "mutants",
    }
)


@dataclass(frozen=True, slots=True)
class Goal:
    """A thing that some task must show: the rows on which it occurs, and what it is in words.

    A row shows it where one of the ``wrong`` models, each with the mistake that the goal guards
    against, gives another answer. A mutant occurs on every row. ``gap`` is, for a value beside a
    boundary, how far it lies from it, to be made as small as can be where ``condition`` never
    holds. ``about`` says what a mutant's mistake is about.
    """

    id: str
    condition: Expression
    words: str
    kind: GoalKind
    wrong: tuple[DomainModel, ...]
    gap: Gap | None = None
    about: About | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """How far one side of a comparison lies above the other, on one side of its boundary.

    ``meeting`` turns a condition on the gap into one on rows, ``deciding`` returns the model that
    reverses the comparison where such a condition holds, and ``least`` is the smallest
    gap that the scales of the two sides leave, in units of their places.
    """

    size: Expression
    least: int
    meeting: Callable[[Expression], Expression]
    deciding: Put

    def build_row_condition(self, most: int) -> Expression:
        """Return the rows on which the gap is from one unit to so many."""
        return self.meeting(self.build_gap_condition(most))

    def build_gap_condition(self, most: int) -> Expression:
        """Return the condition that the gap is from one unit to so many, where it is looked at."""
        low = Compare(Relation.GE, self.size, _make_constant_like(self.size, 1))
        return build_conjunction(
            low, Compare(Relation.LE, self.size, _make_constant_like(self.size, most))
        )


def move_to_nearest(goal: Goal, most: int) -> Goal:
    """Return a goal beside a boundary that asks for a gap of up to so many units, the least one.

    Its mistake, too, is to reverse the decision on such a value.
    """
    if goal.gap is None:
        return goal
    wrong = goal.gap.deciding(goal.gap.build_gap_condition(most))
    return replace(goal, condition=goal.gap.build_row_condition(most), wrong=(wrong,))


def _make_constant_like(number: Expression, value: int) -> Constant:
    return numbers.make_number_constant(value, numbers.require_number_type(number).places)
