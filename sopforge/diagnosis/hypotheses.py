"""What an agent may believe: the model with one mistake or several, and what follows from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from sopforge.dataset.mutants.about import About
from sopforge.dataset.mutants.expression_mistakes import format_constant
from sopforge.dataset.mutants.mutants import Mutant
from sopforge.dataset.oracle import answer_row
from sopforge.dataset.records import Row
from sopforge.diagnosis.merging import merge_models
from sopforge.dials.layering import list_mistakes
from sopforge.domain.language.expressions import Constant
from sopforge.domain.language.numbers import TypeRuleError
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import DateType, NumberType, require_integer
from sopforge.layers.distinguishing import find_distinguished
from sopforge.layers.own_rules import take_own_rules
from sopforge.layers.queue.memory import change_limits

Answer: TypeAlias = Mapping[str, str]
"""The outcomes of a task, as cells; one that is not stated is not in it."""
Answers: TypeAlias = Mapping[str, Answer]
"""Answers by tasks."""


_SHARES = (0.25, 0.5, 0.75, 0.9, 1.1, 1.25, 1.5, 2, 4)
_DAYS = (-365, -90, -30, -7, 7, 30, 90, 365)
"""Which other limits are tried: so many times the right one, and so many days from it."""


@dataclass(frozen=True, slots=True)
class Belief:
    """Mistakes that no task distinguishes, each with the model as somebody follows it who makes it.

    ``answers`` has the tasks at which his answer is wrong, and what it is.
    """

    readings: tuple[tuple[Mutant, DomainModel], ...]
    answers: Answers

    @property
    def id(self) -> str:
        """The first mistake, by its id."""
        return self.readings[0][0].id

    @property
    def model(self) -> DomainModel:
        """The model with the first mistake."""
        return self.readings[0][1]


def find_beliefs(model: DomainModel, rows: Mapping[str, Row]) -> list[Belief]:
    """Return the mistakes that some case shows, those together that no case distinguishes.

    They are those of the closed list, and limits that are farther off.
    """
    mistakes = [*list_mistakes(model), *_iterate_far_limits(model)]
    shown_at = find_distinguished(model, rows, [other for _, other in mistakes])
    alike: dict[tuple[object, ...], list[tuple[Mutant, DomainModel]]] = defaultdict(list)
    answers: dict[tuple[object, ...], Answers] = {}
    for (mutant, other), tasks in zip(mistakes, shown_at, strict=True):
        if tasks:
            found = answer_by(other, rows, sorted(tasks))
            key = tuple((task, *sorted(answer.items())) for task, answer in found.items())
            alike[key].append((mutant, other))
            answers[key] = found
    return [Belief(tuple(group), answers[key]) for key, group in alike.items()]


def _iterate_far_limits(model: DomainModel) -> Iterator[tuple[Mutant, DomainModel]]:
    """Yield models with limits of the policy that are far off; the nearest are on the list."""
    for name, item in model.policy.items():
        for value in _list_far_values(item.constant):
            try:
                other = take_own_rules(model, change_limits(model, [(name, value)]))
            except TypeRuleError:
                continue  # no number that the rules could work with
            if other != model:
                figure = model.policy[name].constant
                shown = format_constant(replace(figure, value=value))
                words = f"{name} of {shown}"
                yield Mutant(f"limit {name} {shown}", words, other, About.LIMIT, name), other


def _list_far_values(limit: Constant) -> list[int]:
    match limit.type:
        case NumberType():
            value = require_integer(limit.value)
            return list(
                dict.fromkeys(round(value * share) for share in _SHARES if value * share >= 0)
            )
        case DateType():
            return [require_integer(limit.value) + days for days in _DAYS]
        case _:
            return []


def answer_by(
    model: DomainModel, rows: Mapping[str, Row], tasks: Iterable[str]
) -> dict[str, Answer]:
    """Return what somebody answers at some tasks who follows a model."""
    return {task: answer_row(model, rows[task]) for task in tasks}


def answer_with_all(
    model: DomainModel, beliefs: Sequence[Belief], rows: Mapping[str, Row]
) -> dict[str, Answer]:
    """Return what somebody answers who makes all of some mistakes, where one of them shows.

    Raises:
        MergeConflictError: two of them are in the same place.
    """
    tasks = sorted({task for belief in beliefs for task in belief.answers})
    if len(beliefs) == 1:
        return dict(beliefs[0].answers)
    return answer_by(merge_models(model, [item.model for item in beliefs]), rows, tasks)
