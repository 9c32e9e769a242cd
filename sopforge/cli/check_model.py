"""``sopforge check-model``: ask the solver about a brief without generating anything."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sopforge.cli.output import EXIT_FINDINGS, console, print_findings, say


def check_model(
    brief: Annotated[Path, typer.Argument(help="The brief, a YAML file.")],
    against: Annotated[
        Path | None,
        typer.Option("--against", help="Another brief: is any case decided differently?"),
    ] = None,
) -> None:
    """Find gaps, overlaps, dead rules and ways, refusals and missing reads, each with a case."""
    from sopforge.authors.offline import OfflineAuthor
    from sopforge.checks.registry import examine
    from sopforge.findings import has_errors
    from sopforge.stages.briefs import load_brief
    from sopforge.workspace import DOMAIN, Workspace

    screen, loaded = console(), load_brief(brief)
    domain = OfflineAuthor().write_domain(loaded)
    findings = examine("schema", Workspace(loaded, {DOMAIN: domain}))
    print_findings(screen, findings, loaded.placed)
    model = loaded.model
    size = f"{len(model.fields)} fields, {len(model.decisions)} decisions, {len(model.steps)} steps"
    say(screen, f"{model.name}: {size}; {len(findings)} findings")
    if against is not None:
        _compare(loaded.parts.domain, brief, against)
    if has_errors(findings):
        raise typer.Exit(EXIT_FINDINGS)


def _compare(domain: str, brief: Path, against: Path) -> None:
    """Say whether two briefs decide every case alike, with the least case where they do not."""
    from sopforge.solving.differences import distinguish
    from sopforge.solving.questions import NoRow, Row
    from sopforge.stages.briefs import load_brief

    screen = console()
    answer = distinguish(load_brief(brief).model, load_brief(against).model)
    match answer:
        case NoRow():
            say(screen, f"{domain}: both briefs decide every case alike (proved)")
        case Row():
            say(screen, f"{domain}: the briefs decide this case differently:", "yellow")
            for name, cell in answer.cells.items():
                say(screen, f"  {name} = {cell}")
        case _:
            say(screen, "undecided: the solver's budget ran out", "yellow")
