"""The files of a dataset: rows are sampled, labelled by the model and chosen as tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sopforge.authors.writers.author import Author
from sopforge.harness.scoring.shortcuts import score_shortcuts
from sopforge.language.domain.balance import compute_balance
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief
from sopforge.language.domain.tasks import Task
from sopforge.proof.dataset.coverage.coverage import compute_coverage
from sopforge.proof.dataset.coverage.coverage_text import Heading, render_coverage_text
from sopforge.proof.dataset.coverage.drawing import draw_tasks, with_room
from sopforge.proof.dataset.coverage.goal_rows import Witnesses
from sopforge.proof.dataset.coverage.proofs import describe_proofs
from sopforge.proof.dataset.coverage.written_rows import WRITTEN, read_accepted_cells, with_tasks
from sopforge.proof.dataset.records import write_records
from sopforge.proof.dataset.sampling.candidates import FILL, Candidate
from sopforge.proof.dataset.sampling.completions import write_completions
from sopforge.proof.dataset.sampling.rows import write_rows
from sopforge.proof.dataset.tasks.profile import Profile, build_profile, with_filling, write_profile
from sopforge.proof.dataset.tasks.writing import as_task, render_coverage_json, render_task_files
from sopforge.proof.solving.kept_answers import open_kept_answers
from sopforge.workspace import DOMAIN, Workspace


def build_dataset_files(workspace: Workspace, author: Author) -> dict[str, str]:
    """Return tasks, gold trajectories, the tools' records, and what is to be said about them.

    Rows may be somebody's; their labels are the model's.
    """
    model = workspace.model
    # What is asked about a goal of a model follows from these two.
    level = workspace.brief.parts.dataset.coverage.noticed_by
    witnesses = Witnesses(open_kept_answers(f"{level}\0{workspace.files[DOMAIN]}"))
    brief = _with_room(model, workspace.brief, witnesses)
    asked = brief.drawing
    book = author.write_rows(model, brief)
    draw = draw_tasks(model, asked, read_accepted_cells(book), witnesses)
    tasks = [as_task(model, candidate, asked.dev_share) for candidate in draw.tasks]
    rows = {task.id: task.row for task in draw.tasks}
    others = [task for task in draw.tasks if task.key.startswith((FILL, WRITTEN))]
    coverage = compute_coverage(draw, describe_proofs(model, draw.covering))
    return {
        **render_task_files(model, draw.tasks, tasks),
        **write_records(model, rows.values()),
        "rows.jsonl": write_rows(model, draw.tasks),
        "coverage.json": render_coverage_json(model, draw, coverage),
        "coverage.md": render_coverage_text(
            Heading(model.title, model.primary.name, len(tasks), len(tasks) - len(others)),
            coverage,
            draw.path_report,
        ),
        "shortcuts.json": score_shortcuts(model, tasks, rows).as_json(),
        "data_profile.json": write_profile(_build_profile(model, draw.tasks, tasks)),
        **({"completions.json": write_completions(model, rows)} if model.lacking else {}),
        **({"rows_asked.json": with_tasks(book, draw.tasks)} if book else {}),
    }


def _build_profile(
    model: DomainModel, drawn: Sequence[Candidate], tasks: Sequence[Task]
) -> Profile:
    """Return how the rows of tasks are spread, those that fill up apart, and their balance."""
    filling = [(item.row, item.walk) for item in drawn if item.key.startswith(FILL)]
    whole = build_profile(model, [(item.row, item.walk) for item in drawn])
    return replace(with_filling(whole, model, filling), balance=compute_balance(model, tasks))


def _with_room(model: DomainModel, brief: Brief, witnesses: Witnesses) -> Brief:
    """Return the brief with tasks enough: nobody can foresee what a model written of prose needs.

    Whoever states the model is notified where the goals need more than twice as many tasks as
    were asked for.
    """
    if brief.built is not None:
        return brief
    enough = {"n_samples": with_room(model, brief.drawing, witnesses).n_samples}
    asked = brief.parts.dataset.model_copy(update=enough)
    return replace(brief, parts=brief.parts.model_copy(update={"dataset": asked}))
