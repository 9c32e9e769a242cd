"""``make bench``: CPU time of the parts that users wait for, beside a plain alternative."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from rich.console import Console
from rich.table import Table

from benchmarks.domains import domains
from benchmarks.paths import paths
from benchmarks.readings import labelling, solving
from benchmarks.reruns import reruns
from benchmarks.review_pages import review_pages
from benchmarks.sampling import tables
from benchmarks.sandbox import sandbox
from benchmarks.tools import tools
from sopforge.briefs.brief_files import load_brief
from sopforge.dataset.oracle import label_row
from sopforge.dataset.sampling.sampling import sample_rows
from sopforge.sandbox.answers import JSONValue
from sopforge.stages.pipeline import STAGES, advance, build_workspace, list_approved_versions
from sopforge.store.opening import open_store
from sopforge.workspace import TOOLS, Workspace

BRIEF = Path("briefs/patient_intake.yaml")
ROWS = 2_000


def main() -> None:
    """Print one table; each figure is CPU seconds of this process unless it says otherwise."""
    brief = load_brief(BRIEF)
    shown = Table(title=f"{BRIEF.name}", box=None, title_justify="left")
    for column in ("what", "figure", "beside"):
        shown.add_column(column)
    with TemporaryDirectory() as home:
        store = open_store(Path(home))
        seconds = cpu(lambda: advance(store, brief, approve_clean=True))
        shown.add_row(f"all {len(STAGES)} stages, cold", f"{seconds:.2f} s", "")
        again = cpu(lambda: advance(store, brief, approve_clean=True))
        shown.add_row(
            "the same again, nothing stale", f"{again:.2f} s", f"{again / seconds:.3f} of it"
        )
        workspace = build_workspace(brief, list_approved_versions(store, brief))
    model = workspace.model
    rows = sample_rows(model, 0, range(ROWS))
    labelled = cpu(lambda: [label_row(model, row) for row in rows])
    shown.add_row("rows walked one by one", f"{ROWS / labelled:,.0f} a second", "")
    screen = Console()
    called = (sandbox(*tools_of(workspace)), tools(workspace))
    looked = (reruns(), domains(), review_pages())
    for table in (shown, *looked, *called, *tables(), labelling(), solving(), paths()):
        screen.print(table)


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds of some work."""
    started = time.process_time()
    work()
    return time.process_time() - started


def tools_of(workspace: Workspace) -> tuple[dict[str, bytes], tuple[str, dict[str, JSONValue]]]:
    """Return the files of the published tools, and the first call that a task needs."""
    files = {"tools.py": workspace.files[TOOLS], **workspace.records}
    call = workspace.tasks[0].calls[0]
    return {name: text.encode() for name, text in files.items()}, (
        call.tool,
        cast("dict[str, JSONValue]", dict(call.arguments)),
    )


if __name__ == "__main__":
    main()
