"""The tasks: first one row per coverage goal, then filling rows in the asked mix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.documents.schema import DatasetDocument
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.text_shapes import find_shape
from sopforge.language.domain.values.types import TextType
from sopforge.language.logic.tool_calls import Refused, answer_tool_call
from sopforge.language.logic.walking import ToolCall
from sopforge.progress.tracking import track
from sopforge.proof.dataset.coverage.covering import Covering, cover_goals
from sopforge.proof.dataset.coverage.goal_rows import Witnesses
from sopforge.proof.dataset.coverage.goals.goal import PLURALS
from sopforge.proof.dataset.coverage.noticing import Noticed
from sopforge.proof.dataset.coverage.path_rows import PathCovering, cover_paths
from sopforge.proof.dataset.coverage.sighting import Sighting, find_sightings
from sopforge.proof.dataset.coverage.written_rows import WRITTEN, Cells
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.pairs.refusal_pairs import Paired, find_pairs
from sopforge.proof.dataset.sampling.candidates import FILL, GOAL, Candidate
from sopforge.proof.dataset.sampling.filling import ALIKE, Filling, iterate_batches, label_rows
from sopforge.proof.dataset.sampling.pattern_texts import count_numbered_texts
from sopforge.proof.dataset.sampling.placing import count_texts_to_draw
from sopforge.proof.dataset.sampling.rows import DrawnRow
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.dataset.sampling.screening import screen_rows
from sopforge.seeds import draw

EXAMPLE_ATTEMPTS = 4_000
MOST_RAISED = 2
"""How many times the tasks that were asked for there may be, for the goals' sake."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The chosen tasks, which of them show each goal, and what became of all attempts."""

    tasks: tuple[Candidate, ...]
    covering: Covering
    paths: PathCovering
    sightings: Mapping[str, Sighting]
    attempts: int
    rejected: Mapping[str, int]
    paired: Paired | None = None

    @property
    def path_report(self) -> dict[str, object]:
        """What is known of the control paths beside those that tasks take."""
        return self.paths.build_report({tuple(task.walk.path) for task in self.tasks})


def draw_tasks(
    model: DomainModel,
    asked: DatasetDocument,
    written: Sequence[Cells] = (),
    witnesses: Witnesses | None = None,
) -> Draw:
    """Return ``n_samples`` tasks, or as many as the goals need where these are up to twice as many.

    Equal models and equal documents give equal tasks.

    More samples only add tasks among those of fewer. Of rows that somebody wrote there are as many
    as leave room for those that cover what they do not. ``witnesses`` are those of ``with_room``.

    Raises:
        MaterialError: the goals need more than twice the tasks asked for, or too few rows satisfy
            the model.
    """
    witnesses, level = witnesses or Witnesses(), Noticed(asked.coverage.noticed_by)
    covering = cover_goals(model, asked.seed, written, witnesses, level)
    if written and len(covering.tasks) > asked.n_samples:
        least = cover_goals(model, asked.seed, (), witnesses, level)
        room = max(0, asked.n_samples - len(least.tasks))
        covering = cover_goals(model, asked.seed, written[:room], witnesses, level)
    paired = None
    if model.operations is not None:
        paired = find_pairs(
            model, covering.tasks, covering.rows.places, covering.rows.draw_full_row
        )
        covering.tasks = list(paired.tasks)
    asked = _raise_sample_count(asked, covering)
    by_path = cover_paths(model, asked, covering)
    shown = {task.format_visible_data(model) for task in (*covering.tasks, *by_path.tasks)}
    filling = Filling(model, asked, covering.rows.places, shown)
    filling.count(task for task in covering.tasks if task.key.startswith(WRITTEN))
    rows = filling.iterate_rows(_compute_most_attempts(model))
    tasks = list(covering.tasks)
    # Rows for paths begin at a fixed place, so that more samples keep those of fewer.
    tasks += _take_rows(rows, min(by_path.place, asked.n_samples) - len(tasks))
    tasks += _shuffle_tasks(by_path.tasks, asked.seed)[: asked.n_samples - len(tasks)]
    tasks += _take_rows(rows, asked.n_samples - len(tasks))
    if len(tasks) < asked.n_samples:
        raise MaterialError(
            _make_too_few_fault(model, asked.n_samples, _count_filling(tasks), filling)
        )
    # As they were made, a task's place would show what it is for, and in a mix what is right.
    tasks = _shuffle_tasks(tasks, asked.seed)
    seen = index_sightings(covering, tasks)
    rejected = dict(filling.rejected)
    return Draw(tuple(tasks), covering, by_path, seen, filling.attempts, rejected, paired)


def with_room(model: DomainModel, asked: DatasetDocument, witnesses: Witnesses) -> DatasetDocument:
    """Return what is asked for with as many tasks as cover the goals, if these are more."""
    level = Noticed(asked.coverage.noticed_by)
    needed = len(cover_goals(model, asked.seed, (), witnesses, level).tasks)
    return asked.model_copy(update={"n_samples": max(needed, asked.n_samples)})


def _raise_sample_count(asked: DatasetDocument, covering: Covering) -> DatasetDocument:
    needed = len(covering.tasks)
    if needed > MOST_RAISED * asked.n_samples:
        raise MaterialError(_make_too_few_tasks_fault(asked, covering))
    return asked.model_copy(update={"n_samples": max(needed, asked.n_samples)})


