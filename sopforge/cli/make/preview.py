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
    store_to_write,
)
from sopforge.cli.output import (
    EXIT_FINDINGS,
    build_finding_records,
    make_console,
    print_findings,
    print_json,
    say,
)
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
    """Have the domain and one section of the SOP written; estimate what the rest will cost."""
    from sopforge.authors.choosing import choose_author
    from sopforge.authors.long_briefs import check_brief_length
    from sopforge.authors.personal_data import check_personal_data
    from sopforge.briefs.brief_files import load_brief
    from sopforge.runs.preview import preview as look
    from sopforge.store.formats.formats import mark_format

    loaded, screen, opened = load_brief(brief), make_console(stderr=as_json), store_to_write(place)
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
    with progress.show_live(asks=asks):
        found = look(opened, loaded, author)
    if as_json:
        estimate = build_estimate_record(found.questions, loaded.parts.writer, prices)
        print_json(
            _build_record(loaded, found)
            | {"spent": progress.describe_spending(), "estimate": estimate}
        )
    else:
        print_findings(screen, found.findings, loaded.locate_finding)
        _show(found, progress.describe_spending() or "nobody was asked")
        if found.questions:
            show_estimate(screen, found.questions, loaded.parts.writer, prices)
    if found.model is None:
        raise typer.Exit(EXIT_FINDINGS)


def _build_record(brief: Brief, found: Preview) -> dict[str, object]:
    model = found.model
    return {
        "domain": brief.parts.domain,
        "tools": len(model.offered.tools) if model else None,
        "steps": len(model.steps) if model else None,
        "cases": [dict(row) for row in found.rows],
        "section": found.section.as_text() if found.section else "",
        "findings": build_finding_records(found.findings),
    }


def _show(found: Preview, spent: str) -> None:
    screen, model = make_console(), found.model
    if model is None:
        say(screen, f"This look: {spent}.")
        say(screen, "The domain still has errors; generate would go on from here.", "yellow")
        return
    say(screen, f"{model.title}: {len(model.offered.tools)} tools, {len(model.steps)} steps")
    for number, row in enumerate(found.rows, start=1):
        say(screen, f"\ncase {number}", "bold")
        for name, cell in row.items():
            say(screen, f"  {name}: {cell}")
    if found.section is not None:
        say(screen, f"\n{found.section.as_text()}")
    if found.questions:
        say(screen, f"\nThis look: {spent}. What was answered is on record.\n")
