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
    console,
    print_findings,
    print_json,
    records,
    say,
)
from sopforge.cli.screens.estimate import estimate_record, show_estimate
from sopforge.cli.screens.progress import Watching

if TYPE_CHECKING:
    from sopforge.domain.reading import Brief
    from sopforge.runs.preview import Preview


def preview(
    brief: BriefFile,
    store: StorePlace = DEFAULT_STORE,
    budget: Budget = None,
    prices: Prices = None,
    as_json: AsJson = False,
) -> None:
    """Have the domain and one section of the SOP written; estimate what the rest will cost."""
    from sopforge.authors.choosing import author_of
    from sopforge.authors.long_briefs import long_brief
    from sopforge.authors.personal_data import personal_data
    from sopforge.briefs.files import load_brief
    from sopforge.runs.preview import preview as look
    from sopforge.store.formats.formats import mark

    loaded, screen, opened = load_brief(brief), console(stderr=as_json), store_to_write(store)
    asks = loaded.parts.writer.name != "offline"
    if asks:
        print_findings(console(stderr=True), [*personal_data(loaded), *long_brief(loaded)])
        mark(opened.objects)
    progress = Watching(screen)
    author = author_of(loaded, opened.objects, budget, prices=prices, watch=progress.hear)
    with progress.live(is_wanted=asks):
        found = look(opened, loaded, author)
    if as_json:
        estimate = estimate_record(found.questions, loaded.parts.writer, prices)
        print_json(_record(loaded, found) | {"spent": progress.spent(), "estimate": estimate})
    else:
        print_findings(screen, found.findings, loaded.placed)
        _show(found, progress.spent() or "nobody was asked")
        if found.questions:
            show_estimate(screen, found.questions, loaded.parts.writer, prices)
    if found.model is None:
        raise typer.Exit(EXIT_FINDINGS)


def _record(brief: Brief, found: Preview) -> dict[str, object]:
    model = found.model
    return {
        "domain": brief.parts.domain,
        "tools": len(model.tools) if model else None,
        "steps": len(model.steps) if model else None,
        "cases": [dict(row) for row in found.rows],
        "section": found.section.as_text() if found.section else "",
        "findings": records(found.findings),
    }


def _show(found: Preview, spent: str) -> None:
    screen, model = console(), found.model
    if model is None:
        say(screen, f"This look: {spent}.")
        say(screen, "The domain still has errors; generate would go on from here.", "yellow")
        return
    say(screen, f"{model.title}: {len(model.tools)} tools, {len(model.steps)} steps")
    for number, row in enumerate(found.rows, start=1):
        say(screen, f"\ncase {number}", "bold")
        for name, cell in row.items():
            say(screen, f"  {name}: {cell}")
    if found.section is not None:
        say(screen, f"\n{found.section.as_text()}")
    if found.questions:
        say(screen, f"\nThis look: {spent}. What was answered is on record.\n")
