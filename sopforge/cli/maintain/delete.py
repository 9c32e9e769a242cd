"""``sopforge delete``: delete a domain from a store."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.decide.confirming import require_yes
from sopforge.cli.maintain.gc import format_size
from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    Domain,
    StorePlace,
    require_digest_start,
    require_domain,
    require_domain_name,
    store_option,
)
from sopforge.cli.output import Result, make_console, say

if TYPE_CHECKING:
    from sopforge.pipeline.upkeep.deleting import Holdings

_SHOWN = 12


def delete(
    domain: Domain,
    releases: Annotated[
        bool, typer.Option("--releases", help="Also delete the domain's releases.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Delete without asking for confirmation.")
    ] = False,
    digest: Annotated[
        str | None,
        typer.Option(help="Delete only if the domain still has this digest, as it was shown."),
    ] = None,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> Result:
    """Delete a domain: its briefs, versions, decisions and logs.

    The command shows what the domain holds, and asks. It deletes no domain with releases unless
    you add --releases, and none on which a run is at work. Paid answers of language models stay.
    """
    from sopforge.pipeline.upkeep.deleting import delete_domain, list_holdings, refuse_releases
    from sopforge.store.opening import open_store

    asked, opened = require_digest_start(digest), open_store(place)
    there = opened.get_domain(require_domain_name(domain))
    found = list_holdings(there)
    if not found.size:
        require_domain(opened, domain)
    refuse_releases(there, found, with_releases=releases)
    if not as_json:
        say(make_console(), f"{domain}, digest {found.digest[:_SHOWN]}: {_describe(found)}")
    if not yes:
        given = f"{' --releases' if releases else ''} --yes --digest {found.digest[:_SHOWN]}"
        hint = f"confirm it: sopforge delete {domain}{given}{store_option(place)}"
        require_yes("Delete all this?", f"deleting '{domain}'", hint, is_quiet=as_json)
    # What was shown is what is deleted.
    done = delete_domain(there, asked or found.digest, with_releases=releases)
    return Result({"domain": domain, "deleted": asdict(done)}, [f"{domain} deleted."])


def _describe(found: Holdings) -> str:
    named = f" ({', '.join(found.releases)})" if found.releases else ""
    counts = {
        "brief": found.briefs,
        "version": found.versions,
        "decision": found.decisions,
        "release": len(found.releases),
    }
    parts = [f"{number} {what}{'' if number == 1 else 's'}" for what, number in counts.items()]
    return f"{', '.join(parts)}{named}; {format_size(found.size)}"
