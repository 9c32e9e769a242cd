"""``sopforge diff``: what changed between two versions of a domain, by consequence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli import completing
from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    Domain,
    StorePlace,
    require_domain,
    store_option,
)
from sopforge.cli.output import make_console, print_json, say

if TYPE_CHECKING:
    from rich.console import Console

    from sopforge.changes.sides import Sides

EXIT_SAME = 0
EXIT_DIFFERENT = 1


def diff(
    domain: Domain,
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
            help="Older version: a version of the stage, or a release [default: the last"
            " approved version].",
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
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Show what changed in the rules, results, tasks, tools, texts and version number.

    The exit code is 0 if nothing changed, 1 if something changed, and 2 if the domain, stage or
    version does not exist.
    """
    from sopforge.briefs.brief_files import load_latest_brief
    from sopforge.changes.changes import compare_sides
    from sopforge.changes.sides import ComparisonRequest, find_sides
    from sopforge.cli.screens.changes_output import print_changes
    from sopforge.store.opening import open_store

    opened, screen = open_store(place), make_console()
    brief = load_latest_brief(opened, require_domain(opened, domain))
    sides = find_sides(opened, brief, ComparisonRequest(stage, before, after))
    changes = compare_sides(sides)
    if as_json:
        versions = {
            pair.stage: {
                "from": pair.old.number if pair.old else None,
                "to": pair.new.number if pair.new else None,
            }
            for pair in sides.pairs
        }
        bump = changes.bump if sides.is_released else "first"
        released_as = sides.released_as or None
        record = {"domain": domain, "versions": versions, "released_as": released_as}
        print_json({**record, **changes.as_record(), "bump": bump})
    else:
        _print_sides(screen, domain, sides)
        again = f"sopforge diff {domain} {{stage}}{store_option(place)}"
        print_changes(screen, changes, sides, again, is_whole=not stage)
    raise typer.Exit(EXIT_DIFFERENT if changes else EXIT_SAME)


def _print_sides(screen: Console, domain: str, sides: Sides) -> None:
    """Print which versions are compared."""
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
        say(screen, f"{domain} {pair.stage}: {state}", "dim")
