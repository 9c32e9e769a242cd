"""``sopforge rename``: start a domain again under another name."""

from __future__ import annotations

from typing import Annotated

import typer

from sopforge.cli.decide.confirming import confirm, is_asked
from sopforge.cli.options import (
    DEFAULT_STORE,
    Domain,
    StorePlace,
    require_begun_domain,
    require_domain_name,
    store_option,
)
from sopforge.cli.output import make_console, say


def rename(
    domain: Domain,
    name: Annotated[str, typer.Argument(help="New name of the domain.")],
    yes: Annotated[
        bool, typer.Option("--yes", help="Rename without asking for confirmation.")
    ] = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Start a domain under another name, from the newest brief of an existing domain.

    All stages are built and decided anew. Decisions, edits and releases are not carried over: they
    contain the old name, and stay in the old domain, which the command does not change.
    """
    from sopforge.pipeline.briefs.renaming import digest_brief, load_renamed_brief, rename_domain
    from sopforge.pipeline.changes.changelog import format_count
    from sopforge.store.log.audit_log import AuditLog
    from sopforge.store.opening import open_store

    old, new = require_begun_domain(open_store(place), domain), require_domain_name(name)
    digest = digest_brief(load_renamed_brief(old, new))
    entries, releases = (
        AuditLog(old).list_entries(),
        old.list_releases(),
    )
    screen, there = make_console(), store_option(old.place)
    say(screen, f"{new} starts from the newest brief of {old}, {digest[:12]}.")
    say(
        screen,
        "All stages are built and decided anew. Nothing that was decided"
        f" ({format_count(len(entries), 'entry', 'entries')} of the audit log) or released"
        f" ({', '.join(releases) or 'nothing'}) is carried over: it stays in {old}.",
    )
    if not yes and is_asked(is_quiet=False):
        confirm(f"Start {new}?", "renamed")
    rename_domain(old, new, digest)
    say(screen, f"{new} is started. In your own file, change 'domain' to {new}, too.")
    say(screen, f"Build it with: sopforge continue {new}{there}")
    say(screen, f"Once {old} is no longer needed: sopforge delete {old}{there}")
