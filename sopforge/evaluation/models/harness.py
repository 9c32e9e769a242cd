"""Agents run on inspect: its providers, retries and logs; our attempts, grades and rows.

A sample is an attempt. What is graded, counted and kept are our own rows; inspect's log holds the
messages for its viewer, with the same grades.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Protocol

import anyio
from anyio.to_thread import run_sync
from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import Model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from sopforge.errors import SopForgeError
from sopforge.evaluation.agents.agent import AttemptEndedError, EvaluatedAgent
from sopforge.evaluation.models.desk import Counter, Desk
from sopforge.evaluation.models.spending import RunBudgetSpentError
from sopforge.evaluation.packages.package import EvaluatedPackage
from sopforge.evaluation.runs.rows import Asked, RunFolder
from sopforge.evaluation.runs.running import Ended, Tally, add_row, describe_cause, run_attempt
from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.session import Session, open_session
from sopforge.harness.grading.grades import Stop
from sopforge.progress.tracking import track

LOGS = "inspect"
"""The folder below that of a run, for inspect's own logs."""


class ModelAgent(Protocol):
    """Works at a desk until it gives its final text."""

    async def solve(self, desk: Desk) -> None:
        """Solve the task of a desk.

        Raises:
            AttemptEndedError: the model may be asked no more, refuses, or its provider fails.
        """


class Worker(Protocol):
    """What makes the attempts of a run."""

    @property
    def model(self) -> Model | str:
        """The model that inspect names in its log."""

    async def attempt(self, key: str, session: Session[Any], state: TaskState) -> Ended:
        """Make an attempt, known by a key, and return how it ended.

        Raises:
            RunBudgetSpentError: the run may ask nothing any more.
            SopForgeError: this machine cannot confine the tools as asked for.
        """


@dataclass(frozen=True, slots=True)
class ModelWorker:
    """Has a model agent work, for ``time_limit`` seconds at most; several work at once."""

    agent: ModelAgent
    counter: Counter
    time_limit: float

    @property
    def model(self) -> Model:
        """The model that is asked."""
        return self.counter.model

    async def attempt(self, key: str, session: Session[Any], state: TaskState) -> Ended:
        desk = Desk(key, session, self.counter)
        begun = perf_counter()
        stop, says = Stop.TOO_SLOW, f"no answer within {self.time_limit:g} s"
        with anyio.move_on_after(self.time_limit):
            stop, says = await self._solve(desk)
        state.messages = desk.messages
        return Ended(stop, says, perf_counter() - begun, desk.spent)

    async def _solve(self, desk: Desk) -> tuple[Stop, str]:
        try:
            await self.agent.solve(desk)
        except AttemptEndedError as cause:
            return cause.stop, str(cause)
        except (RunBudgetSpentError, SopForgeError):
            raise
        except Exception as cause:  # noqa: BLE001 - whatever a model writes, the run goes on
            return Stop.FAILED, describe_cause(cause)
        return Stop.ANSWER, ""


@dataclass(frozen=True, slots=True)
class PlainWorker:
    """Has an agent work that asks no model through inspect, one task at a time."""

    agent: EvaluatedAgent
    line: anyio.Lock = field(default_factory=anyio.Lock)
    model: str = "none/none"

    async def attempt(self, key: str, session: Session[Any], state: TaskState) -> Ended:  # noqa: ARG002 - protocol
        async with self.line:
            return await run_sync(run_attempt, self.agent, session)


@dataclass(slots=True)
class _Run:
    """Attempts on one package, as inspect goes through them."""

    package: EvaluatedPackage
    worker: Worker
    folder: RunFolder
    tally: Tally
    progress: Iterator[str]
    samples: Mapping[str, Asked]
    environment: Environment[Any]
    broken: list[SopForgeError] = field(default_factory=list)
    made: set[str] = field(default_factory=set)
    is_spent: bool = False

    async def attempt(self, state: TaskState) -> None:
        """Make the attempt of a sample, and add its row; none once the run cannot go on."""
        if self.broken or self.is_spent:
            return
        asked = self.samples[str(state.sample_id)]
        session = open_session(self.environment, asked.task, asked.session_seed)
        try:
            ended = await self.worker.attempt(asked.key, session, state)
        except RunBudgetSpentError:
            # No row: it is neither right nor wrong, and goes on where it was with a larger budget.
            self.is_spent = True
        except SopForgeError as cause:
            self.broken.append(cause)
        else:
            self.tally.add(add_row(self.package, self.folder, asked, session, ended))
            next(self.progress, None)
            self.made.add(asked.key)


