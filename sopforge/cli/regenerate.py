"""``sopforge regenerate``: make a domain again with new context, or with changed facts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sopforge.cli.advancing import Run
from sopforge.cli.options import (
    DEFAULT_STORE,
    ApproveClean,
    Budget,
    Domain,
    Prices,
    Sandbox,
    StorePlace,
    known_domain,
    use_sandbox,
)
from sopforge.cli.output import console, say

# A longer text is no path on any system.
_LONGEST_PATH = 255


def regenerate(
    domain: Domain,
    context: Annotated[
        str,
        typer.Option(
            "--context",
            metavar="FILE|TEXT",
            help="What is to be added to the brief, in prose; where it differs, it counts.",
        ),
    ] = "",
    model_patch: Annotated[
        Path | None,
        typer.Option(
            "--model-patch", help="YAML file of changes, merged into the brief's 'model'."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Also write the new brief to this file.")
    ] = None,
    store: StorePlace = DEFAULT_STORE,
    approve_clean: ApproveClean = False,
    budget: Budget = None,
    prices: Prices = None,
    sandbox: Sandbox = None,
) -> None:
    """Build what is stale once a domain's brief has new context; with none, go on where it waits.

    The new brief is kept in the store beside the earlier ones. Tasks that stay keep their ids.
    """
    from sopforge.stages.briefs import kept_brief
    from sopforge.stages.regenerating import changed_brief
    from sopforge.store.opening import open_store

    use_sandbox(sandbox)
    opened = open_store(store)
    brief = kept_brief(opened, known_domain(opened, domain))
    if context or model_patch:
        brief = changed_brief(brief, _text_of(context), model_patch)
    if out is not None:
        out.write_text(brief.text, encoding="utf-8")
        say(console(), f"wrote {out}")
    Run(store, f"sopforge regenerate {domain}", approve_clean, budget, prices).take(brief)


def _text_of(context: str) -> str:
    """Return a context that is given as such, or in a file."""
    from sopforge.stages.briefs import read_users_file

    is_path = 0 < len(context) <= _LONGEST_PATH and "\n" not in context
    if is_path and Path(context).is_file():
        return read_users_file(Path(context), "context-not-found", "--context")
    return context
