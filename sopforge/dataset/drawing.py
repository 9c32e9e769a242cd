"""Which rows become tasks: first one row per coverage goal, then filling rows in the asked mix."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from sopforge.dataset.candidates import FILL, Candidate
from sopforge.dataset.covering import Covering, cover, met_by
from sopforge.dataset.oracle import label
from sopforge.dataset.placing import texts_to_draw
from sopforge.dataset.rows import DrawnRow
from sopforge.dataset.sampling import sample_row
from sopforge.domain.model import DomainModel
from sopforge.domain.patterns import read_pattern
from sopforge.domain.schema import DatasetDocument
from sopforge.domain.types import TextType
from sopforge.errors import Fault, MaterialError
from sopforge.logic.scalar import holds
from sopforge.logic.tool_calls import Refused
from sopforge.logic.walking import ToolCall

ATTEMPTS_PER_TASK = 20
LEAST_ATTEMPTS = 4_000
REFUSED = "a tool refuses"
NO_RULE = "no rule applies"


@dataclass(frozen=True, slots=True)
class Draw:
    """The chosen tasks, which of them meet each goal, and what became of all attempts."""

    tasks: tuple[Candidate, ...]
    covering: Covering
    goals: Mapping[str, tuple[str, ...]]
    attempts: int
    rejected: Mapping[str, int]


def draw_tasks(model: DomainModel, asked: DatasetDocument) -> Draw:
    """Return ``n_samples`` tasks; equal models and equal documents give equal tasks.

    Raises:
        MaterialError: the goals need more tasks than asked, or too few rows satisfy the model.
    """
    rejected: Counter[str] = Counter()
    attempts = _attempts(model, asked.n_samples)
    covering = cover(model, asked.seed)
    if len(covering.tasks) > asked.n_samples:
        raise MaterialError(_too_small(asked.n_samples, len(covering.tasks)))
    drawn = _candidates(model, asked.seed, range(attempts), rejected)
    candidates = list(_unlike(model, covering, drawn, rejected))
    wanted = asked.n_samples - len(covering.tasks)
    if len(candidates) < wanted:
        raise MaterialError(_too_few(model, asked.n_samples, len(candidates), attempts, rejected))
    filling = _balanced(candidates) if asked.mix == "balanced" else candidates
    chosen = (*covering.tasks, *filling[:wanted])
    tasks = tuple(sorted(chosen, key=lambda task: task.id))
    return Draw(tasks, covering, _met(model, covering, tasks), attempts, dict(rejected))


def redraw(model: DomainModel, seed: int, rows: Iterable[DrawnRow]) -> list[Candidate]:
    """Return rows again, labelled by a model that may have further fields; those are drawn."""
    found = []
    for item in rows:
        row = {**sample_row(model, seed, item.number), **item.row}
        found.append(Candidate(item.key, item.number, row, label(model, row)))
    return found


def example_calls(model: DomainModel, asked: DatasetDocument) -> dict[str, ToolCall]:
    """Return a call of each tool, from rows that are drawn as tasks are and are none of them."""
    found: dict[str, ToolCall] = {}
    called = {step.call for step in model.steps.values() if step.call is not None}
    first = _attempts(model, asked.n_samples)
    for task in _candidates(model, asked.seed, range(first, first + LEAST_ATTEMPTS), Counter()):
        answered = [call for call in task.walk.calls if not isinstance(call.result, Refused)]
        found = {**{call.tool: call for call in answered}, **found}
        if len(found) == len(called):
            break
    return found


def _attempts(model: DomainModel, wanted: int) -> int:
    """Return how many rows to draw: a field of unique texts keeps some for the goals' rows."""
    tries = max(LEAST_ATTEMPTS, wanted * ATTEMPTS_PER_TASK)
    return min([tries, *map(texts_to_draw, _unique_texts(model).values())])


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
            yield Candidate(f"{FILL}{attempt}", attempt, row, done)


def _unlike(
    model: DomainModel, covering: Covering, drawn: Iterable[Candidate], rejected: Counter[str]
) -> Iterator[Candidate]:
    """Leave out what is like an earlier row in all that a task shows, or clashes with one."""
    shown = {task.shown(model) for task in covering.tasks}
    for task in drawn:
        if covering.places.clashes(task.row):
            rejected["a reference leads to a record of another task"] += 1
        elif task.shown(model) in shown:
            rejected["another task is alike"] += 1
        else:
            shown.add(task.shown(model))
            yield task


def _balanced(tasks: Iterable[Candidate]) -> list[Candidate]:
    """Order tasks so that every prefix takes the paths in turn, each in attempt order."""
    groups: defaultdict[tuple[str, ...], list[Candidate]] = defaultdict(list)
    for task in tasks:
        groups[tuple(task.walk.path)].append(task)
    rounds = zip_longest(*(groups[path] for path in sorted(groups)))
    return [task for task in chain.from_iterable(rounds) if task is not None]


def _met(
    model: DomainModel, covering: Covering, tasks: Sequence[Candidate]
) -> dict[str, tuple[str, ...]]:
    goals = (*covering.goals, *covering.mutants)
    met = met_by(model, goals, [task.row for task in tasks])
    return {
        goal.id: tuple(task.id for task, is_met in zip(tasks, column, strict=True) if is_met)
        for goal, column in zip(goals, met, strict=True)
    }


def _too_few(
    model: DomainModel, asked: int, found: int, attempts: int, rejected: Counter[str]
) -> Fault:
    message = f"{asked} tasks were asked for, but only {found} of {attempts} rows fit the model"
    reasons = ", ".join(f"{reason} ({count} rows)" for reason, count in rejected.most_common(3))
    hint = f"loosen what rows fail at: {reasons}"
    for name, texts in _unique_texts(model).items():
        if texts_to_draw(texts) == attempts:
            hint = f"give '{name}' a pattern with more than {texts} texts, or loosen constraints"
    return Fault("too-few-rows", message, "dataset.n_samples", hint)


def _too_small(asked: int, needed: int) -> Fault:
    message = f"{asked} tasks were asked for, but covering every goal needs {needed}"
    return Fault("n-samples-too-small", message, "dataset.n_samples", f"ask for at least {needed}")
