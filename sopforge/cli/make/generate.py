"""``sopforge generate``: take a brief, or several, as far as their approvals allow."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import AsJson, BriefFiles, BuildOptions, Jobs, Variant
from sopforge.cli.output import Result, make_console, print_findings
from sopforge.cli.running.advancing import Run
from sopforge.cli.running.asked_briefs import load_asked_briefs
from sopforge.cli.running.batch import Job, run_jobs
from sopforge.cli.running.ending import format_run_options
from sopforge.parallel import use_jobs

if TYPE_CHECKING:
    from sopforge.pipeline.briefs.taking import Newer
    from sopforge.store.last_run import RunSettings


def generate(
    briefs: BriefFiles,
    *,
    build: BuildOptions,
    merge: Annotated[
        bool,
        typer.Option(
            "--merge",
            help="If the store has a newer brief, apply to it what changed in the file since the"
            " file was last generated.",
        ),
    ] = False,
    replace: Annotated[
        bool,
        typer.Option(
            "--replace", help="If the store has a newer brief, drop its changes for the file's."
        ),
    ] = False,
    variant: Variant = "",
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> Result:
    """Build the domain, and stop at the first gate that needs a decision.

    If you pass several briefs, each gets its own run and budget, and a run that fails does not
    stop the others. If a brief cannot be read, the command builds nothing.

    If regenerate, answers or ratings changed the store's brief and the file lacks these changes,
    the command shows them and stops: add --merge or --replace, or use sopforge continue.
    """
    from sopforge.pipeline.briefs.taking import take_brief
    from sopforge.pipeline.runs.run import find_brief_warnings

    newer = _choose_newer(merge=merge, replace=replace)
    loaded = load_asked_briefs(briefs, variant)
    opened, settings = build.prepare_store(), build.settings
    runs = [
        Job(
            domain,
            _format_rerun_command(domain, path, variant, settings, is_merged=merge),
            path,
            variant,
            settings,
            newer,
        )
        for domain, (path, _) in loaded.items()
    ]
    if len(runs) == 1:
        [(domain, (_, brief))] = loaded.items()
        with use_jobs(jobs or 0):
            run = Run(opened.get_domain(domain), runs[0].again, settings, as_json)
            return run.take(lambda: take_brief(run.domain, brief, newer))
    for _, brief in loaded.values():
        print_findings(make_console(stderr=True), find_brief_warnings(brief))
    return run_jobs(opened.place, runs, jobs or 1, as_json=as_json)


def _choose_newer(*, merge: bool, replace: bool) -> Newer:
    from sopforge.pipeline.briefs.taking import Newer

    if merge and replace:
        raise typer.BadParameter("give one of --merge and --replace")
    return Newer.MERGE if merge else Newer.REPLACE if replace else Newer.REFUSE


def _format_rerun_command(
    domain: str, path: Path, variant: str, settings: RunSettings, *, is_merged: bool
) -> str:
    if is_merged:
        # The store's brief has more than the file now.
        return f"sopforge continue {domain}"
    which = f" --variant {variant}" if variant else ""
    return f"sopforge generate {shlex.quote(str(path))}{which}{format_run_options(settings)}"
