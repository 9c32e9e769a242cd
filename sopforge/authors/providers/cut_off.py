"""Attempts that gave no whole answer but may be billed: how many, and what they cost at most."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from sopforge.authors.providers.ledger import UNKNOWN
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


def find_cut_off_attempts(events: Sequence[Event], is_open: Callable[[str], bool]) -> CutOff:
    """Return the attempts in a log that may be billed without an answer.

    Those are the failed ones of which the log says so, and the last one of each call whose process
    ended before it; ``is_open`` says of a question's key whether its answer is still waited for.
    """
    highest = {
        event["call"]: event.get("highest_cost", UNKNOWN)
        for event in events
        if event["event"] == "asked"
    }
    costs = [highest.get(call, UNKNOWN) for call in _iterate_calls(events, is_open)]
    known = [Decimal(cost) for cost in costs if cost != UNKNOWN]
    return CutOff(len(costs), sum(known, Decimal(0)), len(costs) - len(known))


def _iterate_calls(events: Sequence[Event], is_open: Callable[[str], bool]) -> Iterable[int]:
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
