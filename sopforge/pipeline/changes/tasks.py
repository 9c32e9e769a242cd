"""What became of the tasks, by their ids, and of what they cover."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sopforge.language.domain.tasks import GoldCall, Task, read_tasks
from sopforge.language.domain.values.types import Json
from sopforge.workspace import COVERAGE, TASKS, TRAJECTORIES


@dataclass(frozen=True, slots=True)
class Cells:
    """What differs of a task's inputs or answers: the name, and the cells as they were and are."""

    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class TaskChange:
    """A task of both sides that is not the same; its text and split may differ alone.

    ``records`` are columns of records that hold something else at its end.
    """

    id: str
    inputs: tuple[Cells, ...]
    answers: tuple[Cells, ...]
    has_other_calls: bool
    is_reworded: bool
    split: tuple[str, str] | None
    records: tuple[Cells, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the coverage, as it was and as it is; None where a side does not have it."""

    name: str
    old: int | None
    new: int | None


@dataclass(frozen=True, slots=True)
class TaskChanges:
    """The tasks added, removed and changed, how many are as they were, and the coverage."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[TaskChange, ...] = ()
    kept: int = 0
    figures: tuple[Figure, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed or self.figures)

    @property
    def with_other_answers(self) -> tuple[TaskChange, ...]:
        """The tasks that have kept their ids and not their answers, or what is on file at the end.

        Both are scored.
        """
        return tuple(task for task in self.changed if task.answers or task.records)

    @property
    def with_other_inputs(self) -> tuple[TaskChange, ...]:
        """The tasks that have kept their ids and not what they state."""
        return tuple(task for task in self.changed if task.inputs)

    @property
    def with_other_calls(self) -> tuple[TaskChange, ...]:
        """The tasks whose gold trajectory is another one."""
        return tuple(task for task in self.changed if task.has_other_calls)


def compare_tasks(old: Mapping[str, str], new: Mapping[str, str]) -> TaskChanges:
    """Return what became of the tasks; nothing where a side has none."""
    if not all(name in files for name in (TASKS, TRAJECTORIES) for files in (old, new)):
        return TaskChanges()
    before, after = _index_tasks(old), _index_tasks(new)
    both = [name for name in before if name in after]
    changed = [part for name in both for part in _compare_task(before[name], after[name])]
    return TaskChanges(
        added=tuple(name for name in after if name not in before),
        removed=tuple(name for name in before if name not in after),
        changed=tuple(changed),
        kept=len(both) - len(changed),
        figures=_compare_figures(old.get(COVERAGE), new.get(COVERAGE)),
    )


def _index_tasks(files: Mapping[str, str]) -> dict[str, Task]:
    return {task.id: task for task in read_tasks(files[TASKS], files[TRAJECTORIES])}


def _compare_task(old: Task, new: Task) -> list[TaskChange]:
    answers = _compare_cells(
        {**old.outcomes, **old.intermediates}, {**new.outcomes, **new.intermediates}
    )
    change = TaskChange(
        id=new.id,
        inputs=_compare_cells(old.inputs, new.inputs),
        answers=answers,
        has_other_calls=_list_call_values(old.calls) != _list_call_values(new.calls),
        is_reworded=old.text != new.text,
        split=(old.split, new.split) if old.split != new.split else None,
        records=_compare_cells(_list_end_cells(old), _list_end_cells(new)),
    )
    is_same = change == TaskChange(
        new.id, (), (), has_other_calls=False, is_reworded=False, split=None
    )
    return [] if is_same else [change]


def _list_end_cells(task: Task) -> dict[str, str]:
    """Return what a task has changed on file at its end, by table, key and column."""
    return {
        f"{table} {key}, {column}": format_json_cell(value)
        for table, records in (task.end_state or {}).items()
        for key, columns in records.items()
        for column, value in columns.items()
    }


def format_json_cell(value: Json) -> str:
    """Return a value of an end state for people.

    >>> format_json_cell(True), format_json_cell(None), format_json_cell(2.5)
    ('yes', 'nothing', '2.5')
    """
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value)


def _compare_cells(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[Cells, ...]:
    return tuple(
        Cells(name, old.get(name, ""), new.get(name, ""))
        for name in {**old, **new}
        if old.get(name) != new.get(name)
    )


def _list_call_values(calls: tuple[GoldCall, ...]) -> list[object]:
    return [(call.tool, call.arguments, call.result, call.refusal) for call in calls]


def _compare_figures(old: str | None, new: str | None) -> tuple[Figure, ...]:
    """Return the figures of two reports on coverage that differ."""
    before, after = _read_counts(old), _read_counts(new)
    return tuple(
        Figure(name, before.get(name), after.get(name))
        for name in {**after, **before}
        if before.get(name) != after.get(name)
    )


def _read_counts(text: str | None) -> dict[str, int]:
    """Return the figures of a report; only its tasks where an older release counted otherwise."""
    if text is None:
        return {}
    report: dict[str, Any] = json.loads(text)
    counts = {
        f"{kind} {name.replace('_', ' ')}": number
        for kind in ("goals", "mutants")
        for name, number in report.get("counts", {}).get(kind, {}).get("all", {}).items()
    }
    return {"tasks": report["tasks"], **counts}
