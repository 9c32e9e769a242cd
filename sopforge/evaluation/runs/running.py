"""Agents are run on the tasks of a package, one attempt after the other, and graded."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

from sopforge.environment.machine import Environment
from sopforge.environment.session import Session, open_session
from sopforge.errors import SopForgeError
from sopforge.evaluation.agents.agent import EvaluatedAgent
from sopforge.evaluation.agents.own_agents import AgentTooSlowError
from sopforge.evaluation.grading.grades import Attempt, Stop
from sopforge.evaluation.packages.package import EvaluatedPackage
from sopforge.evaluation.runs.rows import Asked, Row, RunFolder
from sopforge.progress.tracking import track
from sopforge.seeds import make_stream


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


def run_agent(
    package: EvaluatedPackage,
    agent: EvaluatedAgent,
    tasks: Sequence[str],
    seed: int,
    folder: RunFolder,
) -> list[Row]:
    """Return a row for each task; an attempt whose row is in the folder is not made again.

    Raises:
        SandboxError: this machine cannot confine the tools as asked for.
    """
    shown = package.shown
    asked = [Asked(shown.name, shown.digest, task, agent.name, seed) for task in tasks]
    with package.open_environment() as environment:
        for item in track([item for item in asked if not folder.has(item)], "tasks attempted"):
            folder.add(*_attempt(package, environment, agent, item))
    return [folder.rows[item.key] for item in asked]


def _attempt(
    package: EvaluatedPackage,
    environment: Environment[Any],
    agent: EvaluatedAgent,
    asked: Asked,
) -> tuple[Row, Attempt]:
    session = open_session(environment, asked.task, asked.seed)
    begun = time.perf_counter()
    stop, says = _run_attempt(agent, session)
    seconds = time.perf_counter() - begun
    attempt = Attempt(session.state.events, session.state.answer, stop)
    return Row(asked, stop, says, seconds, package.grade(asked.task, attempt)), attempt


def _run_attempt(agent: EvaluatedAgent, session: Session[Any]) -> tuple[Stop, str]:
    """Have an agent work, and return how it ended, with what broke it if anything did."""
    try:
        agent.solve(session)
    except SopForgeError:
        # The machine's fault and not the agent's: no further task would fare better.
        raise
    except AgentTooSlowError as cause:
        return Stop.TOO_SLOW, str(cause)
    except Exception as cause:  # noqa: BLE001 - an agent may break in any manner, and the run goes on
        return Stop.FAILED, f"{type(cause).__name__}: {cause}"
    return (Stop.GAVE_UP if session.state.answer is None else Stop.ANSWER), ""


def list_divergences(rows: Iterable[Row]) -> dict[str, int]:
    """Return how many attempts leave the gold trajectory first by what, the most frequent first."""
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.grade.divergence] = counts.get(row.grade.divergence, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
