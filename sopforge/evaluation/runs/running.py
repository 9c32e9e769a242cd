"""Agents are run on the tasks of a package, one attempt after the other, and graded."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any

from sopforge.errors import SopForgeError
from sopforge.evaluation.agents.agent import AttemptEndedError, EvaluatedAgent
from sopforge.evaluation.packages.package import EvaluatedPackage
from sopforge.evaluation.runs.rows import NOTHING_SPENT, Asked, Row, RunFolder, Spent
from sopforge.harness.environment.session import Session, open_session
from sopforge.harness.grading.grades import Attempt, Stop
from sopforge.progress.tracking import track
from sopforge.sandbox.answers import JSON
from sopforge.seeds import make_stream

LONGEST_SAID = 500


def choose_tasks(package: EvaluatedPackage, count: int, seed: int) -> list[str]:
    """Return the ids of so many tasks, drawn by the seed, in the package's order; of 0, of all.

    More tasks are the same ones and further ones.
    """
    ids = list(package.shown.tasks)
    if not count:
        return ids
    order = sorted(ids, key=lambda task: make_stream(seed, "evaluated", task).draw_at(0))
    chosen = set(order[:count])
    return [task for task in ids if task in chosen]


def ask_for(
    package: EvaluatedPackage,
    tasks: Sequence[str],
    agent: str,
    seed: int,
    settings: str = "",
    *,
    epochs: int = 1,
) -> list[Asked]:
    """Return what is asked of an agent: in each epoch an attempt at each task."""
    shown = package.shown
    return [
        Asked(shown.name, package.digest, task, agent, seed, epoch, settings)
        for epoch in range(epochs)
        for task in tasks
    ]


def add_layer_settings(package: EvaluatedPackage, asked: Sequence[Asked]) -> list[Asked]:
    """Return what is asked for, of which what the layers do at its task is a part."""
    return [
        replace(item, settings=_add_layers(item.settings, layers))
        if (layers := package.describe_layers(item.task))
        else item
        for item in asked
    ]


def _add_layers(settings: str, layers: Mapping[str, JSON]) -> str:
    """Return the settings of an agent with those of layers, as JSON."""
    return json.dumps({**(json.loads(settings) if settings else {}), **layers}, sort_keys=True)


@dataclass(slots=True)
class Tally:
    """What a run has come to so far: of so many attempts so many right, at so much."""

    attempts: int = 0
    right: int = 0
    cost: float = 0.0
    cut_off: int = 0

    def add(self, row: Row) -> None:
        """Count an attempt."""
        self.attempts += 1
        self.right += row.grade.is_right
        self.cost += row.spent.cost or 0.0
        self.cut_off += row.spent.cut_off

    def describe(self) -> str:
        """Return it in few words, none before the first attempt is over."""
        if not self.attempts:
            return ""
        paid = f", ${self.cost:.2f}" if self.cost else ""
        paid += f", {self.cut_off} cut off" if self.cut_off else ""
        return f"TSR {self.right / self.attempts:.3f}{paid}"


@dataclass(frozen=True, slots=True)
class Ended:
    """How an attempt ended, what broke it if anything did, and what it took; time in seconds."""

    stop: Stop
    says: str
    seconds: float
    spent: Spent = NOTHING_SPENT


def run_agent(
    package: EvaluatedPackage,
    agent: EvaluatedAgent,
    asked: Sequence[Asked],
    folder: RunFolder,
) -> list[Row]:
    """Return a row for each attempt asked for; one whose row is in the folder is not made again.

    Raises:
        SandboxError: this machine cannot confine the tools as asked for.
    """
    tally = Tally()
    folder.note_asked(asked)
    left = [item for item in asked if not folder.has(item)]
    with package.open_environment() as environment, open_agent(agent):
        for item in track(left, "tasks attempted", name=lambda _: tally.describe()):
            session = open_session(environment, item.task, item.session_seed)
            tally.add(add_row(package, folder, item, session, run_attempt(agent, session)))
    return [folder.rows[item.key] for item in asked]


def open_agent(agent: EvaluatedAgent) -> AbstractContextManager[object]:
    """Return what keeps open for all tasks what an agent needs, if it needs anything."""
    return agent if isinstance(agent, AbstractContextManager) else nullcontext()


def run_attempt(agent: EvaluatedAgent, session: Session[Any]) -> Ended:
    """Have an agent work, and return how it ended.

    Raises:
        SopForgeError: it is the machine's fault and not the agent's: no task would fare better.
    """
    begun = time.perf_counter()
    stop, says = _solve(agent, session)
    return Ended(stop, says, time.perf_counter() - begun)


def _solve(agent: EvaluatedAgent, session: Session[Any]) -> tuple[Stop, str]:
    interrupts: list[int] = []
    try:
        with _note_interrupts(interrupts):
            agent.solve(session)
    except SopForgeError:
        raise
    except AttemptEndedError as cause:
        return cause.stop, str(cause)
    except BaseException as cause:
        if interrupts:
            raise
        return Stop.FAILED, describe_cause(cause)
    return (Stop.GAVE_UP if session.state.answer is None else Stop.ANSWER), ""


@contextmanager
def _note_interrupts(noted: list[int]) -> Iterator[None]:
    """Note each Ctrl-C of the user: an agent may raise ``KeyboardInterrupt`` itself."""
    before = signal.getsignal(signal.SIGINT)
    # Only the main thread gets signals. Where none is raised by one, nothing is to be noted.
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)
        before(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def describe_cause(cause: BaseException) -> str:
    """Return what an exception is and says, no longer than a person reads."""
    try:
        said = " ".join(str(cause).split())
    except Exception:  # noqa: BLE001 - whose words are code of somebody else
        said = ""
    return f"{type(cause).__name__}: {said}"[:LONGEST_SAID]


def add_row(
    package: EvaluatedPackage,
    folder: RunFolder,
    asked: Asked,
    session: Session[Any],
    ended: Ended,
) -> Row:
    """Return the row of an attempt that is over, added to its folder."""
    attempt = Attempt(session.state.events, session.state.answer, ended.stop)
    grade = package.grade(asked.task, attempt)
    row = Row(asked, ended.stop, ended.says, ended.seconds, grade, ended.spent)
    folder.add(row, attempt)
    return row


def list_divergences(rows: Iterable[Row]) -> dict[str, int]:
    """Return how many attempts leave the gold trajectory first by what, the most frequent first."""
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.grade.divergence] = counts.get(row.grade.divergence, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
