"""What a run says of the calls that its language model answers: one line each, and their sums."""

from __future__ import annotations

from threading import Lock

from sopforge.authors.providers.totals import compute_totals
from sopforge.authors.providers.watching import Event


class Spending:
    """The calls of one run, which several threads may report at once."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._lock = Lock()

    def __bool__(self) -> bool:
        return bool(self._events)

    def hear(self, event: Event) -> None:
        """Take in a line of the ledger, or a wait."""
        with self._lock:
            self._events.append(event)

    def describe_cost(self, stage: str = "") -> str:
        """Return what a stage has cost in this run, or all of them; nothing if none was asked."""
        with self._lock:
            events = [event for event in self._events if not stage or event["stage"] == stage]
        if not events:
            return ""
        # What has no end yet is being answered now, by another thread.
        found = compute_totals(events, is_open=lambda _: True)
        counts = found.counts
        calls = [_format_count(counts.calls, "call")] if counts.calls else []
        calls += [f"{counts.from_record} from record"] if counts.from_record else []
        if not counts.calls:
            return f"{calls[0]}, $0"
        tokens_in = found.format_tokens(found.tokens_in + found.tokens_cached)
        tokens = f"{tokens_in} tokens in, {found.format_tokens(found.tokens_out)} out"
        return ", ".join([*calls, tokens, found.describe_cost()])


def describe_call(event: Event) -> str:
    """Return which call it is, and the template that it is asked with."""
    again = f", repair {event['repair']}" if event.get("repair") else ""
    return f"{event['stage']}: call {event['call']}, {event['template']}{again}"


def describe_round(event: Event) -> str:
    """Return how many errors go back to the author, or are left; without any, how many warnings."""
    kind = "error" if event["errors"] else "warning"
    errors = _format_count(event[f"{kind}s"], kind)
    verb = "goes" if event[f"{kind}s"] == 1 else "go"
    if event["round"] > event["rounds"]:
        return f"{event['stage']}: {errors} left; the sections that have them are derived"
    return f"{event['stage']}: {errors} {verb} back, round {event['round']} of {event['rounds']}"


def _format_count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
