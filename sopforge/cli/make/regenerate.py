"""``sopforge regenerate``: make a domain again with new context, or with changed facts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import (
    DEFAULT_STORE,
    ApproveClean,
    AsJson,
    Budget,
    Domain,
    Prices,
    RunAhead,
    Sandbox,
    StorePlace,
    require_domain,
    use_sandbox,
)
from sopforge.cli.out_files import write_out
from sopforge.cli.output import make_console, say
from sopforge.cli.running.advancing import Run
from sopforge.cli.running.ending import format_run_options

if TYPE_CHECKING:
    from sopforge.domain.reading import Brief


def regenerate(
    domain: Domain,
    context: Annotated[
        str,
        typer.Option(
            "--context",
            metavar="FILE|TEXT",
            help="Text to add to the brief, or a file with it. It overrides earlier text.",
        ),
    ] = "",
    model_patch: Annotated[
        Path | None,
        typer.Option(
            "--model-patch", help="YAML file with changes to merge into the brief's 'model'."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Also write the new brief to this file, which keeps its comments."
        ),
    ] = None,
    place: StorePlace = DEFAULT_STORE,
    approve_clean: ApproveClean = False,
    run_ahead: RunAhead = False,
    budget: Budget = None,
    prices: Prices = None,
    sandbox: Sandbox = None,
    as_json: AsJson = False,
) -> None:
    """Rebuild the stages that a change to the brief affects.

    State the change with --context or --model-patch. Without either, the command continues from
    the stored brief. The store keeps earlier briefs. Unchanged tasks keep their ids.
    """
    from sopforge.briefs.brief_files import keep_changed, load_latest_brief
    from sopforge.briefs.regeneration import lay_out_as, read_context, regenerate_brief
    from sopforge.store.last_run import RunSettings
    from sopforge.store.opening import open_store

    use_sandbox(sandbox)
    opened = open_store(place)
    name, addition = require_domain(opened, domain), read_context(context, "--context")

    def load_changed_brief() -> Brief:
        if addition or model_patch:
            brief = regenerate_brief(opened, name, addition, model_patch)
        else:
            brief = load_latest_brief(opened, name)
        if out is not None:
            write_out(out, lay_out_as(brief, out))
            say(make_console(stderr=as_json), f"wrote {out}")
        return brief

    settings = RunSettings(
        approve_clean, run_ahead=run_ahead, budget=budget, prices=str(prices or "")
    )
    run = Run(
        opened, f"sopforge regenerate {domain}{format_run_options(settings)}", settings, as_json
    )
    run.take(name, lambda: keep_changed(opened, name, load_changed_brief))
