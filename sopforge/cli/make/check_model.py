"""``sopforge check-model``: ask the solver about a brief without generating anything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import AsJson, BriefFile
from sopforge.cli.output import (
    EXIT_FINDINGS,
    build_finding_records,
    make_console,
    print_findings,
    print_json,
    say,
)
from sopforge.cli.screens.needs import build_needs_record, show_needs
from sopforge.cli.screens.work_view import show_work

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sopforge.domain.reading import Brief
    from sopforge.findings import Finding


def check_model(
    brief: BriefFile,
    against: Annotated[
        Path | None,
        typer.Option("--against", help="Another brief: is any case decided differently?"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find gaps, overlaps, dead rules and edges, refusals and missing reads, each with a case."""
    from sopforge.authors.offline import OfflineAuthor
    from sopforge.briefs.brief_files import load_brief
    from sopforge.checks.registry import examine
    from sopforge.dataset.coverage.needs import compute_needs
    from sopforge.findings import has_errors
    from sopforge.workspace import DOMAIN, Workspace

    loaded = load_brief(brief)
    domain = OfflineAuthor().write_domain(loaded)
    other = None if against is None else load_brief(against)
    with show_work(make_console(stderr=as_json)):
        findings = examine("schema", Workspace(loaded, {DOMAIN: domain}))
        compared = None if other is None else _compare_briefs(loaded, other)
        needs = {} if has_errors(findings) else compute_needs(loaded.model, loaded.drawing.seed)
    if as_json:
        print_json(
            _build_record(loaded, findings, compared) | {"tasks_needed": build_needs_record(needs)}
        )
    else:
        _show(loaded, findings, compared)
        show_needs(make_console(), loaded.parts.dataset, needs)
    if has_errors(findings):
        raise typer.Exit(EXIT_FINDINGS)


def _compare_briefs(one: Brief, other: Brief) -> tuple[str, Mapping[str, str]]:
    """Return whether two briefs decide every case alike, with the least case where they do not."""
    from sopforge.solving.differences import distinguish
    from sopforge.solving.questions import NoRow, Row

    match distinguish(one.model, other.model):
        case NoRow():
            return "alike", {}
        case Row() as row:
            return "different", row.cells
        case _:
            return "undecided", {}


def _build_record(
    brief: Brief, findings: Sequence[Finding], compared: tuple[str, Mapping[str, str]] | None
) -> dict[str, object]:
    model = brief.model
    return {
        "domain": model.name,
        "fields": len(model.fields),
        "decisions": len(model.decisions),
        "steps": len(model.steps),
        "findings": build_finding_records(findings),
        "against": compared and {"answer": compared[0], "case": dict(compared[1])},
    }


def _show(
    brief: Brief, findings: Sequence[Finding], compared: tuple[str, Mapping[str, str]] | None
) -> None:
    from sopforge.findings import format_finding_count
    from sopforge.logic.phrasing.grammar import format_quantity

    screen, model = make_console(), brief.model
    print_findings(screen, findings, brief.locate_finding)
    parts = {"fields": model.fields, "decisions": model.decisions, "steps": model.steps}
    size = ", ".join(format_quantity(str(len(there)), name) for name, there in parts.items())
    say(screen, f"{model.name}: {size}; {format_finding_count(findings)}")
    match compared:
        case ("alike", _):
            say(screen, f"{model.name}: both briefs decide every case alike (proved)")
        case ("different", cells):
            say(screen, f"{model.name}: the briefs decide this case differently:", "yellow")
            for name, cell in cells.items():
                say(screen, f"  {name} = {cell}")
        case ("undecided", _):
            say(screen, "undecided: the solver's budget ran out", "yellow")
        case _:
            pass
