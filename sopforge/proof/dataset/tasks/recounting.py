"""What a published dataset says of itself, made again from its tasks, its records and the model.

Nothing is drawn or proved: which rows were tasks, and what was found about goals that no task
shows, is taken from what is stored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import PAIR, Task
from sopforge.language.domain.values.malformed_inputs import is_malformed
from sopforge.language.logic.readings.vector import Column
from sopforge.language.logic.stated_inputs import choose_malformed_text, derive_marks
from sopforge.proof.dataset.coverage.coverage import (
    SHOWN,
    Coverage,
    GoalReport,
    GoalVerdict,
    judge_goals,
    read_coverage,
)
from sopforge.proof.dataset.coverage.coverage_text import Heading, render_coverage_text
from sopforge.proof.dataset.coverage.covering import Covering, Unmet, with_nearest
from sopforge.proof.dataset.coverage.drawing import index_sightings
from sopforge.proof.dataset.coverage.goal_rows import GoalRows
from sopforge.proof.dataset.coverage.goals.goals import collect_goals, make_mutant_goals
from sopforge.proof.dataset.coverage.noticing import Noticing
from sopforge.proof.dataset.coverage.sighting import Sighting
from sopforge.proof.dataset.coverage.written_rows import WRITTEN
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from sopforge.proof.dataset.pairs.refusal_pairs import list_pairs
from sopforge.proof.dataset.records import Row, read_records
from sopforge.proof.dataset.sampling.candidates import FILL, GOAL, Candidate, make_id_stem
from sopforge.proof.dataset.sampling.placing import Places, iterate_goal_numbers
from sopforge.proof.dataset.sampling.rows import DrawnRow
from sopforge.proof.dataset.tasks.told_texts import read_facts
from sopforge.proof.dataset.tasks.writing import DrawFigures, write_coverage
from sopforge.proof.solving.unfolded_places import TooManyStepsError
from sopforge.untrusted.tables import read_table


def rebuild_rows(
    model: DomainModel, seed: int, records: Mapping[str, str], tasks: Sequence[Task]
) -> list[DrawnRow]:
    """Return the rows of stored tasks: what each states, and what the records hold of it.

    ``seed`` is that of the draw.

    The records may be those of a harder level, which hold further fields of the model, and others.

    Raises:
        MaterialError: a task has no record.
        ValueNotAllowedError: a cell is no value of its field.
    """
    found = read_records(model, records, _read)
    meant = _map_malformed_keys(model, found)
    rows = []
    for task in tasks:
        given = _parse_cells(model, task.inputs)
        stated = str(given[model.key])
        key = stated if stated in found else meant.get(stated)
        if key is None:
            raise MaterialError(Fault("record-missing", f"{task.id} has no record", "records.csv"))
        # What a record holds is what was meant, where the task states it malformed.
        row = {**given, **found[key], **derive_marks(model, given)}
        name, number = _find_id(task, seed, len(tasks))
        rows.append(DrawnRow(name, task.key, number, row, task.pair))
    return rows


def recount_coverage(model: DomainModel, text: str, tasks: Sequence[Candidate]) -> tuple[str, str]:
    """Return ``coverage.json`` and ``coverage.md`` as the tasks bear them out.

    From ``text``, the coverage as stored, come the proofs, and how the draw went.
    """
    stored, report = read_coverage(text), json.loads(text)
    covering = _rebuild_covering(model, stored, tasks)
    seen = _restore_lost_sightings(
        model, tasks, index_sightings(covering, _blank_lost_inputs(model, tasks)), stored
    )
    coverage = judge_goals(covering, [task.id for task in tasks], seen, _collect_proofs(stored))
    # Why a leaf has no pair was found by the solver, and stands there as the proofs do.
    pairs = report.get("pairs") and {**report["pairs"], "paired": list_pairs(tasks)}
    went = DrawFigures(
        report["attempts"], covering.own, report["rejected"], report["control_paths"], pairs
    )
    filling = sum(task.key.startswith((FILL, WRITTEN)) for task in tasks)
    return write_coverage(model, tasks, coverage, went), render_coverage_text(
        Heading(model.title, model.primary.name, len(tasks), len(tasks) - filling),
        coverage,
        went.control_paths,
    )


def _read(columns: tuple[Field, ...], text: str, file: str) -> Iterator[Row]:
    """Return the rows of a table, with each column that a field of the model has there."""
    for row in read_table(text, file):
        yield {item.name: item.parse(row[item.name]) for item in columns if item.name in row}


def _parse_cells(model: DomainModel, cells: Mapping[str, str]) -> Row:
    stated = {name: model.fields[name].parse(cells[name]) for name in cells if name in model.fields}
    return {**stated, **read_facts(model, cells)}


def _map_malformed_keys(model: DomainModel, keys: Iterable[str]) -> dict[str, str]:
    """Return the keys of records by the malformed texts in which tasks may state them."""
    item = model.fields[model.key]
    return {choose_malformed_text(item, key): key for key in keys} if item.malformed else {}


def _find_id(task: Task, seed: int, tasks: int) -> tuple[str, int]:
    """Return the id that a task must have, and its row's number; another where its own is wrong."""
    numbers = [int(task.key.removeprefix(FILL))] if task.key.startswith(FILL) else []
    # A goal's row stands after its own place only where that of another goal stood in it.
    numbers = numbers or list(islice(iterate_goal_numbers(task.key.removeprefix(GOAL)), tasks))
    stems = {make_id_stem(seed, number): number for number in numbers}
    found = next((stem for stem in stems if task.id.startswith(stem)), "")
    return (task.id, stems[found]) if found else next(iter(stems.items()))


