"""An attempt at a task of our own packages, graded against the gold trajectory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel
from sopforge.domain.tasks import GOAL, Task
from sopforge.domain.values.types import ValueNotAllowedError
from sopforge.environment.events import TOOL_FAULT, UNKNOWN_TOOL, Called, Said
from sopforge.grading.calls import Made, resolve_tool
from sopforge.grading.first_divergence import (
    FirstDivergence,
    Followed,
    Stated,
    find_first_divergence,
)
from sopforge.grading.grades import Attempt, Divergence, DivergenceKind, Grade, Stop
from sopforge.grading.sessions import SessionJudge
from sopforge.grading.sources import list_fabrications
from sopforge.scoring.trajectories import is_equal, read_answer


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
    stated = read_answer(attempt.answer or "")
    outcomes = {
        item.name: is_equal(item, task.outcomes[item.name], stated.get(item.name))
        for item in model.outcomes
    }
    intermediates = {
        item.name: is_equal(item, task.intermediates.get(item.name), stated.get(item.name))
        for item in model.intermediates
    }
    called = [event for event in attempt.events if isinstance(event, Called)]
    heard = [event.reply for event in attempt.events if isinstance(event, Said)]
    fabricated = (
        [] if is_brief else list_fabrications(model, task, called, stated, filter(None, heard))
    )
    followed = Followed(model, task, called, fabricated)
    made, gold = followed.made, followed.gold
    counted = [call for call in made if not call[2] or call in gold]
    tools, wanted = {call[0] for call in made}, {call[0] for call in gold}
    is_complete = attempt.stop is Stop.ANSWER and all(
        _is_value(item, stated.get(item.name)) for item in model.outcomes
    )
    has_right_outcomes = is_complete and all(outcomes.values())
    session = None
    has_acted_right = followed.has_acted_right
    if judge is not None:
        session = judge.judge(
            task,
            attempt.events,
            attempt.answer or "",
            is_checked=followed.is_in_needed_order,
            is_right=has_right_outcomes,
        )
        # The parts say it too, and more: when calls were made, and what that led to.
        has_acted_right = all(session.values())
    is_right = has_right_outcomes and has_acted_right
    first = FirstDivergence(DivergenceKind.NONE)
    if not is_brief:
        judged = _judge_stated(model, stated, {**outcomes, **intermediates})
        first = find_first_divergence(followed, judged, attempt, is_right=is_right)
    return Grade(
        is_complete=is_complete,
        is_right=is_right,
        outcomes=outcomes,
        stated={name: value for name, value in stated.items() if name in model.fields},
        intermediates=intermediates,
        precision=compute_share(len(tools & wanted), len(tools)),
        recall=compute_share(len(tools & wanted), len(wanted)),
        parameters=compute_parameter_share(gold, made),
        is_in_order=is_subsequence(gold, counted),
        is_gold=counted == gold,
        calls=len(made),
        refused=sum(bool(call[2]) for call in made),
        unknown=sum(event.reply.refusal == UNKNOWN_TOOL for event in called),
        faults=sum(event.reply.refusal == TOOL_FAULT for event in called),
        redundant=len(made) - count_distinct(made),
        beside=sum(call[0] not in wanted for call in made),
        divergence=find_divergence(gold, counted, is_right=is_right),
        path=task.path,
        goal=task.key.removeprefix(GOAL) if task.key.startswith(GOAL) else "",
        expected=task.outcomes,
        is_in_needed_order=followed.is_in_needed_order,
        distractors=_count_distractors(model, called),
        fabricated=tuple(item.place for item in fabricated),
        divergence_kind=first.kind,
        divergence_at=first.at,
        divergence_says=first.says,
        session=session,
        pair=task.pair,
    )


def find_divergence(gold: Sequence[Made], made: Sequence[Made], *, is_right: bool) -> Divergence:
    """Return where calls leave the gold ones first, those that were corrected left out."""
    for place, call in enumerate(gold):
        if place == len(made):
            return Divergence.EARLY_STOP
        if made[place][0] != call[0]:
            return Divergence.WRONG_TOOL
        if made[place] != call:
            return Divergence.WRONG_PARAMETER
    if len(made) > len(gold):
        return Divergence.FURTHER_CALL
    return Divergence.NONE if is_right else Divergence.WRONG_ANSWER


def _judge_stated(
    model: DomainModel, stated: Mapping[str, str], right: Mapping[str, bool]
) -> Stated:
    asked = (*model.outcomes, *model.intermediates)
    values = {item.name for item in asked if _is_value(item, stated.get(item.name))}
    missing = {item.name for item in asked if item.name in values and _is_missing(item, stated)}
    return Stated(stated, {name for name in right if right[name]}, values, missing)


def _is_missing(item: Field, stated: Mapping[str, str]) -> bool:
    return item.parse(stated[item.name]) is None


def _count_distractors(model: DomainModel, called: Sequence[Called]) -> int:
    """Return how many calls are of tools that are offered and that no step calls."""
    offered = [event.tool for event in called if event.tool in model.tools]
    return sum(resolve_tool(model, tool) not in model.called for tool in offered)


def _is_value(item: Field, cell: str | None) -> bool:
    """Return whether a cell is a value of a field."""
    try:
        item.parse(cell)
    except ValueNotAllowedError:
        return False
    return cell is not None


def compute_share(part: int, whole: int) -> float | None:
    """Return a share, None of nothing."""
    return part / whole if whole else None


def compute_parameter_share(gold: Sequence[Made], made: Sequence[Made]) -> float | None:
    """Return the share of gold parameters given right; a call stands for one gold call at most."""
    free = list(made)
    right = 0
    for call in gold:
        alike = [other for other in free if other[0] == call[0]]
        if alike:
            best = max(alike, key=lambda other: _count_equal(call, other))
            right += _count_equal(call, best)
            free.remove(best)
    return compute_share(right, sum(len(arguments) for _, arguments, _ in gold))


def _count_equal(gold: Made, made: Made) -> int:
    return sum(name in made[1] and made[1][name] == value for name, value in gold[1].items())


def is_subsequence(wanted: Sequence[Made], made: Sequence[Made]) -> bool:
    """Return whether all wanted calls were made, in their order and whatever is between them."""
    left = iter(made)
    return all(call in left for call in wanted)


def count_distinct(made: Sequence[Made]) -> int:
    """Return how many calls are left when of equal ones one is."""
    distinct: list[Made] = []
    for call in made:
        if call not in distinct:
            distinct.append(call)
    return len(distinct)
