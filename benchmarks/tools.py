"""What a call of the published tools costs, beside a tool that reads its records on every call."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from rich.table import Table

from sopforge.language.domain.tasks import GoldCall
from sopforge.workspace import TOOLS, Workspace

CALLS = 5_000


def tools(workspace: Workspace) -> Table:
    """Return the CPU time of the gold calls of each tool, with all that they check."""
    shown = Table(title="the tools", box=None, title_justify="left")
    for column in ("tool", "CPU a call", "records read on each call"):
        shown.add_column(column, justify="right")
    with TemporaryDirectory() as folder:
        for name, text in {"tools.py": workspace.files[TOOLS], **workspace.records}.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        manager = _manager(Path(folder))
        path = Path(folder) / workspace.model.name_records_file(workspace.model.case)
        reading = _micro(lambda: _read(path), 20)
        for tool, calls in _calls(workspace).items():
            spent = _micro(partial(_call_all, manager, calls), 1)
            each = spent / len(calls)
            shown.add_row(tool, f"{each:.1f} us", f"{each + reading:,.0f} us")
    return shown


def _calls(workspace: Workspace) -> Mapping[str, list[GoldCall]]:
    found: dict[str, list[GoldCall]] = {}
    for call in (call for task in workspace.tasks for call in task.calls if not call.refusal):
        found.setdefault(call.tool, []).append(call)
    return {tool: (calls * CALLS)[:CALLS] for tool, calls in found.items()}


def _call_all(manager: Any, calls: list[GoldCall]) -> None:  # noqa: ANN401 - an emitted class
    for call in calls:
        manager.process_tool_call(call.tool, call.arguments)


def _manager(folder: Path) -> Any:  # noqa: ANN401 - an emitted class
    module = ModuleType("tools")
    module.__file__ = str(folder / "tools.py")
    source = (folder / "tools.py").read_text(encoding="utf-8")
    exec(compile(source, "tools.py", "exec"), vars(module))  # noqa: S102 - our own output
    return next(kind for name, kind in vars(module).items() if name.endswith("Manager"))()


def _read(path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        list(csv.DictReader(file))


def _micro(work: Callable[[], object], times: int) -> float:
    """Return the CPU microseconds of some work, the best of three."""
    best = float("inf")
    for _ in range(3):
        started = time.process_time()
        for _ in range(times):
            work()
        best = min(best, (time.process_time() - started) / times)
    return best * 1e6
