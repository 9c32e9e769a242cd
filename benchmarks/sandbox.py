"""What confinement costs: a new process, and calls, at each level beside plain Python."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

from rich.table import Table

from sopforge.sandbox.answers import Call
from sopforge.sandbox.levels import Level
from sopforge.sandbox.process import ToolProcess
from sopforge.sandbox.zygotes import Zygote

CALLS = 1_000
TRIES = 21


def sandbox(files: dict[str, bytes], call: Call) -> Table:
    """Return the times of a module's process and of a thousand of its calls, by the clock."""
    shown = Table(title="the sandbox", box=None, title_justify="left")
    for column in ("level", "zygote", "fresh, with a call", "of Python's start"):
        shown.add_column(column, justify="right")
    for column in (f"{CALLS:,} calls at once", "one by one"):
        shown.add_column(column, justify="right")
    plain = _best(lambda: subprocess.run([sys.executable, "-I", "-S", "-c", ""], check=True))
    for level in (Level.STRONG, Level.KERNEL, Level.LIMITS):
        started = time.perf_counter()
        with Zygote(0) as zygote:
            ready = time.perf_counter() - started

            def fresh(zygote: Zygote = zygote, level: Level = level) -> None:
                with ToolProcess(files=files, level=level, zygote=zygote) as tools:
                    tools.call(*call)

            seconds = _best(fresh)
            with ToolProcess(files=files, level=level, zygote=zygote) as tools:
                at_once, one_by_one = _thousand(tools, call)
        ratio = f"{seconds / plain:.2f}"
        shown.add_row(level, *_ms(ready, seconds), ratio, *_ms(at_once, one_by_one))
    return shown


def _thousand(tools: ToolProcess, call: Call) -> tuple[float, float]:
    def one_by_one() -> None:
        for _ in range(CALLS):
            tools.call(*call)

    return _best(lambda: tools.call_many([call] * CALLS)), _best(one_by_one)


def _best(work: Callable[[], object]) -> float:
    """Return the seconds of some work, the best of several."""
    best = float("inf")
    for _ in range(TRIES):
        started = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - started)
    return best


def _ms(*seconds: float) -> list[str]:
    return [f"{value * 1000:.1f} ms" for value in seconds]
