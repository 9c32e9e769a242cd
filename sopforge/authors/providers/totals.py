"""Sums over lines of the log: calls by their ends, tokens, and what is known of the cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from sopforge.authors.providers.ledger import UNKNOWN, Counts, reconcile
from sopforge.authors.providers.watching import Event


@dataclass(frozen=True, slots=True)
class CutOff:
    """Attempts whose answers broke off after the question was sent.

    ``most`` is what they cost in US dollars if each is billed at its highest; it leaves out the
    ``unpriced`` ones, whose price is not known.
    """

    attempts: int = 0
    most: Decimal = Decimal(0)
    unpriced: int = 0

    def __bool__(self) -> bool:
        return bool(self.attempts)

    def describe(self, what: str = "attempt") -> str:
        """Return it in words, nothing where no attempt was cut off; ``what`` is one of them."""
        if not self.attempts:
            return ""
        count = f"{self.attempts} {what}{'s' * (self.attempts != 1)} cut off"
        if self.unpriced == self.attempts:
            return f"{count}, at a cost that is not known"
        beside = f", {self.unpriced} of them at a cost that is not known" if self.unpriced else ""
        return f"{count}, at most ${self.most:.4f} more{beside}"


@dataclass(frozen=True, slots=True)
class Totals:
    """What calls came to; ``repairs`` are those of them by which findings went back to the model.

    Tokens and cost are of the answers that report theirs: ``uncounted`` and ``unpriced`` do not.
    ``cut_off`` are the attempts without an answer that may be billed all the same.
    """

    counts: Counts
    repairs: int
    tokens_in: int
    tokens_cached: int
    tokens_out: int
    cost: Decimal
    uncounted: int
    unpriced: int
    cut_off: CutOff

    @property
    def highest_cost(self) -> Decimal:
        """What is known of the cost, attempts that were cut off counted at their highest."""
        return self.cost + self.cut_off.most

    def format_cost(self, places: int = 4) -> str:
        """Return the cost in US dollars; what is not known of it is said, and never 0."""
        cut = self.cut_off
        parts = [self._format_answers_cost(places)] if self._has_answers or not cut else []
        if cut.unpriced < cut.attempts:
            parts.append(f"at most {cut.most:.{places}f}")
        if cut.unpriced and not self.unpriced:
            parts.append(UNKNOWN)
        return " + ".join(parts)

    def describe_cost(self) -> str:
        """Return the cost in words: what the answers cost, and what was cut off."""
        cost = self._format_answers_cost(4)
        shown = f"${cost}" if cost[0].isdigit() else f"cost {cost}"
        parts = [shown] if self._has_answers or not self.cut_off else []
        return ", ".join([*parts, *([self.cut_off.describe()] if self.cut_off else [])])

    @property
    def _has_answers(self) -> bool:
        return bool(self.counts.answers or self.counts.rejects)

    def _format_answers_cost(self, places: int) -> str:
        answered = self.counts.answers + self.counts.rejects
        if answered and self.unpriced == answered:
            return UNKNOWN
        known = f"{self.cost:.{places}f}"
        return f"{known} + {UNKNOWN}" if self.unpriced else known

    def format_tokens(self, number: int) -> str:
        """Return a sum of tokens; a mark says that some answers did not count theirs."""
        return f"{number:,}" + ("+?" if self.uncounted else "")


def compute_totals(
    events: Iterable[Event], is_open: Callable[[str], bool] = lambda _: False
) -> Totals:
    """Return the sums over some lines of a log; ``is_open`` says of a key whether it is asked now.

    Without it, a call that has no end counts as cut off.
    """
    lines = list(events)
    answered = [event for event in lines if event["event"] == "answered"]
    tokens = [event["tokens"] for event in answered if isinstance(event["tokens"], Mapping)]
    costs = [Decimal(event["cost"]) for event in answered if event["cost"] != UNKNOWN]
    return Totals(
        reconcile(lines, is_open),
        sum(event["event"] == "asked" and bool(event.get("repair")) for event in lines),
        sum(counted["input"] + counted["cache_write"] for counted in tokens),
        sum(counted["cache_read"] for counted in tokens),
        sum(counted["output"] for counted in tokens),
        sum(costs, Decimal(0)),
        len(answered) - len(tokens),
        len(answered) - len(costs),
        _find_cut_off_attempts(lines, is_open),
    )


def _find_cut_off_attempts(events: Sequence[Event], is_open: Callable[[str], bool]) -> CutOff:
    """Return the attempts in a log that may be billed without an answer.

    Those are the failed ones of which the log says so, and the last one of each call whose process
    ended before it; ``is_open`` says of a question's key whether its answer is still waited for.
    """
    highest = {
        event["call"]: event.get("highest_cost", UNKNOWN)
        for event in events
        if event["event"] == "asked"
    }
    costs = [highest.get(call, UNKNOWN) for call in _iterate_cut_off_calls(events, is_open)]
    known = [Decimal(cost) for cost in costs if cost != UNKNOWN]
    return CutOff(len(costs), sum(known, Decimal(0)), len(costs) - len(known))


def _iterate_cut_off_calls(
    events: Sequence[Event], is_open: Callable[[str], bool]
) -> Iterable[int]:
    """Yield the call of each such attempt."""
    ended = {event["call"] for event in events if event["event"] in {"answered", "failed"}}
    # A question may be asked anew that was answered before, badly.
    last = {event["key"]: event["call"] for event in events if event["event"] == "asked"}
    open_calls = {call for key, call in last.items() if call not in ended and is_open(key)}
    for event in events:
        match event["event"]:
            case "answered" | "failed":
                failures = event.get("failed_attempts", ())
                yield from (event["call"] for failure in failures if failure["may_be_billed"])
            case "waits" if event["call"] not in ended and event.get("may_be_billed"):
                yield event["call"]
            case "asked" if event["call"] not in ended | open_calls:
                yield event["call"]
