"""``sopforge preview``: a look at a domain before a language model is paid for all of it."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import DEFAULT_STORE, Budget, Store
from sopforge.cli.output import EXIT_FINDINGS, console, print_findings, say, table

if TYPE_CHECKING:
    from sopforge.domain.schema import AuthorDocument
    from sopforge.stages.previewing import Preview


def preview(
    brief: Annotated[Path, typer.Argument(help="The brief, a YAML file.")],
    store: Store = DEFAULT_STORE,
    budget: Budget = None,
) -> None:
    """Have the domain and one section of the SOP written; estimate what the rest will cost."""
    from sopforge.authors.choosing import author_of
    from sopforge.authors.long_briefs import long_brief
    from sopforge.authors.personal_data import personal_data
    from sopforge.stages.briefs import load_brief
    from sopforge.stages.previewing import preview as look
    from sopforge.store.local import LocalStore

    loaded, screen = load_brief(brief), console()
    if loaded.parts.writer.name != "offline":
        told = [*personal_data(loaded), *long_brief(loaded)]
        print_findings(console(stderr=True), told)
    found = look(LocalStore(store), loaded, author_of(loaded, store, budget))
    print_findings(screen, found.findings, loaded.placed)
    if found.model is None:
        say(screen, "The domain still has errors; generate would go on from here.", "yellow")
        raise typer.Exit(EXIT_FINDINGS)
    _show(found)
    if found.questions:
        _show_estimate(found, loaded.parts.writer)


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


def _show_estimate(found: Preview, writer: AuthorDocument) -> None:
    """Tell calls, tokens and cost of what is still to be asked, without repairs."""
    from datetime import UTC, datetime

    from sopforge.providers.pricing import read_prices

    screen, prices = console(), read_prices(None)
    shown = table("still to be asked", "stage", "calls", "tokens in", "tokens out", "USD")
    today = datetime.now(UTC).date()
    for stage in dict.fromkeys(question.stage for question in found.questions):
        asked = [question for question in found.questions if question.stage == stage]
        price = prices.find(writer.name, str(writer.model), today, max(q.prompt for q in asked))
        cost = sum((price.most(q.prompt, q.answer) for q in asked), Decimal(0)) if price else None
        shown.add_row(
            stage,
            str(len(asked)),
            f"{sum(question.prompt for question in asked):,}",
            f"{sum(question.answer for question in asked):,}",
            "unknown" if cost is None else f"{cost:.2f}",
        )
    screen.print(shown)
    say(screen, f"Each repair asks again, at most {writer.rounds} times a stage.")