def _make_too_few_tasks_fault(asked: DatasetDocument, covering: Covering) -> Fault:
    """Return the fault that so few tasks cannot show all goals, and which goals need how many."""
    needed = len(covering.tasks)
    kinds = {f"{GOAL}{goal.id}": PLURALS[goal.kind] for goal in covering.all_goals}
    counts = Counter(kinds.get(task.key, "other cases") for task in covering.tasks)
    most = ", ".join(f"{count} for {kind}" for kind, count in counts.most_common())
    message = (
        f"{asked.n_samples} tasks were asked for, but covering every goal needs {needed}: {most}"
    )
    hint = (
        f"write n_samples: {-(-needed // MOST_RAISED)} or more; up to twice as many tasks are made"
    )
    if Noticed(asked.coverage.noticed_by) is not Noticed.PRIMARY:
        hint += ". Or ask for less: coverage: {noticed_by: primary}"
    return Fault("n-samples-too-small", message, "dataset.n_samples", hint)


def _take_rows(rows: Iterator[Candidate], count: int) -> Iterator[Candidate]:
    wanted = max(0, count)
    return track(islice(rows, wanted), "tasks drawn to fill up", wanted)


def _count_filling(tasks: Iterable[Candidate]) -> int:
    return sum(task.key.startswith(FILL) for task in tasks)


def _shuffle_tasks(tasks: Iterable[Candidate], seed: int) -> list[Candidate]:
    return sorted(tasks, key=lambda task: draw(seed, "turn", task.number))


def redraw(model: DomainModel, seed: int, rows: Iterable[DrawnRow]) -> list[Candidate]:
    """Return rows again, labelled by a model that may have further fields; those are drawn."""
    given = list(rows)
    drawn = sample_rows(model, seed, [item.number for item in given])
    whole = [{**row, **item.row} for row, item in zip(drawn, given, strict=True)]
    return [
        Candidate(item.id, item.key, item.number, row, label_row(model, row), item.pair)
        for item, row in zip(given, whole, strict=True)
    ]


def draw_example_calls(model: DomainModel, asked: DatasetDocument) -> dict[str, ToolCall]:
    """Return a call of each tool, from rows that are drawn as tasks are and are none of them."""
    found: dict[str, ToolCall] = {}
    called = {step.call for step in model.steps.values() if step.call is not None}
    *_, batch = iterate_batches(asked.n_samples, _compute_most_attempts(model))
    # Beyond all rows that can be tasks: an example must not be the answer of one.
    found_rows = screen_rows(model, asked.seed, range(batch.last, batch.last + EXAMPLE_ATTEMPTS))
    for task in label_rows(model, asked.seed, list(found_rows.paths)):
        answered = [call for call in task.walk.calls if not isinstance(call.result, Refused)]
        beside = _answer_uncalled_tools(model, task, called)
        found = {**{call.tool: call for call in (*answered, *beside)}, **found}
        if called <= set(found):
            break
    return found


def _answer_uncalled_tools(
    model: DomainModel, task: Candidate, called: Collection[str]
) -> Iterator[ToolCall]:
    """Return what the tools that no step calls would answer about a case."""
    known = {**task.row, **task.walk.known}
    for tool in model.tools.values():
        arguments = {name: known.get(name) for name in tool.takes}
        if tool.name not in called and None not in arguments.values():
            result = answer_tool_call(model, tool, arguments, task.row)
            if not isinstance(result, Refused):
                yield ToolCall(tool.name, arguments, result)


def _compute_most_attempts(model: DomainModel) -> int | None:
    """Return how many rows can be drawn: a field of unique texts keeps some for the goals' rows."""
    return min(map(count_texts_to_draw, _count_unique_texts(model).values()), default=None)


def _count_unique_texts(model: DomainModel) -> dict[str, int]:
    """Return how many texts each field of unique texts has."""
    unique = [item for item in model.fields.values() if item.sampling.unique]
    shapes = {
        item.name: find_shape(item.type) for item in unique if isinstance(item.type, TextType)
    }
    return {
        name: count_numbered_texts(shape) for name, shape in shapes.items() if shape is not None
    }


def index_sightings(covering: Covering, tasks: Sequence[Candidate]) -> dict[str, Sighting]:
    """Return for each goal, by name, which of the tasks show it."""
    if covering.noticing is None:
        return {}
    goals, rows = covering.all_goals, [task.row for task in tasks]
    found = find_sightings(covering.rows.model, goals, rows, "the tasks")
    return {goal.id: item for goal, item in zip(goals, found, strict=True)}


def _make_too_few_fault(model: DomainModel, asked: int, found: int, filling: Filling) -> Fault:
    attempts = filling.attempts
    message = f"{asked} tasks were asked for, but only {found} of {attempts} rows fit the model"
    common = filling.rejected.most_common(3)
    reasons = ", ".join(f"{reason} ({count} rows)" for reason, count in common)
    hint = f"loosen what rows fail at: {reasons}"
    if common and common[0][0] == ALIKE:
        hint = "widen what the fields can hold, or ask for fewer tasks: most rows are like others"
    for name, texts in _count_unique_texts(model).items():
        # The texts ran out before anything else did, so that no other advice would help.
        if count_texts_to_draw(texts) == attempts:
            needed = 2 * asked * attempts // max(found, 1)
            hint = f"let '{name}' have {needed} texts, not {texts}: some are kept for goals' rows"
    return Fault("too-few-rows", message, "dataset.n_samples", hint)
