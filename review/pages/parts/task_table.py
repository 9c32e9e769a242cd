"""The tasks of a dataset as a table: searched, in pages, with a column for each field."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from review.pages.page import Query
from sopforge.language.domain.fields import Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task

PAGE = 25
LONGEST_SEARCH = 200


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task with a cell for each column."""

    id: str
    end: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TaskTable:
    """A page of the tasks that were found.

    ``groups`` are headings over so many columns; ``columns`` are names and labels.
    """

    groups: tuple[tuple[str, int], ...]
    columns: tuple[tuple[str, str], ...]
    rows: tuple[TaskRow, ...]
    found: int
    page: int
    pages: int
    find: str
    shows_all: bool


def read_observed_cells(rows: str) -> dict[str, Mapping[str, str]]:
    """Return the cells of each drawn row by its key, as ``rows.jsonl`` holds them."""
    entries = [json.loads(line) for line in rows.split("\n") if line]
    return {entry["key"]: entry["cells"] for entry in entries}


def build_task_table(
    model: DomainModel,
    tasks: Sequence[Task],
    observed: Mapping[str, Mapping[str, str]],
    query: Query,
) -> TaskTable:
    """Return the page of tasks that is asked for; a number beyond the last page is the last."""
    shows_all = query.get("columns") == "all"
    find = query.get("find", "")[:LONGEST_SEARCH].strip()
    found = list(_find_tasks(model, tasks, observed, find.casefold()))
    pages = max(1, -(-len(found) // PAGE))
    page = min(_parse_page(query.get("page", "")), pages)
    groups = _group_columns(model, shows_all=shows_all)
    rows = [
        TaskRow(
            task.id,
            model.steps[task.path[-1]].title,
            tuple(
                _collect_cells(task, observed).get(name, "")
                for _, names in groups
                for name in names
            ),
        )
        for task in found[PAGE * (page - 1) : PAGE * page]
    ]
    columns = [(name, model.fields[name].label) for _, names in groups for name in names]
    return TaskTable(
        tuple((heading, len(names)) for heading, names in groups),
        tuple(columns),
        tuple(rows),
        len(found),
        page,
        pages,
        find,
        shows_all,
    )


def _group_columns(model: DomainModel, *, shows_all: bool) -> list[tuple[str, tuple[str, ...]]]:
    names = {role: tuple(item.name for item in model.with_role(role)) for role in Role}
    groups = [("Answers", names[Role.OUTCOME])]
    if model.intermediates:
        groups.append(("Scored with the answers", tuple(item.name for item in model.intermediates)))
    groups.append(("Stated by the task", names[Role.INPUT]))
    if shows_all:
        groups.append(("Told in the task's words", names[Role.TOLD]))
        groups.append(("Revealed by tools", names[Role.OBSERVED]))
        groups.append(("There to distract", names[Role.DISTRACTOR]))
    return [(heading, found) for heading, found in groups if found]


def _collect_cells(task: Task, observed: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return all that is known of a task; what it states prevails over what was meant."""
    return {**observed.get(task.key, {}), **task.inputs, **task.intermediates, **task.outcomes}


def _find_tasks(
    model: DomainModel,
    tasks: Iterable[Task],
    observed: Mapping[str, Mapping[str, str]],
    find: str,
) -> Iterable[Task]:
    for task in tasks:
        titles = (model.steps[node].title for node in task.path if node in model.steps)
        texts = (task.id, *_collect_cells(task, observed).values(), *titles)
        if not find or any(find in text.casefold() for text in texts):
            yield task


def _parse_page(text: str) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(10**6))
    return max(1, int(text)) if is_number else 1
