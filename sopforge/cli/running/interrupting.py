"""What Ctrl-C leaves of a run, and the command that goes on from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import typer

from sopforge.cli import EXIT_INTERRUPTED
from sopforge.cli.options import store_option
from sopforge.cli.output import make_console, say

if TYPE_CHECKING:
    from sopforge.store.versions import DomainStore

_AGAIN = "To continue, run the same command again"


def end_interrupted(domain: DomainStore) -> NoReturn:
    """Say what is kept of an interrupted run and how to go on, and end the command."""
    from sopforge.pipeline.runs.run import is_at_work
    from sopforge.store.last_run import load_last_run

    is_begun = load_last_run(domain).is_unfinished and not is_at_work(domain)
    if is_begun:
        go_on = f"Continue with: sopforge continue {domain}{store_option(domain.place)}"
        _end_command(f"{domain}: interrupted. {_describe_kept_work(domain)} {go_on}")
    _end_command(f"{domain}: interrupted before it began. {_AGAIN}")


def end_jobs_interrupted(ended: int, asked: int) -> NoReturn:
    """Say how many of several runs came to their ends, and end the command."""
    said = f"interrupted: {ended} of {asked} runs had ended. What the others built is kept."
    _end_command(f"{said} {_AGAIN}")


def _end_command(said: str) -> NoReturn:
    say(make_console(stderr=True), f"\n{said}", "yellow")
    raise typer.Exit(EXIT_INTERRUPTED)


def _describe_kept_work(domain: DomainStore) -> str:
    """Return what is kept: the stages that the newest run came to, and what was paid for."""
    from sopforge.authors.providers.ledger import read_events
    from sopforge.authors.providers.selection import name_ledger
    from sopforge.pipeline.gates.stage_states import list_stage_states

    answers = (
        ", and all model answers" if read_events(domain.objects, name_ledger(domain.name)) else ""
    )
    reached = [item for item in list_stage_states(domain) if item.is_reached]
    names = [f"{item.version.manifest.stage} version {item.version.number}" for item in reached]
    return f"Kept: {', '.join(names) or 'the brief'}{answers}."
