"""``sopforge generate``: take a brief as far as its approvals allow."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from sopforge.cli.advancing import Run
from sopforge.cli.options import (
    DEFAULT_STORE,
    ApproveClean,
    Budget,
    Prices,
    Sandbox,
    StorePlace,
    use_sandbox,
)


def generate(
    brief: Annotated[Path, typer.Argument(help="The brief, a YAML file.")],
    store: StorePlace = DEFAULT_STORE,
    approve_clean: ApproveClean = False,
    variant: Annotated[
        str, typer.Option("--variant", help="A variant that the brief names, instead of itself.")
    ] = "",
    budget: Budget = None,
    prices: Prices = None,
    sandbox: Sandbox = None,
) -> None:
    """Build the stages of a brief, up to the first gate that waits for a decision."""
    from sopforge.stages.briefs import load_brief
    from sopforge.stages.variant_briefs import variant_brief

    use_sandbox(sandbox)
    loaded = load_brief(brief)
    if variant:
        loaded = variant_brief(loaded, variant, brief.parent)
    which = f" --variant {variant}" if variant else ""
    again = f"sopforge generate {shlex.quote(str(brief))}{which}"
    Run(store, again, approve_clean, budget, prices).take(loaded)
