"""An attempt at a task of our own packages, graded against the gold trajectory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel
from sopforge.domain.tasks import GOAL, Task
from sopforge.domain.values.types import ValueNotAllowedError
from sopforge.environment.events import TOOL_FAULT, UNKNOWN_TOOL, Called
from sopforge.evaluation.grading.grades import Attempt, Divergence, Grade, Stop
from sopforge.sandbox.answers import JSONValue, as_json
from sopforge.scoring.trajectories import is_equal, read_answer

Made: TypeAlias = tuple[str, dict[str, object], str]
"""A call: its tool, its arguments as values, and the code of its refusal."""


def grade_attempt(model: DomainModel, task: Task, attempt: Attempt) -> Grade:
    """Return the grade of an attempt at a task.

    A call of a tool that is another name of one counts as a call of that one; a call that was
    refused, and that the gold trajectory lacks, was corrected: it counts as refused alone.
    """
    stated = read_answer(attempt.answer or "")
    outcomes = {
        item.name: is_equal(item, task.outcomes[item.name], stated.get(item.name))
        for item in model.outcomes
    }
    called = [event for event in attempt.events if isinstance(event, Called)]
    made = [_resolve_call(model, event) for event in called]
    gold = [
        (call.tool, _read_arguments(model, call.arguments), call.refusal) for call in task.calls
    ]
    counted = [call for call in made if not call[2] or call in gold]
    tools, wanted = {call[0] for call in made}, {call[0] for call in gold}
    is_complete = attempt.stop is Stop.ANSWER and all(
        _is_value(item, stated.get(item.name)) for item in model.outcomes
    )
    is_right = is_complete and all(outcomes.values())
    return Grade(
        is_complete=is_complete,
        is_right=is_right,
        outcomes=outcomes,
        stated={name: value for name, value in stated.items() if name in model.fields},
        intermediates={
            item.name: is_equal(item, task.intermediates.get(item.name), stated.get(item.name))
            for item in model.intermediates
        },
        precision=_compute_share(len(tools & wanted), len(tools)),
        recall=_compute_share(len(tools & wanted), len(wanted)),
        parameters=_compute_parameter_share(gold, made),
        is_in_order=_is_subsequence(gold, counted),
        is_gold=counted == gold,
        calls=len(made),
        refused=sum(bool(call[2]) for call in made),
        unknown=sum(event.reply.refusal == UNKNOWN_TOOL for event in called),
        faults=sum(event.reply.refusal == TOOL_FAULT for event in called),
        redundant=len(made) - _count_distinct(made),
        beside=sum(call[0] not in wanted for call in made),
        divergence=find_divergence(gold, counted, is_right=is_right),
        path=task.path,
        goal=task.key.removeprefix(GOAL) if task.key.startswith(GOAL) else "",
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


def _resolve_call(model: DomainModel, event: Called) -> Made:
    """Return a call under the name by which the procedure knows the tool."""
    tool = model.tools.get(event.tool)
    name = tool.same_as or tool.name if tool else event.tool
    return name, _read_arguments(model, event.arguments), event.reply.refusal


def _read_arguments(model: DomainModel, given: Mapping[str, JSONValue]) -> dict[str, object]:
    """Return arguments as values of their fields, what is none of these as it was given."""
    return {name: _read_argument(model, name, value) for name, value in given.items()}


def _read_argument(model: DomainModel, name: str, value: JSONValue) -> object:
    if name in model.fields:
        with suppress(ValueNotAllowedError):
            return model.fields[name].parse(value)
    return as_json(value)


def _is_value(item: Field, cell: str | None) -> bool:
    """Return whether a cell is a value of a field."""
    try:
        item.parse(cell)
    except ValueNotAllowedError:
        return False
    return cell is not None


def _compute_share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _compute_parameter_share(gold: Sequence[Made], made: Sequence[Made]) -> float | None:
    """Return the share of gold parameters given right; a call stands for one gold call at most."""
    free = list(made)
    right = 0
    for call in gold:
        alike = [other for other in free if other[0] == call[0]]
        if alike:
            best = max(alike, key=lambda other: _count_equal(call, other))
            right += _count_equal(call, best)
            free.remove(best)
    return _compute_share(right, sum(len(arguments) for _, arguments, _ in gold))


def _count_equal(gold: Made, made: Made) -> int:
    return sum(name in made[1] and made[1][name] == value for name, value in gold[1].items())


def _is_subsequence(wanted: Sequence[Made], made: Sequence[Made]) -> bool:
    left = iter(made)
    return all(call in left for call in wanted)


def _count_distinct(made: Sequence[Made]) -> int:
    distinct: list[Made] = []
    for call in made:
        if call not in distinct:
            distinct.append(call)
    return len(distinct)
