"""What sessions with dials cost: of the reference agent at each level, and of a queue alone."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from rich.table import Table

from sopforge.errors import MaterialError
from sopforge.evaluation.packages.proved import read_proved
from sopforge.harness.environment.session import open_session
from sopforge.harness.layers.desk import open_desk
from sopforge.harness.layers.dials import LEVELS
from sopforge.harness.layers.layered import Cases
from sopforge.harness.layers.layering import put_layers
from sopforge.harness.layers.plain import PlainCases
from sopforge.harness.layers.working import LayeredAgent
from sopforge.language.domain.model import DomainModel
from sopforge.session.layers import FILE, STATEMENT

SEED, TASKS, TRIES = 7, 20, 5
LONG = {"queue": 50}


def dials(package: Path) -> Table:
    """Return sessions a second of the levels of a package, and a queue of 50 without an agent."""
    core = read_proved(package).plain
    shown = Table(title=f"dials of {package.name}", box=None, title_justify="left")
    for column in ("level", "cases a session", "made in", "reference, sessions a second"):
        shown.add_column(column, justify="right")
    for level, doses in {"L0": {}, **LEVELS}.items():
        shown.add_row(level, *_measure(core, doses))
    shown.add_row("50 filings", "50", "", f"{1e3 * _file_all(put_layers(core, LONG, SEED)):.2f} ms")
    return shown


def _measure(core: PlainCases, doses: Mapping[str, int]) -> list[str]:
    begun = time.perf_counter()
    try:
        cases = put_layers(core, doses, SEED)
    except MaterialError as cause:
        return ["", "", str(cause)]
    made = time.perf_counter() - begun
    tasks = list(cases.shown.tasks)[:TASKS]
    seconds = min(_work(cases, core.model, tasks) for _ in range(TRIES))
    size = max(len(paths) for paths in cases.paths.values())
    return [str(size), f"{made:.1f} s", f"{len(tasks) / seconds:,.0f}"]


def _work(cases: Cases, model: DomainModel, tasks: list[str]) -> float:
    """Return the seconds that the reference agent takes for some tasks."""
    begun = time.perf_counter()
    for task in tasks:
        LayeredAgent(model).work(open_desk(open_session(cases.environment, task)))
    return time.perf_counter() - begun


def _file_all(cases: Cases) -> float:
    """Return the seconds of a session in which each case is filed at once, at best."""
    task, best = next(iter(cases.shown.tasks)), float("inf")
    for _ in range(TRIES):
        session = open_session(cases.environment, task)
        begun = time.perf_counter()
        for _ in range(LONG["queue"]):
            session.call(FILE, {STATEMENT: ""})
        best = min(best, time.perf_counter() - begun)
    return best
