"""What a published dataset says of itself, made again from its tasks, its records and the model.

Nothing is drawn or proved: which rows were tasks, and what was found about goals that no task
shows, is taken from what is stored.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeAlias

from sopforge.dataset.candidates import FILL, GOAL, Candidate, task_id
from sopforge.dataset.coverage import Coverage, judged, read_coverage
from sopforge.dataset.coverage_text import coverage_text
from sopforge.dataset.covering import Covering, with_other_paths
from sopforge.dataset.drawing import goals_met
from sopforge.dataset.goal_rows import GoalRows
from sopforge.dataset.goals import goals_of
from sopforge.dataset.mutants import mutant_goals, mutants_of
from sopforge.dataset.placing import Places, numbers_of
from sopforge.dataset.records import Row, read_records
from sopforge.dataset.rows import DrawnRow
from sopforge.dataset.writing import DrawFigures, write_coverage
from sopforge.dataset.written_rows import WRITTEN
from sopforge.domain.malformed import is_malformed
from sopforge.domain.model import DomainModel
from sopforge.domain.tasks import Task
from sopforge.errors import Fault, MaterialError
from sopforge.logic.stated import malformed_text, marks_of
from sopforge.solving.unfolding import TooManyStepsError, unfold

_Shown: TypeAlias = Mapping[str, tuple[str, ...]]


def rows_again(
    model: DomainModel, records: Mapping[str, str], tasks: Sequence[Task]
) -> list[DrawnRow]:
    """Return the rows behind stored tasks: what each states, and what the records hold of it.

    The records may be those of a harder level, which hold further fields of the model, and others.

    Raises:
        MaterialError: a task has no record.
        ValueNotAllowedError: a cell is no value of its field.
    """
    found = read_records(model, records, lambda _, text: _read(model, text))
    meant = _meant(model, found)
    rows = []
    for task in tasks:
        given = _parsed(model, task.inputs)
        stated = str(given[model.key])
        key = stated if stated in found else meant.get(stated)
        if key is None:
            raise MaterialError(Fault("record-missing", f"{task.id} has no record", "records.csv"))
        # What a record holds is what was meant, where the task states it malformed.
        row = {**given, **found[key], **marks_of(model, given)}
        rows.append(DrawnRow(task.key, _number(task, len(tasks)), row))
    return rows


def recounted(model: DomainModel, text: str, tasks: Sequence[Candidate]) -> tuple[str, str]:
    """Return ``coverage.json`` and ``coverage.md`` as the tasks bear them out.

    From ``text``, the coverage as stored, come the proofs, and how the draw went.
    """
    told, report = read_coverage(text), json.loads(text)
    covering = _covering(model, told, tasks)
    goals = (*covering.goals, *covering.mutants)
    met = _agreed(model, tasks, goals_met(model, goals, _counted(model, tasks)), _told(told))
    coverage = judged(covering, met, _proofs(told))
    went = DrawFigures(
        report["attempts"], covering.own, report["rejected"], report["control_paths"]
    )
    filling = sum(task.key.startswith((FILL, WRITTEN)) for task in tasks)
    return write_coverage(model, tasks, coverage, went), coverage_text(
        model.title, len(tasks), len(tasks) - filling, coverage, went.control_paths
    )


def _read(model: DomainModel, text: str) -> Iterator[Row]:
    """Return the rows of a CSV file, with each column that is a field of the model."""
    return (_parsed(model, row) for row in csv.DictReader(io.StringIO(text)))


def _parsed(model: DomainModel, cells: Mapping[str, str]) -> Row:
    return {name: model.fields[name].parse(cells[name]) for name in cells if name in model.fields}


def _meant(model: DomainModel, keys: Iterable[str]) -> dict[str, str]:
    """Return the keys of records by the malformed texts in which tasks may state them."""
    item = model.fields[model.key]
    return {malformed_text(item, key): key for key in keys} if item.malformed else {}


def _number(task: Task, tasks: int) -> int:
    """Return the number of a task's row; one that its id does not bear out where there is none."""
    if task.key.startswith(FILL):
        return int(task.key.removeprefix(FILL))
    # A goal's row stands behind its own place only where that of another goal stood in it.
    numbers = list(islice(numbers_of(task.key.removeprefix(GOAL)), tasks))
    return next((number for number in numbers if task_id(number) == task.id), numbers[0])


def _covering(model: DomainModel, told: Coverage, tasks: Sequence[Candidate]) -> Covering:
    """Return the goals of a model, with what was told of those that no task shows."""
    rows = GoalRows(model, Places(model, 0))
    try:
        places = unfold(model)
    except TooManyStepsError:
        return Covering(rows)
    mutants = list(mutants_of(model))
    goals, kills = goals_of(model, places), tuple(mutant_goals(model, places, mutants))
    by_key = {task.key: task for task in tasks}
    names = (f"{GOAL}{goal.id}" for goal in (*goals, *kills))
    given = [task for task in tasks if task.key.startswith(WRITTEN)]
    given.sort(key=lambda task: int(task.key.removeprefix(WRITTEN)))
    own = [*given, *(by_key[name] for name in names if name in by_key)]
    unkilled = {*told.mutants.equivalent, *told.mutants.other_path_only}
    return Covering(
        rows,
        goals,
        kills,
        own,
        infeasible=[*told.infeasible, *unkilled],
        undecided=[*told.undecided, *told.mutants.undecided],
        other_paths=_agreed(
            model,
            own,
            with_other_paths(_counted(model, own), mutants, unkilled),
            {name: goal.tasks for name, goal in told.mutants.other_path_only.items()},
        ),
        reasons=dict(_reasons(told)),
    )


def _lost(model: DomainModel, task: Candidate) -> set[str]:
    """Return the malformed inputs of which no record holds what was meant."""
    items = [model.fields[name] for name in task.row if name in model.fields]
    return {item.name for item in items if is_malformed(item.type, task.row[item.name])}


def _counted(model: DomainModel, tasks: Sequence[Candidate]) -> list[Candidate]:
    """Return the tasks with nothing in the place of what was meant and is lost."""
    return [replace(task, row={**task.row, **dict.fromkeys(_lost(model, task))}) for task in tasks]


def _agreed(
    model: DomainModel, tasks: Sequence[Candidate], found: _Shown, told: _Shown
) -> dict[str, tuple[str, ...]]:
    """Return the tasks of each goal that were found; those of which something is lost, as told."""
    unsure = {task.id for task in tasks if _lost(model, task)}
    names = {**found, **told} if unsure else found
    return {
        name: tuple(
            task.id
            for task in tasks
            if task.id in (told if task.id in unsure else found).get(name, ())
        )
        for name in names
    }


def _told(told: Coverage) -> dict[str, tuple[str, ...]]:
    """Return the tasks that were told to show each goal, or to notice each mutant."""
    return {
        name: goal.tasks
        for part in (told.goals, told.mutants.killed)
        for name, goal in part.items()
    }


def _proofs(told: Coverage) -> dict[str, tuple[str, ...]]:
    parts = (told.infeasible, told.mutants.equivalent)
    return {name: goal.proof for part in parts for name, goal in part.items()}


def _reasons(told: Coverage) -> Iterator[tuple[str, str]]:
    for part in (told.undecided, told.mutants.undecided):
        yield from ((name, goal.reason) for name, goal in part.items())
