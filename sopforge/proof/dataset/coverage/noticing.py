"""Which rows notice a mistake: in the primary answer, in any scored one, or on the path alone."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import reduce

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.coverage.goals.goal import Goal
from sopforge.proof.solving.comparing.beside import Comparison, Differences
from sopforge.proof.solving.unfolding import (
    FALSE,
    Unfolder,
    build_conjunction,
    build_disjunction,
)


class Noticed(StrEnum):
    """By what a mistake is noticed, the strongest first: one that an earlier one notices counts."""

    PRIMARY = "primary"
    OUTCOMES = "outcomes"
    TRAJECTORY = "trajectory"


@dataclass(frozen=True, slots=True)
class Notice(Differences[Expression]):
    """The rows on which a goal occurs and its mistake is noticed, by what notices it.

    It is not whole either where a goal has no mistake to be compared with.
    """

    def get_condition(self, level: Noticed) -> Expression:
        """Return the rows on which a level, or a stronger one, notices the mistake."""
        found = (self.primary, self.outcomes, build_disjunction(self.outcomes, self.trajectory))
        return found[list(Noticed).index(level)]


class Noticing:
    """Says in conditions, for the solver, which rows notice a mistake.

    Raises:
        TooManyStepsError: the back edges unroll into too many steps.
    """

    def __init__(self, model: DomainModel) -> None:
        self.model = model
        self.comparison = Comparison(model, Unfolder)
        self.places = self.comparison.places
        self.known: dict[int, tuple[DomainModel, Differences[Expression]]] = {}

    def derive_notice(self, goal: Goal) -> Notice:
        """Return which of the rows on which a goal occurs notice it."""
        found = [self._get_differences(wrong) for wrong in goal.wrong]
        primary, outcomes, trajectory = (
            reduce(build_disjunction, (getattr(item, level) for item in found), FALSE)
            for level in Noticed
        )
        return Notice(
            build_conjunction(goal.condition, primary),
            build_conjunction(goal.condition, outcomes),
            build_conjunction(goal.condition, trajectory),
            is_whole=bool(found) and all(item.is_whole for item in found),
        )

    def derive_first_difference(self, goal: Goal) -> Expression:
        """Return the rows on which a goal's mistake makes a difference where it is made.

        Only such rows can show the goal.
        """
        found = map(self.comparison.derive_first_difference, goal.wrong)
        return reduce(build_disjunction, found, FALSE)

    def _get_differences(self, wrong: DomainModel) -> Differences[Expression]:
        if id(wrong) not in self.known:
            # The model is kept as well, so that no other gets its identity.
            self.known[id(wrong)] = wrong, self.comparison.compare(wrong)
        return self.known[id(wrong)][1]
