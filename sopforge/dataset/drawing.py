"""Which rows become tasks: first one row per coverage goal, then filling rows in the asked mix."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from sopforge.dataset.candidates import FILL, Candidate
from sopforge.dataset.covering import Covering, Row, cover, met_by
from sopforge.dataset.oracle import label
from sopforge.dataset.placing import texts_to_draw
from sopforge.dataset.rows import DrawnRow
from sopforge.dataset.sampling import sample_rows
from sopforge.dataset.screening import Path, screen
from sopforge.dataset.texts import numbered
from sopforge.domain.model import DomainModel
from sopforge.domain.patterns import read_pattern
from sopforge.domain.schema import DatasetDocument
from sopforge.domain.types import TextType
from sopforge.errors import Fault, MaterialError
from sopforge.logic.tool_calls import Refused
from sopforge.logic.walking import ToolCall

ATTEMPTS_PER_TASK = 20
LEAST_ATTEMPTS = 4_000
FIRST, MOST = 64, 4_096


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
    attempts = _attempts(model, asked.n_samples)
    covering = cover(model, asked.seed)
    if len(covering.tasks) > asked.n_samples:
        raise MaterialError(_too_small(asked.n_samples, len(covering.tasks)))
    found = screen(model, asked.seed, range(attempts))
    rejected = Counter(found.rejected)
    filling = _filling(model, asked, covering, dict(found.paths), rejected)
    if len(filling) + len(covering.tasks) < asked.n_samples:
        raise MaterialError(_too_few(model, asked.n_samples, len(filling), attempts, rejected))
    tasks = tuple(sorted((*covering.tasks, *filling), key=lambda task: task.id))
    return Draw(tasks, covering, _met(model, covering, tasks), attempts, dict(rejected))


def redraw(model: DomainModel, seed: int, rows: Iterable[DrawnRow]) -> list[Candidate]:
    """Return rows again, labelled by a model that may have further fields; those are drawn."""
    given = list(rows)
    drawn = sample_rows(model, seed, [item.number for item in given])
    whole = [{**row, **item.row} for row, item in zip(drawn, given, strict=True)]
    return [
        Candidate(item.key, item.number, row, label(model, row))
        for item, row in zip(given, whole, strict=True)
    ]


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


def _attempts(model: DomainModel, wanted: int) -> int:
    """Return how many rows to draw: a field of unique texts keeps some for the goals' rows."""
    tries = max(LEAST_ATTEMPTS, wanted * ATTEMPTS_PER_TASK)
    return min([tries, *map(texts_to_draw, _unique_texts(model).values())])


def _unique_texts(model: DomainModel) -> dict[str, int]:
    """Return how many texts each field of unique texts has."""
    return {
        item.name: numbered(read_pattern(item.type.pattern))
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
            yield Candidate(f"{FILL}{number}", number, row, label(model, row))


def _pieces(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Divide numbers into pieces, small ones first: often the first few are enough."""
    start, size = 0, FIRST
    while start < len(numbers):
        yield numbers[start : start + size]
        start, size = start + size, min(2 * size, MOST)


def _filling(
    model: DomainModel,
    asked: DatasetDocument,
    covering: Covering,
    paths: dict[int, Path],
    rejected: Counter[str],
) -> list[Candidate]:
    """Return rows in the asked mix that are unlike each other, as many as are wanted if there are.

    What turns out to be like an earlier row, or clashes with one, makes room for the next of its
    path; rows behind the last that is wanted are not looked at.
    """
    shown = {task.shown(model) for task in covering.tasks}
    kept: dict[int, Candidate] = {}
    wanted = asked.n_samples - len(covering.tasks)
    while True:
        order = (_balanced(paths) if asked.mix == "balanced" else list(paths))[:wanted]
        fresh = sorted(set(order).difference(kept))
        if not fresh:
            return [kept[number] for number in order]
        for task in _labelled(model, asked.seed, fresh):
            reason = _left_out(covering, task.row, task.shown(model), shown)
            if reason:
                rejected[reason] += 1
                del paths[task.number]
            else:
                shown.add(task.shown(model))
                kept[task.number] = task


def _left_out(covering: Covering, row: Row, shows: str, shown: set[str]) -> str:
    """Return why a row is left out beside other tasks, "" if it is not."""
    if covering.places.clashes(row):
        return "a reference leads to a record of another task"
    return "another task is alike" if shows in shown else ""


def _balanced(paths: Mapping[int, Path]) -> list[int]:
    """Order rows so that every prefix takes the paths in turn, each in attempt order."""
    groups: defaultdict[Path, list[int]] = defaultdict(list)
    for number, path in paths.items():
        groups[path].append(number)
    rounds = zip_longest(*(groups[path] for path in sorted(groups)))
    return [number for number in chain.from_iterable(rounds) if number is not None]


def _met(
    model: DomainModel, covering: Covering, tasks: Sequence[Candidate]
) -> dict[str, tuple[str, ...]]:
    goals = (*covering.goals, *covering.mutants)
    met = met_by(model, goals, [task.row for task in tasks])
    names = [task.id for task in tasks]
    return {
        goal.id: tuple(name for name, is_met in zip(names, column, strict=True) if is_met)
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
