"""Which rows notice a mistake: in the primary answer, in any scored one, or on the path alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import reduce
from typing import TypeAlias

from sopforge.dataset.coverage.goals.goal import Goal
from sopforge.dataset.mutants.first_differences import FirstDifferences
from sopforge.domain.language.expressions import Expression
from sopforge.domain.model import DomainModel
from sopforge.logic.variants.substitution import Replacement
from sopforge.solving.differences import build_value_difference
from sopforge.solving.unfolding import (
    FALSE,
    Parts,
    TooManyStepsError,
    Unfolded,
    build_conjunction,
    build_disjunction,
    derive_answers,
    negate_condition,
    unfold_with_nothing,
)

Course: TypeAlias = Mapping[object, Expression]


class Noticed(StrEnum):
    """By what a mistake is noticed, the strongest first: one that an earlier one notices counts."""

    PRIMARY = "primary"
    OUTCOMES = "outcomes"
    TRAJECTORY = "trajectory"


@dataclass(frozen=True, slots=True)
class Notice:
    """The rows on which a goal occurs and its mistake is noticed, by what notices it.

    Nothing follows from what is not in it unless it ``is_whole``: a goal may have no mistake to be
    compared with, or one that unrolls into too many steps.
    """

    primary: Expression
    outcomes: Expression
    trajectory: Expression
    is_whole: bool = True

    def get_condition(self, level: Noticed) -> Expression:
        """Return the rows on which a level, or a stronger one, notices the mistake."""
        found = (self.primary, self.outcomes, build_disjunction(self.outcomes, self.trajectory))
        return found[list(Noticed).index(level)]


@dataclass(slots=True)
class Noticing:
    """Compares a model with models that have a mistake; what they share is one expression.

    Raises:
        TooManyStepsError: the back edges unroll into too many steps.
    """

    model: DomainModel
    parts: Parts = field(default_factory=Parts)
    places: tuple[Unfolded, ...] = ()
    answers: Mapping[str, Replacement] = field(default_factory=dict)
    course: Course = field(default_factory=dict)
    differences: FirstDifferences | None = None
    known: dict[int, tuple[DomainModel, Notice]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.places = unfold_with_nothing(self.model, self.parts)
        self.answers = derive_answers(self.model, self.places, self.parts)
        self.course = _derive_course(self.places)

    def derive_notice(self, goal: Goal, condition: Expression | None = None) -> Notice:
        """Return which of the rows on which a goal occurs, or a condition holds, notice it."""
        condition = goal.condition if condition is None else condition
        found = [self._get_model_notice(wrong) for wrong in goal.wrong]
        primary, outcomes, trajectory = (
            reduce(build_disjunction, (getattr(item, level) for item in found), FALSE)
            for level in Noticed
        )
        return Notice(
            build_conjunction(condition, primary),
            build_conjunction(condition, outcomes),
            build_conjunction(condition, trajectory),
            is_whole=bool(found) and all(item.is_whole for item in found),
        )

    def derive_first_difference(self, goal: Goal) -> Expression:
        """Return the rows on which a goal's mistake makes a difference where it is made.

        Only such rows can show the goal.
        """
        if self.differences is None:
            self.differences = FirstDifferences(self.model, self.places, self.parts)
        return reduce(build_disjunction, map(self.differences.derive_difference, goal.wrong), FALSE)

    def forget(self) -> None:
        """Drop what was compared, which takes much room; it is compared again where it is asked."""
        self.known.clear()

    def _get_model_notice(self, wrong: DomainModel) -> Notice:
        if id(wrong) not in self.known:
            # The model is kept as well, so that no other gets its identity.
            self.known[id(wrong)] = wrong, self._compare_model(wrong)
        return self.known[id(wrong)][1]

    def _compare_model(self, wrong: DomainModel) -> Notice:
        # On top of the model's own parts and not among them, where each mistake would stay.
        parts = Parts(self.parts)
        try:
            places = unfold_with_nothing(wrong, parts)
        except TooManyStepsError:
            return Notice(FALSE, FALSE, FALSE, is_whole=False)
        answers = derive_answers(wrong, places, parts)
        apart = {
            name: build_value_difference(known, answers[name])
            for name, known in self.answers.items()
            # The same object is the proof that the mistake does not reach this answer.
            if known is not answers[name]
        }
        # A case that is refused where the model's is not has no answer.
        refused = reduce(
            build_disjunction, (item.condition for part in places for item in part.refusals), FALSE
        )
        return Notice(
            build_disjunction(apart.get(self.model.primary.name, FALSE), refused),
            build_disjunction(reduce(build_disjunction, apart.values(), FALSE), refused),
            _compare_courses(self.course, _derive_course(places)),
        )


def _derive_course(places: Sequence[Unfolded]) -> dict[object, Expression]:
    """Return when a case comes to each place and takes each edge."""
    found: dict[object, Expression] = {}
    for place in places:
        found[place.place] = place.reached
        for transition in place.transitions:
            key = (place.place, transition.edge.id)
            found[key] = build_disjunction(found.get(key, FALSE), transition.condition)
    return found


def _compare_courses(one: Course, other: Course) -> Expression:
    """Return when two courses differ in whether a place is come to, or an edge taken."""
    found: Expression = FALSE
    for key in dict.fromkeys([*one, *other]):
        left, right = one.get(key, FALSE), other.get(key, FALSE)
        if left is not right:
            here = build_disjunction(
                build_conjunction(left, negate_condition(right)),
                build_conjunction(right, negate_condition(left)),
            )
            found = build_disjunction(found, here)
    return found


def collect_shared_parts(noticing: Noticing) -> list[Expression]:
    """Return what conditions of notices share: the answers and the course of the model itself."""
    values = [part for known in noticing.answers.values() for part in (known.value, known.present)]
    return [*(part for part in values if part is not None), *noticing.course.values()]
