"""``make bench``: CPU time of the parts that users wait for, beside a plain alternative."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from benchmarks.paths import paths
from benchmarks.readings import labelling, solving
from benchmarks.sampling import tables
from sopforge.dataset.oracle import label
from sopforge.dataset.sampling import sample_rows
from sopforge.domain.tasks import GoldCall
from sopforge.sandbox.process import ToolProcess
from sopforge.stages.briefs import load_brief
from sopforge.stages.pipeline import STAGES, advance, approved_versions, workspace_of
from sopforge.store.local import LocalStore
from sopforge.workspace import RECORDS, TOOLS, Workspace

BRIEF = Path("briefs/patient_intake.yaml")
ROWS = 2_000
CALLS = 2_000


def main() -> None:
    """Print one table; each figure is CPU seconds of this process unless it says otherwise."""
    brief = load_brief(BRIEF)
    shown = Table(title=f"{BRIEF.name}", box=None, title_justify="left")
    for column in ("what", "figure", "beside"):
        shown.add_column(column)
    with TemporaryDirectory() as home:
        store = LocalStore(Path(home))
        seconds = cpu(lambda: advance(store, brief, approve_clean=True))
        shown.add_row(f"all {len(STAGES)} stages, cold", f"{seconds:.2f} s", "")
        again = cpu(lambda: advance(store, brief, approve_clean=True))
        shown.add_row(
            "the same again, nothing stale", f"{again:.2f} s", f"{again / seconds:.3f} of it"
        )
        workspace = workspace_of(brief, approved_versions(store, brief))
    model = workspace.model
    rows = sample_rows(model, 0, range(ROWS))
    labelled = cpu(lambda: [label(model, row) for row in rows])
    shown.add_row("rows walked one by one", f"{ROWS / labelled:,.0f} a second", "")
    ours, reading = wall_of_calls(workspace)
    shown.add_row(
        "a tool call, wall", f"{ours * 1e6:,.0f} µs", f"{ours / reading:.3f} of reading the CSV"
    )
    screen = Console()
    for table in (shown, *tables(), labelling(), solving(), paths()):
        screen.print(table)


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds of some work."""
    started = time.process_time()
    work()
    return time.process_time() - started


def wall_of_calls(workspace: Workspace) -> tuple[float, float]:
    """Return seconds per call of the published tools, and per reading of their records."""
    calls: list[GoldCall] = [call for task in workspace.tasks for call in task.calls]
    batch = [
        (call.tool, dict(call.arguments)) for call in (calls * (CALLS // len(calls) + 1))[:CALLS]
    ]
    files = {"tools.py": workspace.files[TOOLS], "records.csv": workspace.files[RECORDS]}
    stored = {name: text.encode() for name, text in files.items()}
    with ToolProcess(Path(), files=stored) as process:
        started = time.perf_counter()
        process.call_many(batch)
        ours = (time.perf_counter() - started) / CALLS
    started = time.perf_counter()
    for _ in range(100):
        json.dumps(list(csv.DictReader(io.StringIO(files["records.csv"]))))
    return ours, (time.perf_counter() - started) / 100


if __name__ == "__main__":
    main()
