"""The tasks, one of them in full, how they are spread, what they cover, and a sample to look at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from review.artifact import Artifact
from review.pages.page import Page, Query
from review.pages.parts.coverage_lists import build_coverage_lists, list_task_goals
from review.pages.parts.drawn import build_domain_chart
from review.pages.parts.heat import build_heat_map
from review.pages.parts.model_items import index_model_items
from review.pages.parts.pair_views import build_pair_list, has_pairs, list_task_changes
from review.pages.parts.sample import SIZES, USUAL_SIZE, draw_sample
from review.pages.parts.spreads import build_cards, build_shortcuts_card
from review.pages.parts.task_table import build_task_table, read_observed_cells
from sopforge.artifacts.rendering.charts.flowchart import collect_taken_ids
from sopforge.language.domain.balance import Balance, Line, build_answer_lines, build_balance_lines
from sopforge.language.domain.tasks import Task, read_explanations, read_tasks
from sopforge.proof.dataset.coverage.coverage import Coverage, read_coverage
from sopforge.proof.dataset.pairs.contrasting import FiledChange
from sopforge.proof.dataset.tasks.profile import Profile, read_profile
from sopforge.workspace import (
    COVERAGE,
    COVERAGE_TEXT,
    DATA_PROFILE,
    DOMAIN,
    EXPLANATIONS,
    ROWS,
    SHORTCUTS,
    TASKS,
    TRAJECTORIES,
    Workspace,
)


@dataclass(frozen=True, slots=True)
class Dataset:
    """What the files of a dataset hold."""

    tasks: tuple[Task, ...]
    observed: Mapping[str, Mapping[str, str]]
    stories: Mapping[str, Sequence[str]]
    coverage: Coverage | None
    profile: Profile | None


@dataclass(frozen=True, slots=True)
class ChosenTask:
    """A task in full: what it states, reveals and expects, its path, and what it is there for.

    ``filed`` is what it changes on file, None where there are no tables; ``beside`` is the other
    task of its pair.
    """

    task: Task
    inputs: tuple[tuple[str, str], ...]
    answers: tuple[tuple[str, str], ...]
    rules: tuple[str, ...]
    story: Sequence[str]
    goals: tuple[str, ...]
    taken: frozenset[str]
    filed: tuple[FiledChange, ...] | None = None
    beside: str = ""


PARTS: Mapping[str, str] = {
    "tasks": "Tasks",
    "sample": "Look at a sample",
    "pairs": "Pairs side by side",
    "coverage": "Rules, edges and coverage",
    "spread": "How values are spread",
}
"""The parts of the page, one of which is shown at a time where the page is live."""


def build_page(artifact: Artifact, query: Query) -> Page:
    """Return the page of a dataset: the part that is asked for, or all where none is."""
    files = artifact.workspace.files
    dataset = read_dataset(tuple(files.get(name, "") for name in _FILES))
    wanted = query.get("task", "")
    part = query.get("part", "tasks" if wanted else "")
    parts = {k: v for k, v in PARTS.items() if k != "pairs" or has_pairs(dataset.tasks)}
    shown = {part} if part in parts else set(parts)
    task = next((item for item in dataset.tasks if item.id == wanted), None)
    context = {
        "parts": parts,
        "shown": shown,
        "total": len(dataset.tasks),
        "chosen": _build_chosen_task(artifact.workspace, dataset, task) if task else None,
        "unknown_task": wanted if wanted and task is None else "",
        "chart": build_domain_chart(files[DOMAIN]),
    }
    for name in shown:
        context |= _MAKERS[name](artifact.workspace, dataset, query)
    return Page("pages/dataset.html.j2", context)


def _build_tasks_part(workspace: Workspace, dataset: Dataset, query: Query) -> dict[str, object]:
    return {"table": build_task_table(workspace.model, dataset.tasks, dataset.observed, query)}


def _build_sample_part(workspace: Workspace, dataset: Dataset, query: Query) -> dict[str, object]:
    size = _choose_size(query)
    return {
        "sample": draw_sample(dataset.tasks, size, workspace.brief.parts.dataset.seed),
        "sizes": [item for item in SIZES if item < len(dataset.tasks)],
        "size": size,
        "stories": dataset.stories,
    }


def _build_pairs_part(workspace: Workspace, dataset: Dataset, query: Query) -> dict[str, object]:
    domain, rows, coverage = (workspace.files.get(name, "") for name in (DOMAIN, ROWS, COVERAGE))
    return {"pair_list": build_pair_list(domain, rows, dataset.tasks, coverage, query)}


def _build_coverage_part(workspace: Workspace, dataset: Dataset, _: Query) -> dict[str, object]:
    coverage, primary = dataset.coverage, workspace.model.primary.label
    return {
        "heat": build_heat_map(workspace.model, dataset.tasks, coverage),
        "coverage": build_coverage_lists(coverage, primary) if coverage else None,
    }


def _build_spread_part(workspace: Workspace, dataset: Dataset, _: Query) -> dict[str, object]:
    shortcuts = workspace.files.get(SHORTCUTS)
    return {
        "shortcuts": build_shortcuts_card(shortcuts) if shortcuts else None,
        "balance": _list_balance_lines(dataset.profile.balance) if dataset.profile else [],
        "spreads": build_cards(dataset.profile) if dataset.profile else {},
    }


def _list_balance_lines(balance: Balance | None) -> list[Line]:
    return [] if balance is None else [*build_balance_lines(balance), *build_answer_lines(balance)]


_MAKERS: Mapping[str, Callable[[Workspace, Dataset, Query], dict[str, object]]] = {
    "tasks": _build_tasks_part,
    "sample": _build_sample_part,
    "pairs": _build_pairs_part,
    "coverage": _build_coverage_part,
    "spread": _build_spread_part,
}
_FILES = (TASKS, TRAJECTORIES, ROWS, EXPLANATIONS, COVERAGE, COVERAGE_TEXT, DATA_PROFILE)


@lru_cache(maxsize=16)
def read_dataset(files: tuple[str, ...]) -> Dataset:
    """Return what the files of a dataset hold, in the order of ``_FILES``.

    A coverage without its text is of a dataset that was made before there were goals.
    """
    tasks, trajectories, rows, explanations, coverage, coverage_text, profile = files
    return Dataset(
        read_tasks(tasks, trajectories),
        read_observed_cells(rows),
        read_explanations(explanations),
        read_coverage(coverage) if coverage and coverage_text else None,
        read_profile(profile) if profile else None,
    )


def _choose_size(query: Query) -> int:
    asked = query.get("sample", "")
    return int(asked) if asked in {str(size) for size in SIZES} else USUAL_SIZE


def _build_chosen_task(workspace: Workspace, dataset: Dataset, task: Task) -> ChosenTask:
    model = workspace.model
    items = index_model_items(model)
    return ChosenTask(
        task,
        tuple((model.fields[name].label, cell) for name, cell in task.inputs.items()),
        tuple(
            (model.fields[name].label, cell)
            for name, cell in {**task.outcomes, **task.intermediates}.items()
        ),
        tuple(
            items[f"rule {name}.{rule}"].words for name, ids in task.rules.items() for rule in ids
        ),
        dataset.stories.get(task.id, ()),
        list_task_goals(dataset.coverage, task.id) if dataset.coverage else (),
        collect_taken_ids(build_domain_chart(workspace.files[DOMAIN]), task.path),
        list_task_changes(workspace.files[DOMAIN], workspace.files.get(ROWS, ""), task),
        _find_beside(dataset, task),
    )


def _find_beside(dataset: Dataset, task: Task) -> str:
    """Return the other task of a pair, "" where a task is in none."""
    others = (item.id for item in dataset.tasks if task.pair and item.pair == task.pair)
    return next((name for name in others if name != task.id), "")
