"""``sopforge preview``: a look at a domain before a language model is paid for all of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.estimate import show_estimate
from sopforge.cli.options import DEFAULT_STORE, Budget, Prices, StorePlace
from sopforge.cli.output import EXIT_FINDINGS, console, print_findings, say
from sopforge.cli.progress import Watching

if TYPE_CHECKING:
    from sopforge.stages.previewing import Preview


def preview(
    brief: Annotated[Path, typer.Argument(help="The brief, a YAML file.")],
    store: StorePlace = DEFAULT_STORE,
    budget: Budget = None,
    prices: Prices = None,
) -> None:
    """Have the domain and one section of the SOP written; estimate what the rest will cost."""
    from sopforge.authors.choosing import author_of
    from sopforge.authors.long_briefs import long_brief
    from sopforge.authors.personal_data import personal_data
    from sopforge.stages.briefs import load_brief
    from sopforge.stages.previewing import preview as look
    from sopforge.store.opening import open_store

    loaded, screen, opened = load_brief(brief), console(), open_store(store)
    asks = loaded.parts.writer.name != "offline"
    if asks:
        print_findings(console(stderr=True), [*personal_data(loaded), *long_brief(loaded)])
    progress = Watching(screen)
    author = author_of(loaded, opened.objects, budget, prices=prices, watch=progress.hear)
    with progress.live(is_wanted=asks):
        found = look(opened, loaded, author)
    print_findings(screen, found.findings, loaded.placed)
    if found.model is None:
        say(screen, f"This look: {progress.spent() or 'nobody was asked'}.")
        say(screen, "The domain still has errors; generate would go on from here.", "yellow")
        raise typer.Exit(EXIT_FINDINGS)
    _show(found)
    if found.questions:
        spent = progress.spent() or "nobody was asked"
        say(screen, f"\nThis look: {spent}. What was answered is on record.\n")
        show_estimate(screen, found.questions, loaded.parts.writer, prices)


def _show(found: Preview) -> None:
    screen, model = console(), found.model
    if model is None:
        return
    say(screen, f"{model.title}: {len(model.tools)} tools, {len(model.steps)} steps")
    for number, row in enumerate(found.rows, start=1):
        say(screen, f"\ncase {number}", "bold")
        for name, cell in row.items():
            say(screen, f"  {name}: {cell}")
    if found.section is not None:
        say(screen, f"\n{found.section.as_text()}")
