"""Sessions with known figures: gold, wrong, silent, stray, cut, idle and constant ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from sopforge.dataset.gold.order import is_acting
from sopforge.domain.model import DomainModel
from sopforge.domain.tasks import GoldCall, Task
from sopforge.domain.values.types import ValueNotAllowedError
from sopforge.environment.events import UNKNOWN_TOOL
from sopforge.scoring.agents import make_wrong_answer
from sopforge.scoring.trajectories import write_answer

Record: TypeAlias = dict[str, Any]
"""A line of a log, or figures that must stand in a row."""
NO_TOOL = "noSuchTool"
SURE = ("gold", "wrong", "silent")
"""The sessions that are right or wrong whether or not acts are asked for."""


def iterate_known_sessions(
    model: DomainModel, tasks: Sequence[Task]
) -> Iterator[tuple[str, list[Record], list[Record]]]:
    """Yield sessions on all tasks, by what they are called, with what must stand in their rows."""
    answers = {task.id: write_answer({**task.intermediates, **task.outcomes}) for task in tasks}
    gold = [make_gold_session(task, answers[task.id]) for task in tasks]
    rows = [_build_gold_row(model, task) for task in tasks]
    yield "gold", gold, rows
    missed = {"is_right": False, "outcomes": dict.fromkeys(_name_outcomes(model), False)}
    wrong = [_choose_wrong_cells(model, task) for task in tasks]
    yield (
        "wrong",
        [
            {**session, "answer": write_answer({**task.intermediates, **cells})}
            for task, session, cells in zip(tasks, gold, wrong, strict=True)
        ],
        [
            {
                **row,
                **missed,
                "is_complete": are_values(model, cells),
                "divergence": "wrong answer",
            }
            for row, cells in zip(rows, wrong, strict=True)
        ],
    )
    silent = [{**session, "answer": "", "events": []} for session in gold]
    yield "silent", silent, [{**_build_silent_row(task), **missed} for task in tasks]
    yield "stray", *_make_stray_sessions(model, gold, rows)
    cut = [{**session, "events": session["events"][1:]} for session in gold]
    yield "cut", cut, [_build_cut_row(model, task) for task in tasks]
    yield "idle", *_make_idle_sessions(model, gold)
    constant = Counter(tuple(task.outcomes.items()) for task in tasks).most_common(1)[0][0]
    said = write_answer(dict(constant))
    stated = [{**session, "answer": said, "events": []} for session in gold]
    right = [
        tuple(task.outcomes.items()) == constant and _needs_no_call(model, task.calls)
        for task in tasks
    ]
    yield "constant", stated, [{"is_complete": True, "is_right": is_right} for is_right in right]


def is_write(model: DomainModel, call: Mapping[str, Any]) -> bool:
    """Return whether a call of a log changed something, or could have."""
    return not call.get("refusal") and is_acting(model.offered, call["tool"])


def _needs_no_call(model: DomainModel, calls: Sequence[GoldCall]) -> bool:
    """Return whether right outcomes are enough without some gold calls."""
    if model.operations is not None:
        # Where calls change tables, what was not looked up was not checked.
        return not calls
    return not any(is_acting(model.offered, call.tool) for call in calls)


def _make_stray_sessions(
    model: DomainModel, gold: Sequence[Record], rows: Sequence[Record]
) -> tuple[list[Record], list[Record]]:
    """Return sessions in which a tool was called that is none, and the last call made twice."""
    made: list[Record] = []
    wanted: list[Record] = []
    stray = {"tool": NO_TOOL, "arguments": {}, "refusal": UNKNOWN_TOOL, "message": ""}
    for session, row in zip(gold, rows, strict=True):
        events = session["events"]
        again = events[-1:]
        tools = {event["tool"] for event in events}
        made.append({**session, "events": [stray, *events, *again]})
        wanted.append(
            {
                **row,
                "is_right": not any(is_write(model, event) for event in again),
                "precision": len(tools) / (len(tools) + 1),
                "calls": len(events) + len(again) + 1,
                "refused": row["refused"] + 1 + sum("refusal" in event for event in again),
                "unknown": 1,
                "redundant": row["redundant"] + len(again),
                "beside": 1,
                "is_gold": not again,
                "divergence": "further call" if again else "none",
            }
        )
    return made, wanted


def _make_idle_sessions(
    model: DomainModel, gold: Sequence[Record]
) -> tuple[list[Record], list[Record]]:
    """Return sessions in which nothing was done, and all that is right was stated."""
    made: list[Record] = []
    wanted: list[Record] = []
    for session in gold:
        events = [
            event for event in session["events"] if not is_acting(model.offered, event["tool"])
        ]
        made.append({**session, "events": events})
        wanted.append({"is_complete": True, "is_right": len(events) == len(session["events"])})
    return made, wanted


def _build_gold_row(model: DomainModel, task: Task) -> Record:
    calls = task.calls
    has_parameters = any(call.arguments for call in calls)
    made = [(call.tool, call.arguments, call.refusal) for call in calls]
    return {
        "is_complete": True,
        "is_right": True,
        "outcomes": dict.fromkeys(_name_outcomes(model), True),
        "intermediates": dict.fromkeys((item.name for item in model.intermediates), True),
        "precision": 1.0 if calls else None,
        "recall": 1.0 if calls else None,
        "parameters": 1.0 if has_parameters else None,
        "is_in_order": True,
        "is_gold": True,
        "calls": len(calls),
        "refused": sum(bool(call.refusal) for call in task.calls),
        "unknown": 0,
        "faults": 0,
        # What a call returned is left aside: after an action, an equal call may return another.
        "redundant": sum(call in made[:place] for place, call in enumerate(made)),
        "beside": 0,
        "divergence": "none",
    }


def _build_silent_row(task: Task) -> Record:
    return {
        "is_complete": False,
        "precision": None,
        "recall": 0.0 if task.calls else None,
        "is_gold": not task.calls,
        "calls": 0,
        "divergence": "early stop" if task.calls else "wrong answer",
    }


def _build_cut_row(model: DomainModel, task: Task) -> Record:
    """Return what must stand in the row of a session that lacks the first gold call."""
    wanted = {call.tool for call in task.calls}
    tools = {call.tool for call in task.calls[1:]}
    return {
        "is_complete": True,
        "is_right": _needs_no_call(model, task.calls[:1]),
        "precision": 1.0 if tools else None,
        "recall": len(tools) / len(wanted) if wanted else None,
        "is_in_order": not wanted,
        "is_gold": not wanted,
        "calls": len(task.calls[1:]),
    }


def make_gold_session(task: Task, answer: str) -> Record:
    """Return the log of a session with the gold calls; refusals are without words."""
    events = [
        {"tool": call.tool, "arguments": dict(call.arguments), **describe_gold_reply(call)}
        for call in task.calls
    ]
    return {"task": task.id, "seed": 0, "answer": answer, "events": events}


def describe_gold_reply(call: GoldCall) -> Record:
    """Return what a gold call is answered, a refusal without its words."""
    return {"refusal": call.refusal} if call.refusal else {"result": dict(call.result)}


def drop_words(reply: Mapping[str, object]) -> Record:
    """Return a reply without the words of a refusal."""
    return {name: value for name, value in reply.items() if name != "message"}


def drop_log_words(log: Record) -> Record:
    """Return a line of a log without the words of refusals."""
    return {**log, "events": [drop_words(event) for event in log.get("events", ())]}


def _choose_wrong_cells(model: DomainModel, task: Task) -> dict[str, str]:
    """Return another value for every outcome."""
    return {
        name: make_wrong_answer(model.fields[name], cell) for name, cell in task.outcomes.items()
    }


def are_values(model: DomainModel, cells: Mapping[str, str]) -> bool:
    """Return whether each cell is a value of its field."""
    try:
        for name, cell in cells.items():
            model.fields[name].parse(cell)
    except ValueNotAllowedError:
        return False
    return True


def _name_outcomes(model: DomainModel) -> list[str]:
    return [item.name for item in model.outcomes]
