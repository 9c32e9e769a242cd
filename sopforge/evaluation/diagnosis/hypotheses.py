"""What an agent may believe: the model with one mistake or several, and what follows from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.evaluation.diagnosis.figures import Mistaken, list_figures
from sopforge.evaluation.diagnosis.merging import merge_models
from sopforge.harness.layers.own_rules import list_mistakes
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.distinguishing import AnswerFinder
from sopforge.proof.dataset.oracle import answer_row
from sopforge.proof.dataset.records import Row

Answer: TypeAlias = Mapping[str, str]
"""The outcomes of a task, as cells; one that is not stated is not in it."""
Answers: TypeAlias = Mapping[str, Answer]
"""Answers by tasks."""


@dataclass(frozen=True, slots=True)
class Belief:
    """Mistakes that no task distinguishes, each with the model as somebody follows it who makes it.

    ``answers`` has the tasks at which his answer is wrong, and what it is.
    """

    readings: tuple[Mistaken, ...]
    answers: Answers

    @property
    def id(self) -> str:
        """The first mistake, by its id."""
        return self.readings[0].mutant.id

    @property
    def words(self) -> tuple[str, ...]:
        """The mistakes in words; of a figure with several values, the lowest and the highest."""
        values: dict[str, list[Mistaken]] = defaultdict(list)
        for item in self.readings:
            values[item.figure.name if item.figure else item.mutant.words].append(item)
        return tuple(dict.fromkeys(_phrase_values(group) for group in values.values()))

    @property
    def model(self) -> DomainModel:
        """The model with the first mistake."""
        return self.readings[0].model


def _phrase_values(readings: Sequence[Mistaken]) -> str:
    low, high = (
        choose(readings, key=lambda item: item.value).mutant.words for choose in (min, max)
    )
    figure = readings[0].figure
    if figure is None or low == high:
        return low
    return f"{low} to {high.removeprefix(figure.words).strip()}"


def find_beliefs(model: DomainModel, rows: Mapping[str, Row]) -> list[Belief]:
    """Return the mistakes that some case shows, those together that no case distinguishes.

    They are those of the closed list, and figures that are taken for farther ones.
    """
    figures = list_figures(model)
    far = (item.take_for(value) for item in figures for value in item.list_far_values())
    mistakes = [Mistaken(mutant, other) for mutant, other in list_mistakes(model)]
    finder = AnswerFinder(model, rows)
    return group_mistakes(finder, [*mistakes, *(item for item in far if item is not None)])


def group_mistakes(finder: AnswerFinder, mistakes: Iterable[Mistaken]) -> list[Belief]:
    """Return the mistakes that some case shows, those together that no case distinguishes."""
    alike: dict[tuple[object, ...], list[Mistaken]] = defaultdict(list)
    answers: dict[tuple[object, ...], Answers] = {}
    for mistake in mistakes:
        if found := finder.find(mistake.model):
            key = tuple((task, *sorted(found[task].items())) for task in sorted(found))
            alike[key].append(mistake)
            answers[key] = found
    return [Belief(tuple(group), answers[key]) for key, group in alike.items()]


def answer_by(
    model: DomainModel, rows: Mapping[str, Row], tasks: Iterable[str]
) -> dict[str, Answer]:
    """Return what somebody answers at some tasks who follows a model."""
    return {task: answer_row(model, rows[task]) for task in tasks}


def answer_with_all(finder: AnswerFinder, beliefs: Sequence[Belief]) -> Answers:
    """Return what somebody answers who makes all of some mistakes, where that is not right.

    Raises:
        MergeConflictError: two of them are in the same place.
    """
    if len(beliefs) == 1:
        return beliefs[0].answers
    found = finder.find(merge_models(finder.model, [item.model for item in beliefs]))
    return dict(sorted(found.items()))
