"""What a call costs in the environment that a package carries, beside our own environments."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from rich.table import Table

from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.model_service import make_model_service
from sopforge.harness.environment.shown import read_shown
from sopforge.harness.environment.tools_service import ToolsService
from sopforge.language.domain.tasks import Task
from sopforge.pipeline.releases.package_files import build_level_files
from sopforge.pipeline.stages.complexity import collect_variants
from sopforge.store.backends.atomic_files import fill_folder
from sopforge.workspace import Workspace

TRIES = 25
COLUMNS = ("domain", "gold calls", "carried", "its start", "model", "ratio", "tools confined")


def sessions(workspaces: Mapping[str, Workspace]) -> Table:
    """Return microseconds by the clock for a gold call; only the carried start is apart from it."""
    shown = Table(title="calls of a session", box=None, title_justify="left")
    for column in COLUMNS:
        shown.add_column(column, justify="right")
    for name, workspace in workspaces.items():
        shown.add_row(name, *_measure(workspace))
    return shown


def _measure(workspace: Workspace) -> list[str]:
    variant = collect_variants(workspace)["L0"]
    with TemporaryDirectory() as home:
        folder = Path(home) / "package"
        files = build_level_files(variant, "L0", "1.0.0", {})
        fill_folder(folder, {name: text for name, text in files.items() if isinstance(text, str)})
        carried = _load(folder / "environment.py").Environment()
        shown, tasks = read_shown(folder), variant.tasks
        service = make_model_service(variant.model, variant.records, shown.tasks.values())
        count = sum(len(task.calls) for task in tasks)
        # Python looks for garbage as sessions are made: not among what was left by the generation.
        gc.collect()
        gc.freeze()
        played = [_play_carried(carried, tasks) for _ in range(TRIES)]
        start, own = (min(times) for times in zip(*played, strict=True))
        by_model = _best(lambda: _play(Environment(shown, service), tasks))
        keeps_state = any(tool.effects for tool in variant.model.tools.values())
        with ToolsService(shown.files, keeps_state) as tools:
            confined = _best(lambda: _play(Environment(shown, tools), tasks), tries=2)
    times = (own / count, start / len(tasks), by_model / count)
    ratio = f"{by_model / own:.1f}"
    return [str(count), *map(_format, times), ratio, _format(confined / count)]


def _play_carried(
    environment: Any,  # noqa: ANN401 - a module of a package has no types
    tasks: tuple[Task, ...],
) -> tuple[float, float]:
    """Return the seconds of starts, and those of calls."""
    starts = calls = 0.0
    for task in tasks:
        begun = time.perf_counter()
        session = environment.start(task.id)
        started = time.perf_counter()
        for call in task.calls:
            session.call(call.tool, call.arguments)
        starts, calls = starts + started - begun, calls + time.perf_counter() - started
    return starts, calls


def _play(environment: Environment[Any], tasks: tuple[Task, ...]) -> None:
    for task in tasks:
        state = environment.start(task.id)
        for call in task.calls:
            state = environment.call(state, call.tool, call.arguments)


def _load(file: Path) -> ModuleType:
    spec = spec_from_file_location(f"carried {file}", file)
    if spec is None or spec.loader is None:
        raise AssertionError("it is a module in Python")
    module = module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


def _best(work: Callable[[], object], tries: int = TRIES) -> float:
    """Return the seconds of some work, the best of several."""
    best = float("inf")
    for _ in range(tries):
        started = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - started)
    return best


def _format(seconds: float) -> str:
    return f"{seconds * 1e6:,.1f} µs"
