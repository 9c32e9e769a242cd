"""``sopforge cost``: what each stage of a domain asked of a language model, and what it cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import typer

from sopforge.cli.options import DEFAULT_STORE, Domain, Store, domain_name, known_domain
from sopforge.cli.output import EXIT_FINDINGS, console, say, table

Event = Mapping[str, Any]


def cost(domain: Domain, store: Store = DEFAULT_STORE) -> None:
    """Tell the calls, tokens and cost of each stage, and whether all calls are accounted for."""
    from sopforge.providers.ledger import read_events, reconcile
    from sopforge.providers.selection import LEDGER_FILE
    from sopforge.store.local import LocalStore

    name, screen = domain_name(domain), console()
    events = read_events(store / name / LEDGER_FILE)
    if not events:
        known_domain(LocalStore(store), name)
        say(screen, f"{name}: no language model was asked, so nothing was paid.")
        return
    shown = table(
        name, "stage", "calls", "from record", "tokens in", "cached", "tokens out", "cost in USD"
    )
    stages = list(dict.fromkeys(str(event["stage"]) for event in events if "stage" in event))
    for stage in stages:
        shown.add_row(stage, *_row([event for event in events if event.get("stage") == stage]))
    shown.add_row("all", *_row(events))
    screen.print(shown)
    counts = reconcile(events)
    parts = f"{counts.answers} answers, {counts.rejects} rejects, {counts.failures} failures"
    say(screen, f"{counts.calls} calls: {parts}, {counts.interrupted} cut off")
    if any(event["event"] == "damaged" for event in events):
        say(screen, "A crash tore a line of the log; its call counts as cut off.", "yellow")
        raise typer.Exit(EXIT_FINDINGS)


def _row(events: Sequence[Event]) -> tuple[str, ...]:
    answered = [event for event in events if event["event"] == "answered"]
    return (
        str(sum(event["event"] == "asked" for event in events)),
        str(sum(event["event"] == "replayed" for event in events)),
        *(_tokens(answered, *names) for names in _COLUMNS),
        _cost(answered),
    )


_COLUMNS = (("input", "cache_write"), ("cache_read",), ("output",))


def _tokens(answered: Iterable[Event], *names: str) -> str:
    """Return a sum of tokens; a mark says that some answers did not count theirs."""
    counted = [event["tokens"] for event in answered if isinstance(event["tokens"], Mapping)]
    total = sum(tokens[name] for tokens in counted for name in names)
    return (
        f"{total:,}" if all(isinstance(e["tokens"], Mapping) for e in answered) else f"{total:,}+?"
    )


def _cost(answered: Sequence[Event]) -> str:
    """Return the sum of known costs; a mark says that the price of some is not known."""
    known = [Decimal(event["cost"]) for event in answered if event["cost"] != "unknown"]
    total = f"{sum(known, Decimal(0)):.4f}"
    return total if len(known) == len(answered) else f"{total} + unknown"
