"""``sopforge diff``: what changed between two versions of a domain, by consequence."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from sopforge.cli import completing
from sopforge.cli.options import StoredDomain, store_option
from sopforge.cli.output import Parts, Result
from sopforge.store.versions import DomainStore

if TYPE_CHECKING:
    from sopforge.pipeline.changes.sides import Sides


def diff(
    asked: StoredDomain,
    stage: Annotated[
        str,
        typer.Argument(
            help="Stage whose changed text to show [default: a summary of all stages].",
            autocompletion=completing.list_stage_names,
        ),
    ] = "",
    before: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="VERSION",
            help="Older version: a version of the stage, or a release [default: the newest"
            " release, or else the last approved version].",
            autocompletion=completing.list_version_names,
        ),
    ] = "",
    after: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="VERSION",
            help="Newer version: a version of the stage, or a release [default: the current one].",
            autocompletion=completing.list_version_names,
        ),
    ] = "",
) -> Result:
    """Show what changed in the rules, results, tasks, tools, texts and version number.

    The exit code is 0 if nothing changed, 1 if something changed, and 2 if the domain, stage or
    version does not exist.
    """
    from sopforge.cli.screens.changes_output import lay_out_changes
    from sopforge.pipeline.briefs.brief_files import load_latest_brief
    from sopforge.pipeline.changes.changes import compare_sides
    from sopforge.pipeline.changes.sides import ComparisonRequest, find_sides

    domain = asked.open()
    brief = load_latest_brief(domain)
    sides = find_sides(domain.store, brief, ComparisonRequest(stage, before, after))
    changes = compare_sides(sides)
    versions = {
        pair.stage: {
            "from": pair.old.number if pair.old else None,
            "to": pair.new.number if pair.new else None,
        }
        for pair in sides.pairs
    }
    record = {
        "domain": domain.name,
        "versions": versions,
        "released_as": sides.released_as or None,
        **changes.as_record(),
        "bump": changes.bump if sides.is_released else "first",
    }
    again = f"sopforge diff {domain} {{stage}}{store_option(asked.place)}"
    parts = chain(
        _lay_out_sides(domain, sides), lay_out_changes(changes, sides, again, is_whole=not stage)
    )
    return Result(record, parts, has_findings=bool(changes))


def _lay_out_sides(domain: DomainStore, sides: Sides) -> Parts:
    """Yield which versions are compared."""
    for pair in sides.pairs:
        if pair.new is None:
            state = "not made yet"
        elif pair.old is None:
            state = f"version {pair.new.number}, with no earlier version"
        elif pair.old.manifest.content == pair.new.manifest.content:
            state = f"version {pair.new.number}, unchanged"
        else:
            state = f"version {pair.new.number} compared with {pair.old.number}"
        if pair.stage in sides.of_before:
            state += f", from before the last change: looked at again after the {sides.ended_at}"
        yield Text(f"{domain} {pair.stage}: {state}", "dim")
