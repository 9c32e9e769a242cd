"""From a brief to a published package, stage by stage, beside how much is proved.

Seconds alone could fall because less is done; the counts beside them must not.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from benchmarks.clock import cpu_seconds
from sopforge.checks.tools.tools_agree import list_trials
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.stages.building.orders import Order
from sopforge.pipeline.stages.pipeline import (
    STAGES,
    advance,
    build_version,
    build_workspace,
    list_approved_versions,
)
from sopforge.store.opening import open_store
from sopforge.store.versions import DomainStore, Version
from sopforge.workspace import COVERAGE, Workspace

NAMES = ("patient_intake", "dangerous_goods", "referral_abuse")
BRIEFS = tuple(Path("briefs", f"{name}.yaml") for name in NAMES)


@dataclass(slots=True)
class Generated:
    """The CPU seconds of each stage and of publishing, all of it by the clock, and the counts."""

    brief: str
    stages: dict[str, float] = field(default_factory=dict)
    publishing: float = 0.0
    elapsed: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """The CPU seconds of all of it."""
        return sum(self.stages.values()) + self.publishing


def main(names: Iterable[str]) -> None:
    """Print the tables of the named briefs, or of the shipped ones."""
    screen = Console()
    for table in tabulate([Path(name) for name in names] or BRIEFS):
        screen.print(table)


def tabulate(briefs: Iterable[Path] = BRIEFS) -> Iterator[Table]:
    """Yield a table for each brief once it is published."""
    for path in briefs:
        yield _render(generate(load_brief(path)))


def generate(brief: Brief) -> Generated:
    """Generate a brief into a new store, publish it, and return what that took."""
    done = Generated(brief.parts.domain)

    def build(domain: DomainStore, order: Order) -> Version:
        return _measure(done, order.stage.name, lambda: build_version(domain, order))

    started = time.perf_counter()
    with TemporaryDirectory() as home:
        store = open_store(Path(home))
        advance(store, brief, approve_clean=True, build=build)
        done.publishing = cpu_seconds(lambda: publish(store, brief))
        done.elapsed = time.perf_counter() - started
        done.counts = _count(build_workspace(brief, list_approved_versions(store, brief)))
    return done


def _measure(done: Generated, stage: str, work: Callable[[], Version]) -> Version:
    found: list[Version] = []
    done.stages[stage] = cpu_seconds(lambda: found.append(work()))
    return found[0]


def _count(workspace: Workspace) -> dict[str, int]:
    report = json.loads(workspace.files[COVERAGE])
    goals = report["goals"]
    return {
        "goals": len(goals),
        "mutants": len(report.get("mutants", ())),
        "tasks": len(workspace.tasks),
        "trials of tools": len(list(list_trials(workspace))),
    }


def _render(done: Generated) -> Table:
    counted = ", ".join(f"{count:,} {what}" for what, count in done.counts.items())
    title = f"{done.brief}: {counted}; {done.elapsed:.1f} s by the clock"
    shown = Table(title=title, box=None, title_justify="left", min_width=100)
    for column in ("stage", "CPU seconds", "share"):
        shown.add_column(column, justify="left" if column == "stage" else "right")
    rows = {**{stage.name: done.stages[stage.name] for stage in STAGES}, "publish": done.publishing}
    for name, seconds in {**rows, "all": done.total}.items():
        shown.add_row(name, f"{seconds:.1f}", f"{seconds / done.total:.0%}")
    return shown


if __name__ == "__main__":
    main(sys.argv[1:])
