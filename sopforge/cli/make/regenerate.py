"""``sopforge regenerate``: make a domain again with new context, or with changed facts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import AsJson, BuildOptions, Domain, require_domain
from sopforge.cli.out_files import write_out
from sopforge.cli.output import Result, make_console, say
from sopforge.cli.running.advancing import Run
from sopforge.cli.running.ending import format_run_options

if TYPE_CHECKING:
    from sopforge.language.domain.reading import Brief


def regenerate(
    domain: Domain,
    context: Annotated[
        str,
        typer.Option(
            metavar="FILE|TEXT",
            help="Text to add to the brief, or a file with it. It overrides earlier text.",
        ),
    ] = "",
    model_patch: Annotated[
        Path | None, typer.Option(help="YAML file with changes to merge into the brief's 'model'.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Also write the new brief to this file, which keeps its comments."),
    ] = None,
    *,
    build: BuildOptions,
    as_json: AsJson = False,
) -> Result:
    """Rebuild the stages that a change to the brief affects.

    State the change with --context or --model-patch. Without either, the command continues from
    the stored brief. The store keeps earlier briefs. Unchanged tasks keep their ids.
    """
    from sopforge.pipeline.briefs.brief_files import keep_changed, load_latest_brief
    from sopforge.pipeline.briefs.regeneration import lay_out_as, read_context, regenerate_brief

    there, settings = require_domain(build.prepare_store(), domain), build.settings
    addition = read_context(context, "--context")

    def load_changed_brief() -> Brief:
        if addition or model_patch:
            brief = regenerate_brief(there, addition, model_patch)
        else:
            brief = load_latest_brief(there)
        if out is not None:
            write_out(out, lay_out_as(brief, out))
            say(make_console(stderr=as_json), f"wrote {out}")
        return brief

    again = f"sopforge regenerate {domain}{format_run_options(settings)}"
    run = Run(there, again, settings, as_json)
    return run.take(lambda: keep_changed(there, load_changed_brief))
