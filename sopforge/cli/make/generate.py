"""``sopforge generate``: take a brief, or several, as far as their approvals allow."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import (
    DEFAULT_STORE,
    ApproveClean,
    AsJson,
    BriefFiles,
    Budget,
    Jobs,
    Prices,
    RunAhead,
    Sandbox,
    StorePlace,
    store_to_write,
    use_sandbox,
)
from sopforge.cli.output import make_console, print_findings
from sopforge.cli.running.advancing import Run
from sopforge.cli.running.asked_briefs import load_asked_briefs
from sopforge.cli.running.batch import Job, run_jobs
from sopforge.cli.running.ending import choose_worst_code, format_run_options
from sopforge.parallel import use_jobs

if TYPE_CHECKING:
    from sopforge.store.last_run import RunSettings


def generate(
    briefs: BriefFiles,
    place: StorePlace = DEFAULT_STORE,
    approve_clean: ApproveClean = False,
    run_ahead: RunAhead = False,
    variant: Annotated[
        str,
        typer.Option(
            "--variant",
            help="Use this variant, which the brief defines, instead of the brief itself.",
        ),
    ] = "",
    budget: Budget = None,
    prices: Prices = None,
    jobs: Jobs = None,
    sandbox: Sandbox = None,
    as_json: AsJson = False,
) -> None:
    """Build the domain, and stop at the first gate that needs a decision.

    If you pass several briefs, each gets its own run and budget, and a run that fails does not
    stop the others. If a brief cannot be read, the command builds nothing.
    """
    from sopforge.runs.run import find_brief_warnings
    from sopforge.store.last_run import RunSettings

    use_sandbox(sandbox)
    loaded = load_asked_briefs(briefs, variant)
    opened = store_to_write(place)
    settings = RunSettings(
        approve_clean, run_ahead=run_ahead, budget=budget, prices=str(prices or "")
    )
    if len(briefs) == 1:
        [(domain, (path, brief))] = loaded.items()
        again = _format_rerun_command(path, variant, settings)
        with use_jobs(jobs or 0):
            Run(opened, again, settings, as_json).take(domain, lambda: brief)
    for _, brief in loaded.values():
        print_findings(make_console(stderr=True), find_brief_warnings(brief))
    runs = [
        Job(domain, _format_rerun_command(path, variant, settings), path, variant, settings)
        for domain, (path, _) in loaded.items()
    ]
    raise typer.Exit(choose_worst_code(run_jobs(opened.place, runs, jobs or 1, as_json=as_json)))


def _format_rerun_command(path: Path, variant: str, settings: RunSettings) -> str:
    which = f" --variant {variant}" if variant else ""
    return f"sopforge generate {shlex.quote(str(path))}{which}{format_run_options(settings)}"
