"""Rows drawn and labelled; of these come the tasks that meet the goals, in the asked mix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from sopforge.dataset.choosing import Choice, batches
from sopforge.dataset.oracle import label
from sopforge.dataset.sampling import sample_row
from sopforge.domain.model import DomainModel
from sopforge.domain.patterns import read_pattern
from sopforge.domain.rules import Table
from sopforge.domain.schema import DatasetDocument
from sopforge.domain.types import TextType, Value
from sopforge.errors import Fault, MaterialError
from sopforge.logic.scalar import holds
from sopforge.logic.tool_calls import Refused
from sopforge.logic.walking import ToolCall, Walk
from sopforge.seeds import permuted

EXAMPLE_ATTEMPTS = 4_000
FILL = "fill:"
MOST_IDS = 100_000_000
REFUSED = "a tool refuses"
NO_RULE = "no rule applies"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A labelled row that may become a task: the record and the walk that solves it."""

    key: str
    row: Mapping[str, Value | None]
    walk: Walk

    @property
    def id(self) -> str:
        """The task's id, which stays when other tasks change and tells nothing of the draw."""
        number = int(self.key.removeprefix(FILL))
        return f"task-{permuted(number, MOST_IDS, 0, 'task id'):08d}"


@dataclass(frozen=True, slots=True)
class Draw:
    """The chosen tasks, which of them meet each goal, and what became of all attempts."""

    tasks: tuple[Candidate, ...]
    goals: Mapping[str, tuple[str, ...]]
    attempts: int
    rejected: Mapping[str, int]


def draw_tasks(model: DomainModel, asked: DatasetDocument) -> Draw:
    """Return ``n_samples`` tasks; equal models and equal documents give equal tasks.

    More samples only add tasks behind those of fewer.

    Raises:
        MaterialError: the goals need more tasks than asked, or too few rows satisfy the model.
    """
    rejected: Counter[str] = Counter()
    choice: Choice[Candidate] = Choice(set(goals_of(model)), goals_met, _grouping(asked))
    attempts = found = 0
    for batch in batches(asked.n_samples, _most_attempts(model)):
        tried = range(batch.first, batch.last)
        candidates = list(_candidates(model, asked.seed, tried, rejected))
        choice.add(candidates, batch.tasks)
        attempts, found = batch.last, found + len(candidates)
    if found < asked.n_samples:
        raise MaterialError(_too_few(model, asked.n_samples, found, attempts, rejected))
    if choice.covering > asked.n_samples:
        raise MaterialError(_too_small(asked.n_samples, choice.covering))
    tasks = tuple(choice.tasks[: asked.n_samples])
    return Draw(tasks, _met(model, tasks), attempts, dict(rejected))


def _grouping(asked: DatasetDocument) -> Callable[[Candidate], tuple[str, ...]]:
    """Return what is taken in turn: the paths, or in a natural mix nothing."""
    return _path if asked.mix == "balanced" else lambda _: ()


def _path(task: Candidate) -> tuple[str, ...]:
    return tuple(task.walk.path)


def redraw(model: DomainModel, seed: int, keys: Iterable[str]) -> list[Candidate]:
    """Return the rows of the given keys again, labelled by a model that may have further fields."""
    rows = [(key, sample_row(model, seed, int(key.removeprefix(FILL)))) for key in keys]
    return [Candidate(key, row, label(model, row)) for key, row in rows]


def example_calls(model: DomainModel, asked: DatasetDocument) -> dict[str, ToolCall]:
    """Return a call of each tool, from rows that are drawn as tasks are and are none of them."""
    found: dict[str, ToolCall] = {}
    called = {step.call for step in model.steps.values() if step.call is not None}
    *_, batch = batches(asked.n_samples, _most_attempts(model))
    tried = range(batch.last, batch.last + EXAMPLE_ATTEMPTS)
    for task in _candidates(model, asked.seed, tried, Counter()):
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


def _most_attempts(model: DomainModel) -> int | None:
    """Return how many rows can be drawn: no more than a field of unique texts has texts."""
    return min(_unique_texts(model).values(), default=None)


def _unique_texts(model: DomainModel) -> dict[str, int]:
    """Return how many texts each field of unique texts has."""
    return {
        item.name: read_pattern(item.type.pattern).size
        for item in model.fields.values()
        if isinstance(item.type, TextType) and item.type.pattern and item.sampling.unique
    }


def _candidates(
    model: DomainModel, seed: int, attempts: Iterable[int], rejected: Counter[str]
) -> Iterable[Candidate]:
    for attempt in attempts:
        row = sample_row(model, seed, attempt)
        if not all(holds(constraint, row) for constraint in model.constraints):
            rejected["a constraint does not hold"] += 1
            continue
        done = label(model, row)
        if done.refusal is not None:
            rejected[f"{REFUSED} with {done.refusal.code}"] += 1
        elif done.undecided:
            rejected[f"{NO_RULE} of {done.undecided}"] += 1
        else:
            yield Candidate(f"{FILL}{attempt}", row, done)


def _met(model: DomainModel, tasks: Iterable[Candidate]) -> dict[str, tuple[str, ...]]:
    met: dict[str, list[str]] = {goal: [] for goal in goals_of(model)}
    for task in tasks:
        for goal in goals_met(task):
            met[goal].append(task.id)
    return {goal: tuple(ids) for goal, ids in met.items()}


def _too_few(
    model: DomainModel, asked: int, found: int, attempts: int, rejected: Counter[str]
) -> Fault:
    message = f"{asked} tasks were asked for, but only {found} of {attempts} rows fit the model"
    reasons = ", ".join(f"{reason} ({count} rows)" for reason, count in rejected.most_common(3))
    hint = f"loosen what rows fail at: {reasons}"
    for name, texts in _unique_texts(model).items():
        if texts == attempts:
            hint = f"give '{name}' a pattern with more than {texts} texts, or loosen constraints"
    return Fault("too-few-rows", message, "dataset.n_samples", hint)


def _too_small(asked: int, needed: int) -> Fault:
    message = f"{asked} tasks were asked for, but covering every rule and edge needs {needed}"
    return Fault("n-samples-too-small", message, "dataset.n_samples", f"ask for at least {needed}")