def _rebuild_covering(model: DomainModel, stored: Coverage, tasks: Sequence[Candidate]) -> Covering:
    """Return the goals of a model, with what is stored of those that no task shows."""
    rows = GoalRows(model, Places(model, 0))
    try:
        noticing = Noticing(model)
    except TooManyStepsError:
        return Covering(rows)
    goals = collect_goals(model, noticing.places)
    mutants = tuple(make_mutant_goals(derive_mutants(model)))
    by_key = {task.key: task for task in tasks}
    names = (f"{GOAL}{goal.id}" for goal in (*goals, *mutants))
    given = [task for task in tasks if task.key.startswith(WRITTEN)]
    given.sort(key=lambda task: int(task.key.removeprefix(WRITTEN)))
    own = [*given, *(by_key[name] for name in names if name in by_key)]
    own += [task for task in tasks if task.key.startswith(PAIR)]
    reports = {**stored.goals, **stored.mutants}
    unmet = {
        name: Unmet(str(report.verdict))
        for name, report in reports.items()
        if str(report.verdict) in set(Unmet)
    }
    # What a task is reported to show and none shows is open, and differs from the report.
    reasons = {
        goal.id: reports[goal.id].reason if goal.id in reports else ""
        for goal in (*goals, *mutants)
        if goal.id not in unmet
    }
    nearest = {name: report.gap for name, report in reports.items() if report.gap}
    return Covering(
        rows,
        noticing=noticing,
        goals=with_nearest(goals, nearest),
        mutants=mutants,
        tasks=own,
        unmet=unmet,
        reasons=reasons,
        nearest=nearest,
    )


def _find_lost_inputs(model: DomainModel, task: Candidate) -> set[str]:
    """Return the malformed inputs of which no record holds what was meant."""
    items = [model.fields[name] for name in task.row if name in model.fields]
    return {item.name for item in items if is_malformed(item.type, task.row[item.name])}


def _blank_lost_inputs(model: DomainModel, tasks: Sequence[Candidate]) -> list[Candidate]:
    """Return the tasks with nothing in the place of what was meant and is lost."""
    return [
        replace(task, row={**task.row, **dict.fromkeys(_find_lost_inputs(model, task))})
        for task in tasks
    ]


def _restore_lost_sightings(
    model: DomainModel, tasks: Sequence[Candidate], found: Mapping[str, Sighting], stored: Coverage
) -> dict[str, Sighting]:
    """Return what the tasks show; those of which something is lost show what is stored of them."""
    unsure = np.array([bool(_find_lost_inputs(model, task)) for task in tasks], dtype=bool)
    if not unsure.any():
        return dict(found)
    names, reports = [task.id for task in tasks], {**stored.goals, **stored.mutants}
    return {
        name: _restore_sighting(seen, unsure, reports.get(name), names)
        for name, seen in found.items()
    }


def _restore_sighting(
    seen: Sighting, unsure: Column, report: GoalReport | None, names: Sequence[str]
) -> Sighting:
    """Return a sighting in which the tasks in question show what a report says they do."""
    listed = np.array([report is not None and name in report.tasks for name in names], dtype=bool)
    verdict = report.verdict if report else GoalVerdict.UNDECIDED
    levels = {
        "primary": verdict is GoalVerdict.PRIMARY,
        "outcomes": verdict in SHOWN,
        "trajectory": verdict in {*SHOWN, GoalVerdict.PATH_ONLY},
    }
    return Sighting(
        begins=seen.begins,
        **{
            name: np.where(unsure, listed & is_reported, getattr(seen, name))
            for name, is_reported in levels.items()
        },
    )


def _collect_proofs(stored: Coverage) -> dict[str, tuple[str, ...]]:
    return {
        name: item.proof for part in (stored.goals, stored.mutants) for name, item in part.items()
    }
