"""The dataset's files: tasks with their trajectories, the tools' records, and the coverage."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import (
    Changes,
    GoldCall,
    Task,
    write_explanations,
    write_tasks,
    write_trajectories,
)
from sopforge.language.domain.values.types import Json
from sopforge.language.logic.explaining import Storyteller
from sopforge.language.logic.tool_calls import Frame, Refused
from sopforge.language.logic.walking import ToolCall, Walk, collect_outcomes
from sopforge.proof.dataset.coverage.coverage import Coverage, as_report
from sopforge.proof.dataset.coverage.drawing import Draw
from sopforge.proof.dataset.gold.deciders import describe_decider
from sopforge.proof.dataset.gold.minimal import find_minimal_calls
from sopforge.proof.dataset.gold.order import derive_walk_needs
from sopforge.proof.dataset.records import as_json, format_cells
from sopforge.proof.dataset.sampling.candidates import FILL, Candidate
from sopforge.proof.dataset.tasks.splitting import choose_split
from sopforge.proof.dataset.tasks.task_texts import render_task_text
from sopforge.proof.dataset.tasks.told_texts import state_cells


@dataclass(frozen=True, slots=True)
class DrawFigures:
    """How a draw went: rows tried and rejected, tasks for goals, and what is known of the paths."""

    attempts: int
    covering: int
    rejected: Mapping[str, int]
    control_paths: Mapping[str, object]
    pairs: Mapping[str, object] | None = None


def render_task_files(
    model: DomainModel, candidates: Iterable[Candidate], tasks: Sequence[Task]
) -> dict[str, str]:
    """Return the files that say something of each task, in order; ``tasks`` are the candidates."""
    teller = Storyteller(model)
    stories = {candidate.id: teller.explain_walk(candidate.walk) for candidate in candidates}
    return {
        "tasks.jsonl": write_tasks(tasks),
        "trajectories.jsonl": write_trajectories(tasks),
        "explanations.jsonl": write_explanations(stories),
    }


def as_task(model: DomainModel, candidate: Candidate, dev_share: int) -> Task:
    """Return a candidate as a stored task."""
    walk = candidate.walk
    inputs = state_cells(model, candidate.row)
    return Task(
        id=candidate.id,
        key=candidate.key,
        inputs=inputs,
        outcomes=format_cells(
            model, [item.name for item in model.outcomes], collect_outcomes(model, walk)
        ),
        path=tuple(walk.path),
        rules=dict(walk.rules),
        calls=make_gold_calls(model, candidate.row, walk),
        text=render_task_text(model, candidate.id, inputs),
        split=choose_split(candidate.id, dev_share),
        intermediates=format_intermediates(model, walk),
        end_state=describe_end_state(model, candidate.row, walk),
        pair=candidate.pair,
        decided_by=(
            None if model.operations is None else describe_decider(model, candidate.row, walk)
        ),
    )


def describe_end_state(model: DomainModel, row: Frame, walk: Walk) -> Changes | None:
    """Return what a case has changed in the tables, None where there are none."""
    if model.operations is None:
        return None
    found: dict[str, dict[str, dict[str, Json]]] = {}
    for name in walk.changed:
        item, owner = model.fields[name], model.find_owner(name)
        if owner is not None and owner.table:
            records = found.setdefault(owner.table, {})
            record = records.setdefault(str(row[owner.key]), {})
            record[item.column] = item.as_json(walk.changed[name])
    return sort_changes(found)


def sort_changes(changes: Changes) -> Changes:
    """Return changes in the order of tables, keys and columns."""
    return {
        table: {key: dict(sorted(columns.items())) for key, columns in sorted(records.items())}
        for table, records in sorted(changes.items())
    }


def format_intermediates(model: DomainModel, walk: Walk) -> dict[str, str]:
    """Return the scored intermediate values that a walk came to."""
    reached = [item.name for item in model.intermediates if item.name in walk.known]
    return format_cells(model, reached, walk.known)


def make_gold_calls(model: DomainModel, row: Frame, walk: Walk) -> tuple[GoldCall, ...]:
    """Return the calls of a walk; where records change, what each needs, and which are needed."""
    calls = tuple(make_gold_call(model, call) for call in walk.calls)
    if model.operations is None:
        return calls
    needs, minimal = derive_walk_needs(model, walk), find_minimal_calls(model, row, walk)
    return tuple(
        replace(call, needs=tuple(sorted(needs[place])), is_minimal=place in minimal)
        for place, call in enumerate(calls)
    )


def make_gold_call(model: DomainModel, call: ToolCall) -> GoldCall:
    """Return a call of a walk as plain JSON values."""
    tool = model.tools[call.tool]
    given = as_json(model, call.arguments)
    arguments = {name: given[actual] for name, actual in tool.parameters.items()}
    if isinstance(call.result, Refused):
        return GoldCall(tool.offered_name, arguments, {}, call.result.code)
    results = as_json(model, call.result)
    named = {tool.results[name]: value for name, value in results.items()}
    return GoldCall(tool.offered_name, arguments, named)


def render_coverage_json(model: DomainModel, draw: Draw, coverage: Coverage) -> str:
    """Return the goals with the tasks that meet them, and how the draw went."""
    pairs = None if draw.paired is None else draw.paired.as_report()
    went = DrawFigures(draw.attempts, draw.covering.own, draw.rejected, draw.path_report, pairs)
    return write_coverage(model, draw.tasks, coverage, went)


def write_coverage(
    model: DomainModel, tasks: Sequence[Candidate], coverage: Coverage, went: DrawFigures
) -> str:
    """Return ``coverage.json``; rows are spare that could be tasks where there are enough."""
    filling = [task for task in tasks if task.key.startswith(FILL)]
    report = {
        "primary": model.primary.name,
        "tasks": len(tasks),
        "attempts": went.attempts,
        "covering": went.covering,
        "rejected": dict(sorted(went.rejected.items())),
        "spare": went.attempts - len(filling) - sum(went.rejected.values()),
        **as_report(coverage),
        "control_paths": went.control_paths,
        **({"pairs": went.pairs} if went.pairs is not None else {}),
        **_count_mix(model, tasks),
        "filling": {"tasks": len(filling), **_count_mix(model, filling)},
    }
    return json.dumps(report, indent=1, ensure_ascii=False) + "\n"


def _count_mix(model: DomainModel, tasks: Sequence[Candidate]) -> dict[str, object]:
    """Return how many of the tasks have each answer, and how many take each path."""
    primary = model.primary
    labels = Counter(primary.format_cell(task.walk.known.get(primary.name)) for task in tasks)
    paths = Counter(" > ".join(task.walk.path) for task in tasks)
    return {"outcomes": dict(sorted(labels.items())), "paths": dict(sorted(paths.items()))}
