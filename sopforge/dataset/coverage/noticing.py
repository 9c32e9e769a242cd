"""Which rows notice a mistake: in the primary answer, in any scored one, or on the path alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from typing import Generic

from sopforge.dataset.coverage.goals.goal import Goal
from sopforge.dataset.mutants.first_differences import derive_first_difference
from sopforge.domain.language.expressions import Expression
from sopforge.domain.model import DomainModel
from sopforge.solving.unfolded_places import (
    C,
    K,
    M,
    Parts,
    PlaceUnfolder,
    TooManyStepsError,
    UnfoldedOf,
)
from sopforge.solving.unfolding import (
    FALSE,
    Unfolder,
    build_conjunction,
    build_disjunction,
    list_answers,
)

END = "at the end: "


class Noticed(StrEnum):
    """By what a mistake is noticed, the strongest first: one that an earlier one notices counts."""

    PRIMARY = "primary"
    OUTCOMES = "outcomes"
    TRAJECTORY = "trajectory"


@dataclass(frozen=True, slots=True)
class Differences(Generic[C]):
    """When a model with a mistake has another primary answer, another answer, or another path.

    Nothing follows from what is not in it unless it ``is_whole``: a model may unroll into too many
    steps to be compared.
    """

    primary: C
    outcomes: C
    trajectory: C
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class OtherAnswers(Generic[C, K]):
    """What a model with a mistake answers: where it is another answer, and where a tool refuses."""

    answers: Mapping[str, K]
    apart: C
    refused: C


class Comparison(Generic[C, K, M]):
    """Compares a model with models that have a mistake; what they share is one object.

    ``begin`` returns an unfolder of a model with parts.

    Raises:
        TooManyStepsError: the back edges unroll into too many steps.
    """

    def __init__(
        self, model: DomainModel, begin: Callable[[DomainModel, Parts], PlaceUnfolder[C, K, M]]
    ) -> None:
        self.model = model
        self.begin = begin
        self.parts = Parts()
        self.sound = begin(model, self.parts)
        self.beside: PlaceUnfolder[C, K, M] | None = None
        self.places = _unfold(self.sound)
        self.answers = self.collect_answers(self.sound, self.places)
        self.course = self.derive_course(self.places)

    def compare(self, wrong: DomainModel) -> Differences[C]:
        """Return when a model with a mistake differs."""
        by = self.begin_beside(wrong)
        try:
            places = _unfold(by)
        except TooManyStepsError:
            return Differences(by.never, by.never, by.never, is_whole=False)
        apart = self._find_apart(by, self.collect_answers(by, places))
        refused = _find_refused(by, places)
        return Differences(
            by.disjoin(apart.get(self.model.primary.name, by.never), refused),
            by.disjoin(reduce(by.disjoin, apart.values(), by.never), refused),
            self.compare_courses(by, self.derive_course(places)),
        )

    def answer(self, wrong: DomainModel) -> OtherAnswers[C, K]:
        """Return what a model with a mistake answers."""
        by = self.begin_beside(wrong)
        places = _unfold(by)
        answers, refused = self.collect_answers(by, places), _find_refused(by, places)
        apart = reduce(by.disjoin, self._find_apart(by, answers).values(), by.never)
        return OtherAnswers(answers, by.disjoin(apart, refused), refused)

    def _find_apart(self, by: PlaceUnfolder[C, K, M], answers: Mapping[str, K]) -> dict[str, C]:
        """Return when each answer is another one, of those that the mistake may reach."""
        return {
            name: by.compare_values(known, answers[name])
            for name, known in self.answers.items()
            # The same object is the proof that the mistake does not reach this answer.
            if known is not answers[name]
        }

    def collect_answers(
        self, by: PlaceUnfolder[C, K, M], places: Iterable[UnfoldedOf[C, K, M]]
    ) -> dict[str, K]:
        """Return all that is scored: the answers, and what tables hold at the end."""
        given = list(places)
        changing = self.model.list_changing_columns()
        return {
            **by.merge_at_ends(given, list_answers(self.model)),
            **{f"{END}{name}": by.merge_records_at_ends(given, name) for name in changing},
        }

    def derive_first_difference(self, wrong: DomainModel) -> C:
        """Return when a mistake makes a difference where it is made: only then can it show."""
        by = self.begin_beside(wrong)
        return derive_first_difference(self.model, self.places, by)

    def begin_beside(self, wrong: DomainModel) -> PlaceUnfolder[C, K, M]:
        """Return an unfolder of a model with a mistake, the same one for the same model."""
        if self.beside is None or self.beside.model is not wrong:
            # On top of the model's own parts and not among them, where each mistake would stay.
            self.beside = self.begin(wrong, Parts(self.parts))
        return self.beside

    def derive_course(self, places: Iterable[UnfoldedOf[C, K, M]]) -> dict[object, C]:
        """Return when a case comes to each place and takes each edge."""
        found: dict[object, C] = {}
        for place in places:
            come = [(place.place.course, place.reached)]
            gone = [
                ((place.place.course, item.edge.id), item.condition) for item in place.transitions
            ]
            for key, condition in (*come, *gone):
                before = found.get(key, self.sound.never)
                found[key] = self.sound.disjoin(before, condition)
        return found

    def compare_courses(self, by: PlaceUnfolder[C, K, M], other: Mapping[object, C]) -> C:
        """Return when another course differs in whether a place is come to, or an edge taken."""
        found = by.never
        for key in dict.fromkeys([*self.course, *other]):
            left, right = self.course.get(key, by.never), other.get(key, by.never)
            if left is not right:
                here = by.disjoin(
                    by.conjoin(left, by.negate(right)), by.conjoin(right, by.negate(left))
                )
                found = by.disjoin(found, here)
        return found


def _find_refused(by: PlaceUnfolder[C, K, M], places: Iterable[UnfoldedOf[C, K, M]]) -> C:
    """Return when a tool refuses: a case that is refused where the model's is not has no answer."""
    conditions = (item.condition for part in places for item in part.refusals)
    return reduce(by.disjoin, conditions, by.never)


def _unfold(by: PlaceUnfolder[C, K, M]) -> tuple[UnfoldedOf[C, K, M], ...]:
    # A model with a mistake may read what nothing has worked out.
    by.begin_with_nothing()
    return tuple(by.unfold())


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

    def derive_notice(self, goal: Goal, condition: Expression | None = None) -> Notice:
        """Return which of the rows on which a goal occurs, or a condition holds, notice it."""
        condition = goal.condition if condition is None else condition
        found = [self._get_differences(wrong) for wrong in goal.wrong]
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
        found = map(self.comparison.derive_first_difference, goal.wrong)
        return reduce(build_disjunction, found, FALSE)

    def _get_differences(self, wrong: DomainModel) -> Differences[Expression]:
        if id(wrong) not in self.known:
            # The model is kept as well, so that no other gets its identity.
            self.known[id(wrong)] = wrong, self.comparison.compare(wrong)
        return self.known[id(wrong)][1]
