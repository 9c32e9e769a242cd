"""``make bench``: how fast the parts are that users wait for, each beside a plain alternative.

``make bench ONLY=sampling``, or ``python -m benchmarks sampling readings``, prints some tables.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from rich.console import Console
from rich.table import Table

from benchmarks.clock import cpu_seconds
from benchmarks.dials import dials
from benchmarks.domains import domains
from benchmarks.generation import tabulate
from benchmarks.paths import paths
from benchmarks.readings import labelling, solving
from benchmarks.reruns import reruns, startup
from benchmarks.review_pages import review_pages
from benchmarks.sampling import tables
from benchmarks.sandbox import sandbox
from benchmarks.sessions import sessions
from benchmarks.tools import tools
from sopforge.language.domain.documents.schema import suggest
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.pipeline.stages.pipeline import advance, build_workspace, list_approved_versions
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.sandbox.answers import JSONValue
from sopforge.store.opening import open_store
from sopforge.workspace import TOOLS, Workspace
from tests.running.commands import run

BRIEF = Path("briefs/patient_intake.yaml")
ROWS = 2_000


@cache
def make_workspace(path: Path = BRIEF) -> Workspace:
    """Return the workspace of a brief, generated once for the tables that need one."""
    brief = load_brief(path)
    with TemporaryDirectory() as home:
        store = open_store(Path(home))
        advance(store, brief, approve_clean=True)
        return build_workspace(brief, list_approved_versions(store, brief))


def walking() -> Table:
    """Return how fast rows are labelled one by one."""
    model = load_brief(BRIEF).model
    rows = sample_rows(model, 0, range(ROWS))
    seconds = cpu_seconds(lambda: [label_row(model, row) for row in rows])
    shown = Table("what", "figure", title=BRIEF.name, box=None, title_justify="left")
    shown.add_row("rows walked one by one", f"{ROWS / seconds:,.0f} a second")
    return shown


def calling() -> Iterator[Table]:
    """Yield how fast tools answer in the sandbox, and without it."""
    workspace = make_workspace()
    files = {"tools.py": workspace.files[TOOLS], **workspace.records}
    call = workspace.tasks[0].calls[0]
    arguments = cast("dict[str, JSONValue]", dict(call.arguments))
    yield sandbox({name: text.encode() for name, text in files.items()}, (call.tool, arguments))
    yield tools(workspace)


def serving() -> Iterator[Table]:
    """Yield how fast calls are answered over MCP, and without it."""
    # Slow to import, and there with the extra alone.
    from benchmarks.mcp_calls import Gold, mcp_calls  # noqa: PLC0415

    task = make_workspace().tasks[0]
    with TemporaryDirectory() as home:
        package = publish_brief(home)
        yield mcp_calls(Gold(package, task.id, task.calls[0].tool, task.calls[0].arguments))


def replying() -> Iterator[Table]:
    """Yield what a model's reply costs on a package that is published for it."""
    # Slow to import, and there with the extra alone.
    from benchmarks.model_calls import model_calls  # noqa: PLC0415

    with TemporaryDirectory() as home:
        yield model_calls(publish_brief(home))


def publish_brief(home: str) -> Path:
    """Return the package of a brief, published in a new store."""
    for command in (["generate", str(BRIEF), "--approve-clean"], ["publish", BRIEF.stem]):
        if (done := run(*command, "--store", home)).code:
            raise RuntimeError(done.err)
    return Path(home) / BRIEF.stem / "releases" / "1.0.0" / BRIEF.stem


def layering() -> Iterator[Table]:
    """Yield what sessions with dials cost, on a package that is published for it."""
    with TemporaryDirectory() as home:
        yield dials(publish_brief(home))


def environment() -> Table:
    """Return how fast sessions go on in the environment that a package carries."""
    briefs = (BRIEF, BRIEF.with_name("dangerous_goods.yaml"))
    return sessions({path.stem: make_workspace(path) for path in briefs})


# The quick ones first, so that there is soon something to read.
TABLES: Mapping[str, Callable[[], Iterable[Table]]] = {
    "walking": lambda: [walking()],
    "sampling": tables,
    "readings": lambda: [labelling(), solving()],
    "tools": calling,
    "mcp": serving,
    "environment": lambda: [environment()],
    "dials": layering,
    "paths": lambda: [paths()],
    "review": lambda: [review_pages()],
    "domains": lambda: [domains()],
    "replies": replying,
    "generation": tabulate,
    "reruns": lambda: [startup(), reruns()],
}


def main(names: Sequence[str]) -> int:
    """Print the named tables, or all of them, each as soon as it is ready."""
    screen = Console()
    for name in names:
        if name not in TABLES:
            hint = suggest(name, list(TABLES)) or f"tables are {', '.join(TABLES)}"
            Console(stderr=True).print(f"there is no table '{name}'; {hint}", highlight=False)
            return 2
    for name in names or TABLES:
        for table in TABLES[name]():
            screen.print(table)
            screen.print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
