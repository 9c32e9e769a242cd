"""Which rows become tasks: first one row per coverage goal, then filling rows in the asked mix."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from sopforge.dataset.oracle import label
from sopforge.dataset.sampling import sample_rows
from sopforge.dataset.screening import Path, screen
from sopforge.domain.model import DomainModel
from sopforge.domain.patterns import read_pattern
from sopforge.domain.rules import Table
from sopforge.domain.schema import DatasetDocument
from sopforge.domain.types import TextType, Value
from sopforge.errors import Fault, MaterialError
from sopforge.logic.tool_calls import Refused
from sopforge.logic.walking import ToolCall, Walk
from sopforge.seeds import permuted

ATTEMPTS_PER_TASK = 20
LEAST_ATTEMPTS = 4_000
FILL = "fill:"
MOST_IDS = 100_000_000
FIRST, MOST = 64, 4_096


@dataclass(frozen=True, slots=True)
class Candidate:
    """A labelled row that may become a task: the record and the walk that solves it."""

    key: str
    row: Mapping[str, Value | None]
    walk: Walk

    @property
    def id(self) -> str:
        """The task's id, which stays when other tasks change and tells nothing of the draw."""
        return f"task-{permuted(self.number, MOST_IDS, 0, 'task id'):08d}"

    @property
    def number(self) -> int:
        """The number of the row."""
        return _number(self.key)


@dataclass(frozen=True, slots=True)
class Draw:
    """The chosen tasks, which of them meet each goal, and what became of all attempts."""

    tasks: tuple[Candidate, ...]
    goals: Mapping[str, tuple[str, ...]]
    attempts: int
    rejected: Mapping[str, int]


def draw_tasks(model: DomainModel, asked: DatasetDocument) -> Draw:
    """Return ``n_samples`` tasks; equal models and equal documents give equal tasks.

    Raises:
        MaterialError: the goals need more tasks than asked, or too few rows satisfy the model.
    """
    attempts = _attempts(model, asked.n_samples)
    found = screen(model, asked.seed, range(attempts))
    if len(found.paths) < asked.n_samples:
        raise MaterialError(
            _too_few(model, asked.n_samples, len(found.paths), attempts, found.rejected)
        )
    chosen = _covering(model, _labelled(model, asked.seed, list(found.paths)))
    if len(chosen) > asked.n_samples:
        raise MaterialError(_too_small(asked.n_samples, len(chosen)))
    taken = {task.number for task in chosen.values()}
    rest = {number: path for number, path in found.paths.items() if number not in taken}
    filling = _balanced(rest) if asked.mix == "balanced" else list(rest)
    wanted = asked.n_samples - len(chosen)
    filled = _labelled(model, asked.seed, filling[:wanted])
    tasks = tuple(sorted((*chosen.values(), *filled), key=lambda task: task.id))
    return Draw(tasks, _met(model, tasks), attempts, found.rejected)


def redraw(model: DomainModel, seed: int, keys: Iterable[str]) -> list[Candidate]:
    """Return the rows of the given keys again, labelled by a model that may have further fields."""
    return list(_labelled(model, seed, [_number(key) for key in keys]))


def example_calls(model: DomainModel, asked: DatasetDocument) -> dict[str, ToolCall]:
    """Return a call of each tool, from rows that are drawn as tasks are and are none of them."""
    found: dict[str, ToolCall] = {}
    called = {step.call for step in model.steps.values() if step.call is not None}
    first = _attempts(model, asked.n_samples)
    for task in _candidates(model, asked.seed, range(first, first + LEAST_ATTEMPTS)):
        answered = [call for call in task.walk.calls if not isinstance(call.result, Refused)]
        found = {**{call.tool: call for call in answered}, **found}
        if len(found) == len(called):
            break
    return found


def goals_of(model: DomainModel) -> tuple[str, ...]:
    """Return the goals: every rule decides some task and every edge is taken by some."""
    rules = [
        f"rule {table.target}.{rule.id}"
        for table in model.decisions.values()
        if isinstance(table, Table)
        for rule in table.rules
    ]
    edges = [
        f"edge {edge.id}"
        for step in model.steps.values()
        for edge in (*step.edges, *step.refusals.values())
    ]
    return (*rules, *edges)


