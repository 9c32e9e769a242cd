"""``sopforge preview``: a look at a domain before a language model is paid for all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    BriefFile,
    Budget,
    Prices,
    StorePlace,
)
from sopforge.cli.output import (
    EXIT_FINDINGS,
    build_finding_records,
    make_console,
    print_findings,
    print_json,
    say,
)
from sopforge.cli.screens.artifact_view import print_case
from sopforge.cli.screens.estimate import build_estimate_record, show_estimate
from sopforge.cli.screens.progress import Watching

if TYPE_CHECKING:
    from sopforge.domain.reading import Brief
    from sopforge.runs.preview import Preview


def preview(
    brief: BriefFile,
    place: StorePlace = DEFAULT_STORE,
    budget: Budget = None,
    prices: Prices = None,
    as_json: AsJson = False,
) -> None:
    """Show what a domain will be like, before it is built: its size, some cases and the SOP.

    If a language model is the author, it writes the domain model and one section of the SOP, and
    the command estimates what the rest costs. The answers are kept: generate asks for them no more.
    """
    from sopforge.authors.choosing import choose_author
    from sopforge.authors.long_briefs import check_brief_length
    from sopforge.authors.personal_data import check_personal_data
    from sopforge.briefs.brief_files import load_brief
    from sopforge.findings import has_errors
    from sopforge.runs.preview import preview as look
    from sopforge.store.format import mark_format
    from sopforge.store.opening import open_store

    loaded, screen, opened = load_brief(brief), make_console(stderr=as_json), open_store(place)
    asks = loaded.parts.writer.name != "offline"
    if asks:
        print_findings(
            make_console(stderr=True), [*check_personal_data(loaded), *check_brief_length(loaded)]
        )
        # A look builds nothing, but the answers that were paid for are kept: the store is written
        # to.
        mark_format(opened.objects)
    progress = Watching(screen)
    author = choose_author(loaded, opened.objects, budget, prices=prices, watch=progress.hear)
    with progress.show_live():
        found = look(opened, loaded, author)
    if as_json:
        estimate = build_estimate_record(found.questions, loaded.parts.writer, prices)
        print_json(
            _build_record(loaded, found)
            | {"spent": progress.describe_spending(), "estimate": estimate}
        )
    else:
        _show_findings(loaded, found)
        _show(found, progress.describe_spending() or "no model was called")
        if found.questions:
            show_estimate(screen, found.questions, loaded.parts.writer, prices)
    if has_errors(found.findings):
        raise typer.Exit(EXIT_FINDINGS)


def _build_record(brief: Brief, found: Preview) -> dict[str, object]:
    model = found.model
    return {
        "domain": brief.parts.domain,
        "tools": len(model.offered.tools) if model else None,
        "steps": len(model.steps) if model else None,
        "cases": [dict(case.row) for case in found.cases],
        "reasons": [
            {"facts": dict(case.facts), "because": list(case.because)} for case in found.cases
        ],
        "section": found.section.as_text() if found.section else "",
        "findings": build_finding_records(found.findings),
    }


def _show_findings(brief: Brief, found: Preview) -> None:
    from sopforge.findings import sort_by_severity

    print_findings(make_console(), sort_by_severity(found.findings), brief.locate_finding)


def _show(found: Preview, spent: str) -> None:
    from sopforge.findings import format_finding_count, has_errors

    screen, model = make_console(), found.model
    if model is None:
        say(screen, f"This preview: {spent}.")
        say(screen, "The domain still has errors; 'generate' continues from here.", "yellow")
        return
    size = f"{len(model.offered.tools)} tools, {len(model.steps)} steps"
    say(screen, f"{model.title}: {size}; {format_finding_count(found.findings)}")
    for number, case in enumerate(found.cases, start=1):
        print_case(screen, model, number, case)
    if found.section is not None:
        say(screen, f"\n{found.section.as_text()}")
    if has_errors(found.findings):
        say(screen, "The section has errors; 'generate' sends them back to the model.", "yellow")
    if found.questions:
        say(screen, f"\nThis preview: {spent}. The answers are on record.\n")
