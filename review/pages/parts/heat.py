"""The heat map of a dataset: how many tasks use each rule and each edge, by how they end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from review.pages.parts.model_items import index_model_items
from sopforge.artifacts.rendering.charts.flowchart import describe_edges
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Table
from sopforge.language.domain.tasks import Task
from sopforge.proof.dataset.coverage.coverage import Coverage, GoalReport, GoalVerdict

LEVELS = 5
MOST_ANSWERS = 8


@dataclass(frozen=True, slots=True)
class HeatRow:
    """A rule or an edge, and the number of tasks in each column with its heat from 0 to ``LEVELS``.

    ``why`` says why no task uses it, where that is proved.
    """

    name: str
    words: str
    cells: tuple[tuple[int, int], ...]
    total: int
    why: str


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Rows by decision and by step; ``about`` says what the columns are."""

    about: str
    columns: tuple[tuple[str, int], ...]
    groups: Mapping[str, tuple[HeatRow, ...]]


def compute_heat_level(count: int, most: int) -> int:
    """Return the heat of a count: 0 for none, else rising quickly at first.

    >>> [compute_heat_level(count, 100) for count in (0, 1, 4, 16, 64, 100)]
    [0, 1, 1, 2, 4, 5]
    """
    return ceil(LEVELS * sqrt(count / most)) if count else 0


def build_heat_map(model: DomainModel, tasks: Sequence[Task], coverage: Coverage | None) -> HeatMap:
    """Return the heat map of tasks: by their answer, or by where they end if answers are many."""
    answers = {task.outcomes[model.primary.name] for task in tasks}
    if len(answers) <= MOST_ANSWERS:
        about, column_of = model.primary.label, _make_answer_reader(model)
    else:
        about, column_of = "where the case ends", _make_ending_reader(model)
    columns = Counter(column_of(task) for task in tasks)
    counts: Counter[tuple[str, str]] = Counter()
    for task in tasks:
        column = column_of(task)
        for used in _collect_used_ids(task):
            counts[used, column] += 1
    most = max(counts.values(), default=1)
    goals = coverage.goals if coverage else {}
    unable = {name: goal for name, goal in goals.items() if goal.verdict is GoalVerdict.IMPOSSIBLE}
    names = sorted(columns, key=lambda name: (-columns[name], name))
    groups = {
        heading: tuple(
            _build_row(name, words, [counts[name, column] for column in names], most, unable)
            for name, words in rows
        )
        for heading, rows in _iterate_row_groups(model)
    }
    return HeatMap(about, tuple((name, columns[name]) for name in names), groups)


def _make_answer_reader(model: DomainModel) -> Callable[[Task], str]:
    return lambda task: task.outcomes[model.primary.name]


def _make_ending_reader(model: DomainModel) -> Callable[[Task], str]:
    return lambda task: model.steps[task.path[-1]].title


def _collect_used_ids(task: Task) -> set[str]:
    rules = {f"rule {name}.{rule}" for name, ids in task.rules.items() for rule in ids}
    return rules | {f"edge {node}" for node in task.path}


def _iterate_row_groups(model: DomainModel) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    items, edge_words = index_model_items(model), describe_edges(model)
    for name, decision in model.decisions.items():
        if isinstance(decision, Table):
            rules = [f"rule {name}.{rule.id}" for rule in decision.rules]
            yield model.fields[name].label, [(rule, items[rule].words) for rule in rules]
    onward = {
        step.id: [edge.id for edge in (*step.edges, *step.refusals.values())]
        for step in model.steps.values()
    }
    for step, edges in onward.items():
        if edges:
            yield model.steps[step].title, [(f"edge {edge}", edge_words[edge]) for edge in edges]


def _build_row(
    name: str, words: str, counts: Sequence[int], most: int, unable: Mapping[str, GoalReport]
) -> HeatRow:
    why = "; ".join(unable[name].proof) or "proved" if name in unable else ""
    cells = tuple((count, compute_heat_level(count, most)) for count in counts)
    return HeatRow(name.partition(" ")[2], words, cells, sum(counts), why)