def run_on_inspect(
    package: EvaluatedPackage,
    worker: Worker,
    asked: Sequence[Asked],
    folder: RunFolder,
    *,
    concurrency: int,
) -> bool:
    """Make the attempts that have no row yet; return whether all have one now.

    They have not where the run has spent its budget: what is left goes on with a larger one.

    Raises:
        SopForgeError: this machine cannot confine the tools as asked for.
        KeyboardInterrupt: it was interrupted; what is over has its row.
    """
    folder.note_asked(asked)
    samples = {_name_sample(item): item for item in asked if not folder.has(item)}
    if not samples:
        return True
    tally = Tally()
    progress = track(samples, "tasks attempted", name=lambda _: tally.describe())
    next(progress)
    with package.open_environment() as environment:
        run = _Run(package, worker, folder, tally, progress, samples, environment)
        log = _evaluate(run, concurrency)
    if run.broken:
        raise run.broken[0]
    if log is None or log.status == "cancelled":
        raise KeyboardInterrupt
    if log.status == "error":
        raise RuntimeError(log.error.message if log.error else "inspect failed")
    if not run.is_spent and len(run.made) < len(samples):
        lacking = len(samples) - len(run.made)
        raise RuntimeError(f"{lacking} attempts have no row: {_find_error(log)}")
    return not run.is_spent


def _find_error(log: EvalLog) -> str:
    """Return what broke an attempt outside of its agent, as inspect keeps it."""
    errors = (sample.error.message for sample in log.samples or () if sample.error)
    return next(errors, "inspect did not run them")


def _evaluate(run: _Run, concurrency: int) -> EvalLog | None:
    """Have inspect go through the samples; it returns no log where it was interrupted."""
    shown = run.environment.shown
    dataset = [
        Sample(id=name, input=shown.tasks[item.task].text) for name, item in run.samples.items()
    ]
    task = Task(
        dataset=MemoryDataset(dataset, shown.name),
        solver=_attempt(run),
        scorer=_show_grade(run),
        name=shown.name,
        # Inspect's own idea of what a task is does not look at its samples.
        version=run.package.digest,
    )
    with keep_logging():
        logs = _run_inspect(run, task, concurrency)
    return logs[0] if logs else None


@contextmanager
def keep_logging() -> Iterator[None]:
    """Leave the log of this process as it was: inspect sets it up for itself, and for good."""
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    try:
        yield
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers


def _run_inspect(run: _Run, task: Task, concurrency: int) -> list[EvalLog]:
    return evaluate(
        task,
        model=run.worker.model,
        display="none",
        log_dir=str(run.folder.folder / LOGS),
        log_level="error",
        log_realtime=False,
        ctl_server=False,
        fail_on_error=False,
        score_on_error=True,
        max_samples=concurrency,
        max_connections=concurrency,
    )


@solver(name="attempt")
def _attempt(run: _Run) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 - protocol
        await run.attempt(state)
        return state

    return solve


@scorer(metrics={"complete": [mean()], "right": [mean()]}, name="grade")
def _show_grade(run: _Run) -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - protocol
        asked = run.samples[str(state.sample_id)]
        row = run.folder.rows.get(asked.key)
        if row is None:
            return Score(value={"complete": 0, "right": 0}, explanation="not attempted")
        value = {"complete": int(row.grade.is_complete), "right": int(row.grade.is_right)}
        return Score(value=value, explanation=row.says or row.stop, metadata=row.as_record())

    return score


def _name_sample(asked: Asked) -> str:
    return f"{asked.task} epoch {asked.epoch}" if asked.epoch else asked.task
