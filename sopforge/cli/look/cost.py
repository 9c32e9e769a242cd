"""``sopforge status --cost``: what stages of a domain asked of language models, and its cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.text import Text

from sopforge.cli.options import require_domain, require_domain_name
from sopforge.cli.output import Parts, Result, make_table
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.authors.providers.totals import Totals


def report_cost(place: str, domain: str | None) -> Result:
    """Return the calls, tokens and cost of each stage, and how each call to a model ended."""
    from sopforge.authors.providers.ledger import read_events
    from sopforge.authors.providers.record import CompletionRecord
    from sopforge.authors.providers.selection import RECORDS, name_ledger
    from sopforge.authors.providers.totals import compute_totals
    from sopforge.store.opening import open_store

    if domain is None:
        hint = "name the domain: sopforge status DOMAIN --cost"
        raise MaterialError(Fault("domain-not-named", "no domain is named", "--cost", hint))
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
    together = compute_totals(events, is_open)
    damaged = sum(event["event"] == "damaged" for event in events)
    record = {
        "domain": name,
        "stages": {stage: _build_record(found) for stage, found in sums.items()},
        "all": _build_record(together),
        "damaged_lines": damaged,
    }
    parts = _lay_out(name, {**sums, "all": together}, damaged)
    return Result(record, parts, has_findings=damaged > 0)


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


_CALLS = ("calls", "answers", "rejects", "failures", "cut_off", "open", "repairs", "from_record")
"""What of a record stands in the table of calls."""


def _lay_out(name: str, sums: Mapping[str, Totals], damaged: int) -> Parts:
    if len(sums) == 1 and not damaged:
        yield f"{name}: no language model was called, so there are no costs."
        return
    yield from _lay_out_calls(name, sums)
    yield from _lay_out_cost(sums)
    if damaged:
        lines = f"{damaged} incomplete line{'s' * (damaged != 1)} in the log"
        meaning = (
            "a call with an incomplete end line counts as cut off; a call with an incomplete first"
            " line was never sent"
        )
        yield Text(f"A crash left {lines}: {meaning}.", "yellow")


def _lay_out_calls(name: str, sums: Mapping[str, Totals]) -> Parts:
    records = {stage: _build_record(found) for stage, found in sums.items()}
    rows = [(stage, *map(record.get, _CALLS)) for stage, record in records.items()]
    headings = [column.replace("_", " ") for column in _CALLS]
    yield make_table(f"{name}: calls", ["stage"], rows, headings)
    counts = sums["all"].counts
    parts = f"{counts.answers} answers, {counts.rejects} rejects, {counts.failures} failures"
    there = f", {counts.open} open" if counts.open else ""
    yield f"{counts.calls} calls: {parts}, {counts.interrupted} cut off{there}"
    if counts.rejects:
        yield "Rejects are paid answers that are malformed, truncated or refused."
    if counts.open:
        yield "Open calls are being answered now; their cost is not known yet."
    if sums["all"].repairs:
        yield "Repairs are those of the calls that sent findings back to the model."
    yield ""


def _lay_out_cost(sums: Mapping[str, Totals]) -> Parts:
    rows = []
    for stage, found in sums.items():
        tokens = (found.tokens_in + found.tokens_cached, found.tokens_cached, found.tokens_out)
        rows.append((stage, *map(found.format_tokens, tokens), found.format_cost()))
    columns = ("tokens in", "of these cached", "tokens out", "cost in USD")
    yield make_table("tokens and cost", ["stage"], rows, columns)
    cut_off = sums["all"].cut_off
    if cut_off:
        yield f"{cut_off.describe()}: a provider may bill an answer that broke off."
    if sums["all"].unpriced or cut_off.unpriced:
        yield "No price was known for some calls. Add it with: sopforge generate --prices FILE"
