"""The dataset's files: tasks with their trajectories, the tools' records, and the coverage."""

from __future__ import annotations

import json
from collections import Counter

from sopforge.dataset.candidates import Candidate
from sopforge.dataset.drawing import Draw
from sopforge.dataset.records import cells
from sopforge.domain.model import DomainModel
from sopforge.domain.tasks import GoldCall, Task
from sopforge.domain.types import Json
from sopforge.logic.tool_calls import Frame, Refused
from sopforge.logic.walking import ToolCall, outcomes


def as_task(model: DomainModel, candidate: Candidate) -> Task:
    """Return a candidate as a stored task."""
    return Task(
        id=candidate.id,
        key=candidate.key,
        inputs=cells(model, [item.name for item in model.inputs], candidate.row),
        outcomes=cells(
            model, [item.name for item in model.outcomes], outcomes(model, candidate.walk)
        ),
        path=tuple(candidate.walk.path),
        rules=dict(candidate.walk.rules),
        calls=tuple(gold_call(model, call) for call in candidate.walk.calls),
    )


def gold_call(model: DomainModel, call: ToolCall) -> GoldCall:
    """Return a call of a walk as plain JSON values."""
    arguments = as_json(model, call.arguments)
    if isinstance(call.result, Refused):
        return GoldCall(call.tool, arguments, {}, call.result.code)
    return GoldCall(call.tool, arguments, as_json(model, call.result))


def as_json(model: DomainModel, frame: Frame) -> dict[str, Json]:
    """Return values by field name as tools carry them."""
    return {name: model.fields[name].json(value) for name, value in frame.items()}


def _mutants(draw: Draw) -> dict[str, object]:
    """Return what became of the mutants: who kills them, and which cannot be told apart."""
    covering = draw.covering
    words = {goal.id: goal.words for goal in covering.mutants}
    unkilled = [name for name in covering.infeasible if name in words]
    return {
        "killed": {
            name: {"words": text, "tasks": list(draw.goals[name])}
            for name, text in words.items()
            if draw.goals[name]
        },
        "other_path_only": {name: words[name] for name in covering.other_paths},
        "equivalent": {
            name: f"{words[name]}: every case is decided alike (proved)"
            for name in unkilled
            if name not in covering.other_paths
        },
    }


def coverage_json(model: DomainModel, draw: Draw) -> str:
    """Return the goals with the tasks that meet them, and how the draw went."""
    primary, covering = model.primary, draw.covering
    words = {goal.id: goal.words for goal in (*covering.goals, *covering.mutants)}
    mutants = {goal.id for goal in covering.mutants}
    labels = Counter(primary.cell(task.walk.known.get(primary.name)) for task in draw.tasks)
    paths = Counter(" > ".join(task.walk.path) for task in draw.tasks)
    report = {
        "tasks": len(draw.tasks),
        "attempts": draw.attempts,
        "rejected": dict(sorted(draw.rejected.items())),
        "goals": {
            goal.id: {"words": goal.words, "tasks": list(draw.goals[goal.id])}
            for goal in covering.goals
            if draw.goals[goal.id]
        },
        "infeasible": {
            name: f"no row: {words[name]} (proved)"
            for name in covering.infeasible
            if name not in mutants
        },
        "undecided": {name: words[name] for name in covering.undecided},
        "mutants": _mutants(draw),
        "outcomes": dict(sorted(labels.items())),
        "paths": dict(sorted(paths.items())),
    }
    return json.dumps(report, indent=1, ensure_ascii=False) + "\n"
