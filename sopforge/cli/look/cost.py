"""``sopforge cost``: what each stage of a domain asked of a language model, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import typer

from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    Domain,
    StorePlace,
    require_domain,
    require_domain_name,
)
from sopforge.cli.output import EXIT_FINDINGS, make_console, make_table, print_json, say

if TYPE_CHECKING:
    from sopforge.providers.totals import Totals


def cost(domain: Domain, place: StorePlace = DEFAULT_STORE, as_json: AsJson = False) -> None:
    """Show the calls, tokens and cost of each stage, and how each call to a model ended."""
    from sopforge.providers.ledger import read_events
    from sopforge.providers.record import CompletionRecord
    from sopforge.providers.selection import RECORDS, name_ledger
    from sopforge.providers.totals import compute_totals
    from sopforge.store.opening import open_store

    name, opened = require_domain_name(domain), open_store(place)
    events = read_events(opened.objects, name_ledger(name))
    if not events:
        require_domain(opened, name)
    is_open = CompletionRecord(opened.objects, RECORDS).is_question_open
    stages = dict.fromkeys(str(event["stage"]) for event in events if "stage" in event)
    sums = {
        stage: compute_totals((event for event in events if event.get("stage") == stage), is_open)
        for stage in stages
    }
    sums["all"] = compute_totals(events, is_open)
    damaged = sum(event["event"] == "damaged" for event in events)
    if as_json:
        stage_sums = {stage: _build_record(found) for stage, found in sums.items()}
        together = stage_sums.pop("all")
        record = {"domain": name, "stages": stage_sums, "all": together, "damaged_lines": damaged}
        print_json(record)
    else:
        _show(name, sums, damaged)
    if damaged:
        raise typer.Exit(EXIT_FINDINGS)


def _build_record(found: Totals) -> dict[str, object]:
    counts = found.counts
    return {
        "calls": counts.calls,
        "answers": counts.answers,
        "rejects": counts.rejects,
        "failures": counts.failures,
        "cut_off": counts.interrupted,
        "open": counts.open,
        "repairs": found.repairs,
        "from_record": counts.from_record,
        "tokens_in": found.tokens_in + found.tokens_cached,
        "tokens_cached": found.tokens_cached,
        "tokens_out": found.tokens_out,
        "cost_usd": str(found.cost),
        "answers_uncounted": found.uncounted,
        "answers_unpriced": found.unpriced,
        "attempts_cut_off": found.cut_off.attempts,
        "attempts_cut_off_most_usd": str(found.cut_off.most),
        "attempts_cut_off_unpriced": found.cut_off.unpriced,
    }


def _show(name: str, sums: Mapping[str, Totals], damaged: int) -> None:
    screen = make_console()
    if len(sums) == 1 and not damaged:
        say(screen, f"{name}: no language model was called, so there are no costs.")
        return
    _show_calls(name, sums)
    _show_cost(sums)
    if damaged:
        lines = f"{damaged} incomplete line{'s' * (damaged != 1)} in the log"
        meaning = (
            "a call with an incomplete end line counts as cut off; a call with an incomplete first"
            " line was never sent"
        )
        say(screen, f"A crash left {lines}: {meaning}.", "yellow")


def _show_calls(name: str, sums: Mapping[str, Totals]) -> None:
    ends_shown = ("answers", "rejects", "failures", "cut off", "open")
    columns = ("calls", *ends_shown, "repairs", "from record")
    shown, screen = make_table(f"{name}: calls", "stage", numbers=columns), make_console()
    for stage, found in sums.items():
        counts = found.counts
        ends = (counts.answers, counts.rejects, counts.failures, counts.interrupted, counts.open)
        numbers = (counts.calls, *ends, found.repairs, counts.from_record)
        shown.add_row(stage, *(str(number) for number in numbers))
    screen.print(shown)
    counts = sums["all"].counts
    parts = f"{counts.answers} answers, {counts.rejects} rejects, {counts.failures} failures"
    there = f", {counts.open} open" if counts.open else ""
    say(screen, f"{counts.calls} calls: {parts}, {counts.interrupted} cut off{there}")
    notes = []
    if counts.rejects:
        notes.append("Rejects are paid answers that are malformed, truncated or refused.")
    if counts.open:
        notes.append("Open calls are being answered now; their cost is not known yet.")
    if sums["all"].repairs:
        notes.append("Repairs are those of the calls that sent findings back to the model.")
    for note in notes:
        say(screen, note)
    say(screen, "")


def _show_cost(sums: Mapping[str, Totals]) -> None:
    columns = ("tokens in", "of these cached", "tokens out", "cost in USD")
    shown, screen = make_table("tokens and cost", "stage", numbers=columns), make_console()
    for stage, found in sums.items():
        tokens = (found.tokens_in + found.tokens_cached, found.tokens_cached, found.tokens_out)
        cells = [found.format_tokens(number) for number in tokens]
        shown.add_row(stage, *cells, found.format_cost())
    screen.print(shown)
    cut_off = sums["all"].cut_off
    if cut_off:
        say(screen, f"{cut_off.describe()}: a provider may bill an answer that broke off.")
    if sums["all"].unpriced or cut_off.unpriced:
        say(
            screen,
            "No price was known for some calls. Add it with: sopforge generate --prices FILE",
        )
