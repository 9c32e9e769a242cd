"""A model compared with others that differ from it in a place, such as by a mistake.

All are unfolded alike, into conditions for the solver or over the columns of given rows: what they
share is one object, which is worked out once and compared with nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Generic, TypeAlias

from sopforge.language.domain.model import DomainModel
from sopforge.proof.solving.comparing.first_differences import (
    compare_conditions,
    derive_first_difference,
)
from sopforge.proof.solving.places import C, K, M, UnfoldedOf
from sopforge.proof.solving.unfolded_places import Parts, PlaceUnfolder, TooManyStepsError
from sopforge.proof.solving.unfolding import list_answers

END = "at the end: "
Course: TypeAlias = tuple[PlaceUnfolder[C, K, M], tuple[UnfoldedOf[C, K, M], ...]]


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

    @cached_property
    def answers(self) -> dict[str, K]:
        """All that is scored of the model."""
        return self.collect_answers(self.sound, self.places)

    @cached_property
    def course(self) -> dict[object, C]:
        """When a case of the model comes to each place and takes each edge."""
        return self.derive_course(self.places)

    def compare(self, wrong: DomainModel) -> Differences[C]:
        """Return when a model with a mistake differs."""
        try:
            by, places = self.unfold_beside(wrong)
        except TooManyStepsError:
            never = self.sound.never
            return Differences(never, never, never, is_whole=False)
        apart = self._find_apart(by, self.collect_answers(by, places))
        refused = _find_refused(by, places)
        return Differences(
            by.disjoin(apart.get(self.model.primary.name, by.never), refused),
            by.disjoin(reduce(by.disjoin, apart.values(), by.never), refused),
            compare_conditions(self.course, self.derive_course(places), by),
        )

    def answer(self, wrong: DomainModel) -> OtherAnswers[C, K]:
        """Return what a model with a mistake answers."""
        by, places = self.unfold_beside(wrong)
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

    def unfold_beside(self, wrong: DomainModel) -> Course[C, K, M]:
        """Return a model with a mistake unfolded: its unfolder, and the places.

        Raises:
            TooManyStepsError: the back edges unroll into too many steps.
        """
        by = self.begin_beside(wrong)
        return by, _unfold(by)

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


def _find_refused(by: PlaceUnfolder[C, K, M], places: Iterable[UnfoldedOf[C, K, M]]) -> C:
    """Return when a tool refuses: a case that is refused where the model's is not has no answer."""
    conditions = (item.condition for part in places for item in part.refusals)
    return reduce(by.disjoin, conditions, by.never)


def _unfold(by: PlaceUnfolder[C, K, M]) -> tuple[UnfoldedOf[C, K, M], ...]:
    # A model with a mistake may read what nothing has worked out.
    by.begin_with_nothing()
    return tuple(by.unfold())
