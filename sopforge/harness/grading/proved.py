"""An attempt at a task of our own packages, graded against the gold trajectory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sopforge.harness.environment.events import Called, Said
from sopforge.harness.grading.calls import make_gold, make_terms, resolve_call
from sopforge.harness.grading.first_divergence import (
    FirstDivergence,
    Followed,
    Stated,
    find_first_divergence,
)
from sopforge.harness.grading.grades import Attempt, Divergence, DivergenceKind, Grade, Stop
from sopforge.harness.grading.sources import list_fabrications
from sopforge.harness.grading.tables import SessionJudge
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import GOAL, Task
from sopforge.session import score
from sopforge.session.score import Terms


def grade_attempt(
    model: DomainModel,
    task: Task,
    attempt: Attempt,
    judge: SessionJudge | None = None,
    *,
    is_brief: bool = False,
) -> Grade:
    """Return the grade of an attempt at a task; ``judge`` judges what it did to tables.

    Without tables, right outcomes are right where just the gold calls that act were made.

    One that ``is_brief`` says what is right, and not where values come from, nor what is wrong
    first.

    A call of a tool that is another name of one counts as a call of that one; a call that was
    refused, and that the gold trajectory lacks, was corrected: it counts as refused alone.
    """
    called = [event for event in attempt.events if isinstance(event, Called)]
    said = [event for event in attempt.events if isinstance(event, Said)]
    terms = make_terms(model, None if judge is None else judge.plain_secrets)
    gold = make_gold(model, terms, task)
    made = [resolve_call(terms, event) for event in called]
    figures = terms.grade(
        gold,
        score.Attempt(
            made,
            [event.text for event in said],
            attempt.answer or "",
            attempt.stop is Stop.ANSWER,
            None if judge is None else judge.compute_end_state(called),
        ),
    )
    divergence = Divergence(figures.pop("divergence"))
    stated = score.read_answer(attempt.answer or "")
    heard = [event.reply for event in said if event.reply]
    fabricated = [] if is_brief else list_fabrications(model, task, called, stated, heard)
    followed = Followed(model, task, called, gold, made, fabricated)
    first = FirstDivergence(DivergenceKind.NONE)
    if not is_brief:
        judged = _judge_stated(terms, stated, figures)
        first = find_first_divergence(followed, judged, attempt, is_right=figures["is_right"])
    return Grade(
        **{"pair": task.pair, **figures},
        divergence=divergence,
        path=task.path,
        goal=task.key.removeprefix(GOAL) if task.key.startswith(GOAL) else "",
        expected=task.outcomes,
        is_in_needed_order=followed.is_in_needed_order,
        distractors=_count_distractors(model, called),
        fabricated=tuple(item.place for item in fabricated),
        divergence_kind=first.kind,
        divergence_at=first.at,
        divergence_says=first.says,
    )


def _judge_stated(terms: Terms, stated: Mapping[str, str], figures: Mapping[str, Any]) -> Stated:
    stated = terms.complete(stated)
    right = {**figures["outcomes"], **figures["intermediates"]}
    values = {name for name in right if score.is_value(terms.readers[name], stated.get(name))}
    missing = {name for name in values if terms.readers[name](stated[name]) is None}
    return Stated(stated, {name for name in right if right[name]}, values, missing)


def _count_distractors(model: DomainModel, called: Sequence[Called]) -> int:
    """Return how many calls are of tools that are offered and that no step calls."""
    offered = [model.tools[event.tool] for event in called if event.tool in model.tools]
    return sum((tool.same_as or tool.name) not in model.called for tool in offered)
