"""The dataset's files: tasks with their trajectories, the tools' records, and the coverage."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from sopforge.dataset.candidates import Candidate
from sopforge.dataset.drawing import Draw
from sopforge.dataset.records import cells
from sopforge.dataset.splitting import split_of
from sopforge.dataset.task_texts import task_text
from sopforge.domain.model import DomainModel
from sopforge.domain.tasks import (
    GoldCall,
    Task,
    write_explanations,
    write_tasks,
    write_trajectories,
)
from sopforge.domain.types import Json
from sopforge.logic.explaining import Storyteller
from sopforge.logic.tool_calls import Frame, Refused
from sopforge.logic.walking import ToolCall, Walk, outcomes


def task_files(
    model: DomainModel, candidates: Iterable[Candidate], tasks: Sequence[Task]
) -> dict[str, str]:
    """Return the files that say something of each task, in order; ``tasks`` are the candidates."""
    teller = Storyteller(model)
    stories = {candidate.id: teller.tell(candidate.walk) for candidate in candidates}
    return {
        "tasks.jsonl": write_tasks(tasks),
        "trajectories.jsonl": write_trajectories(tasks),
        "explanations.jsonl": write_explanations(stories),
    }


def as_task(model: DomainModel, candidate: Candidate, dev_share: int) -> Task:
    """Return a candidate as a stored task."""
    walk = candidate.walk
    inputs = cells(model, [item.name for item in model.inputs], candidate.row)
    return Task(
        id=candidate.id,
        key=candidate.key,
        inputs=inputs,
        outcomes=cells(model, [item.name for item in model.outcomes], outcomes(model, walk)),
        path=tuple(walk.path),
        rules=dict(walk.rules),
        calls=tuple(gold_call(model, call) for call in walk.calls),
        text=task_text(model, candidate.id, inputs),
        split=split_of(candidate.id, dev_share),
        scored=scored_cells(model, walk),
    )


def scored_cells(model: DomainModel, walk: Walk) -> dict[str, str]:
    """Return the scored intermediate values that a walk came to."""
    reached = [item.name for item in model.scored if item.name in walk.known]
    return cells(model, reached, walk.known)


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
        "covering": len(covering.tasks),
        "rejected": dict(sorted(draw.rejected.items())),
        "spare": draw.spare,
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
        "control_paths": draw.paths.report({tuple(task.walk.path) for task in draw.tasks}),
        "mutants": _mutants(draw),
        "outcomes": dict(sorted(labels.items())),
        "paths": dict(sorted(paths.items())),
    }
    return json.dumps(report, indent=1, ensure_ascii=False) + "\n"
