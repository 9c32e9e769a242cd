"""The dataset's files: tasks with their trajectories, the tools' records, and the coverage."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping

from sopforge.dataset.drawing import Candidate, Draw
from sopforge.domain.model import DomainModel
from sopforge.domain.tasks import GoldCall, Task
from sopforge.domain.types import Json, Value
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
    """Return a call of a walk as plain JSON values; a gold call is never refused."""
    if isinstance(call.result, Refused):
        raise TypeError(f"the gold call of {call.tool} was refused: {call.result.code}")
    return GoldCall(call.tool, as_json(model, call.arguments), as_json(model, call.result))


def as_json(model: DomainModel, frame: Frame) -> dict[str, Json]:
    """Return values by field name as tools carry them."""
    return {name: model.fields[name].json(value) for name, value in frame.items()}


def cells(
    model: DomainModel, names: Iterable[str], row: Mapping[str, Value | None]
) -> dict[str, str]:
    """Return the cells of the named fields."""
    return {name: model.fields[name].cell(row[name]) for name in names}


def records_csv(model: DomainModel, candidates: Iterable[Candidate]) -> str:
    """Return the records that the tools read, without outcomes, ordered by their key.

    The order tells nothing about the tasks.
    """
    names = [item.name for item in model.record_fields]
    rows = [cells(model, names, candidate.row) for candidate in candidates]
    return csv_text(names, sorted(rows, key=lambda row: row[model.key]))


def csv_text(names: Iterable[str], rows: Iterable[Mapping[str, str]]) -> str:
    """Return rows as CSV with a header line and plain line ends."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(names), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()


def coverage_json(model: DomainModel, draw: Draw) -> str:
    """Return the goals with the tasks that meet them, and how the draw went."""
    primary = model.primary
    labels = Counter(primary.cell(task.walk.known.get(primary.name)) for task in draw.tasks)
    paths = Counter(" > ".join(task.walk.path) for task in draw.tasks)
    report = {
        "tasks": len(draw.tasks),
        "attempts": draw.attempts,
        "rejected": dict(sorted(draw.rejected.items())),
        "goals": {goal: list(ids) for goal, ids in draw.goals.items()},
        "not_met": [goal for goal, ids in draw.goals.items() if not ids],
        "outcomes": dict(sorted(labels.items())),
        "paths": dict(sorted(paths.items())),
    }
    return json.dumps(report, indent=1, ensure_ascii=False) + "\n"