def goals_met(task: Candidate) -> list[str]:
    """Return the goals that a task meets."""
    rules = [f"rule {target}.{rule}" for target, ids in task.walk.rules.items() for rule in ids]
    return rules + [f"edge {edge}" for edge in task.walk.path if "." in edge]


def _attempts(model: DomainModel, wanted: int) -> int:
    """Return how many rows to draw: no more than a field of unique texts has texts."""
    tries = max(LEAST_ATTEMPTS, wanted * ATTEMPTS_PER_TASK)
    return min([tries, *_unique_texts(model).values()])


def _unique_texts(model: DomainModel) -> dict[str, int]:
    """Return how many texts each field of unique texts has."""
    return {
        item.name: read_pattern(item.type.pattern).size
        for item in model.fields.values()
        if isinstance(item.type, TextType) and item.type.pattern and item.sampling.unique
    }


def _candidates(model: DomainModel, seed: int, attempts: Sequence[int]) -> Iterator[Candidate]:
    """Return the rows of these attempts that may become tasks, labelled as they are asked for."""
    for piece in _pieces(attempts):
        yield from _labelled(model, seed, list(screen(model, seed, piece).paths))


def _labelled(model: DomainModel, seed: int, numbers: Sequence[int]) -> Iterator[Candidate]:
    """Return the rows of these numbers with their walks, labelled as they are asked for."""
    for piece in _pieces(numbers):
        for number, row in zip(piece, sample_rows(model, seed, piece), strict=True):
            yield Candidate(f"{FILL}{number}", row, label(model, row))


def _pieces(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Divide numbers into pieces, small ones first: often the first few are enough."""
    start, size = 0, FIRST
    while start < len(numbers):
        yield numbers[start : start + size]
        start, size = start + size, min(2 * size, MOST)


def _number(key: str) -> int:
    return int(key.removeprefix(FILL))


def _covering(model: DomainModel, candidates: Iterable[Candidate]) -> dict[str, Candidate]:
    """Choose, in attempt order, each task that meets a goal which no earlier one meets."""
    missing = set(goals_of(model))
    chosen: dict[str, Candidate] = {}
    for task in candidates:
        met = missing.intersection(goals_met(task))
        if met:
            chosen[task.id] = task
            missing -= met
        if not missing:
            break
    return chosen


def _balanced(paths: Mapping[int, Path]) -> list[int]:
    """Order rows so that every prefix takes the paths in turn, each in attempt order."""
    groups: defaultdict[Path, list[int]] = defaultdict(list)
    for number, path in paths.items():
        groups[path].append(number)
    rounds = zip_longest(*(groups[path] for path in sorted(groups)))
    return [number for number in chain.from_iterable(rounds) if number is not None]


def _met(model: DomainModel, tasks: Iterable[Candidate]) -> dict[str, tuple[str, ...]]:
    met: dict[str, list[str]] = {goal: [] for goal in goals_of(model)}
    for task in tasks:
        name = task.id
        for goal in goals_met(task):
            met[goal].append(name)
    return {goal: tuple(ids) for goal, ids in met.items()}


def _too_few(
    model: DomainModel, asked: int, found: int, attempts: int, rejected: Mapping[str, int]
) -> Fault:
    message = f"{asked} tasks were asked for, but only {found} of {attempts} rows fit the model"
    reasons = ", ".join(
        f"{reason} ({count} rows)" for reason, count in Counter(rejected).most_common(3)
    )
    hint = f"loosen what rows fail at: {reasons}"
    for name, texts in _unique_texts(model).items():
        if texts == attempts:
            hint = f"give '{name}' a pattern with more than {texts} texts, or loosen constraints"
    return Fault("too-few-rows", message, "dataset.n_samples", hint)


def _too_small(asked: int, needed: int) -> Fault:
    message = f"{asked} tasks were asked for, but covering every rule and edge needs {needed}"
    return Fault("n-samples-too-small", message, "dataset.n_samples", f"ask for at least {needed}")
