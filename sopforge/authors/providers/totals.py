"""Sums over lines of the log: calls by their ends, tokens, and what is known of the cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from sopforge.authors.providers.cut_off import CutOff, find_cut_off_attempts
from sopforge.authors.providers.ledger import UNKNOWN, Counts, reconcile
from sopforge.authors.providers.watching import Event


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
        find_cut_off_attempts(lines, is_open),
    )
