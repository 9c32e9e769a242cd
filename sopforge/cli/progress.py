"""What a run tells while a language model writes: one live view, or plain lines without one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sopforge.cli.output import say, shown

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from sopforge.providers.ledger import Event


class Watching:
    """Hears of calls and rounds of repair; of a run that asks no model it says nothing.

    On a terminal one view tells what is asked and what it has cost so far. Elsewhere each stage has
    its line, which ``spent`` adds to, and each round of repair has one.
    """

    def __init__(self, screen: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._screen = screen
        self._clock = clock
        self._events: list[Event] = []
        self._current: Event | None = None
        self._since = 0.0

    def hear(self, event: Event) -> None:
        """Take in what happened; this is what a ledger calls."""
        if event["event"] == "goes-back":
            say(self._screen, f"  {_round(event)}", "yellow")
            return
        self._events.append(event)
        is_open = event["event"] in {"asked", "waits"}
        self._current, self._since = event if is_open else None, self._clock()

    def spent(self, stage: str = "") -> str:
        """Return what a stage has cost in this run, or all of them; nothing if none was asked."""
        from sopforge.providers.totals import totals

        events = [event for event in self._events if not stage or event["stage"] == stage]
        if not events:
            return ""
        found = totals(event for event in events if event["event"] != "waits")
        counts = found.counts
        calls = [_counted(counts.calls, "call")] if counts.calls else []
        calls += [f"{counts.from_record} from record"] if counts.from_record else []
        if not counts.calls:
            return f"{calls[0]}, $0"
        told_in = found.told_tokens(found.tokens_in + found.tokens_cached)
        tokens = f"{told_in} tokens in, {found.told_tokens(found.tokens_out)} out"
        cost = found.told_cost()
        return ", ".join([*calls, tokens, f"${cost}" if cost[0].isdigit() else f"cost {cost}"])

    @contextmanager
    def live(self, *, is_wanted: bool = True) -> Iterator[None]:
        """Show the view as long as this lasts, where there is a terminal that can."""
        if not is_wanted or not self._screen.is_terminal or self._screen.is_dumb_terminal:
            yield
            return
        from rich.live import Live

        view = Live(
            console=self._screen,
            get_renderable=self.view,
            refresh_per_second=4,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        with view:
            yield

    def view(self) -> RenderableType:
        """Return what is asked now, and what the run has cost so far."""
        from rich.text import Text

        if not self._events:
            return Text("")
        lines = [self._now(), f"so far: {self.spent()}"]
        return Text("\n".join(shown(f"  {line}") for line in lines), style="dim")

    def _now(self) -> str:
        event, seconds = self._current, int(self._clock() - self._since)
        if event is None:
            return "what was written is worked in and checked"
        place = f"{event['stage']}: call {event['call']}, {_template(event)}"
        if event["event"] == "asked":
            return f"{place}, {seconds} s"
        left = max(0, int(event["waited"]) - seconds)
        return f"{place}: {event['reason'][:80]}; asked again in {left} s"


def _template(event: Event) -> str:
    again = f", repair {event['repair']}" if event.get("repair") else ""
    return f"{event['template']}{again}"


def _round(event: Event) -> str:
    errors = _counted(event["errors"], "error")
    verb = "goes" if event["errors"] == 1 else "go"
    if event["round"] > event["rounds"]:
        return f"{event['stage']}: {errors} left; the sections that have them are derived"
    return f"{event['stage']}: {errors} {verb} back, round {event['round']} of {event['rounds']}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
