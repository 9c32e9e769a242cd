"""What a run shows while it works, or a language model does: one live view, or plain lines."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sopforge.cli.output import say, strip_control_characters
from sopforge.cli.screens.work_view import show_view
from sopforge.progress.tracking import listen

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from sopforge.authors.providers.watching import Event
    from sopforge.cli.screens.run_bar import RunBar


class Watching:
    """Hears of calls and rounds of repair; of a run that asks no model it says nothing.

    On a terminal one view shows where work is, what is asked and what it has cost so far, below the
    ``bar`` of a whole run.
    Elsewhere each stage has its line, which ``describe_spending`` adds to, and each round of
    repair has one.
    """

    def __init__(
        self,
        screen: Console,
        clock: Callable[[], float] = time.monotonic,
        bar: RunBar | None = None,
    ) -> None:
        from sopforge.authors.providers.spending import Spending

        self._screen = screen
        self._bar = bar
        self._clock = clock
        self._spending = Spending()
        self._open: dict[int, tuple[Event, float]] = {}

    def hear(self, event: Event) -> None:
        """Take in what happened; this is what a ledger calls."""
        from sopforge.authors.providers.spending import describe_round

        if event["event"] == "goes-back":
            say(self._screen, f"  {describe_round(event)}", "yellow")
            return
        self._spending.hear(event)
        # Made anew, and never changed: the view is drawn by another thread.
        others = {number: call for number, call in self._open.items() if number != event["call"]}
        is_open = event["event"] in {"asked", "waits"}
        self._open = {**others, event["call"]: (event, self._clock())} if is_open else others

    def describe_spending(self, stage: str = "") -> str:
        """Return what a stage has cost in this run, or all of them; nothing if none was asked."""
        return self._spending.describe_cost(stage)

    @contextmanager
    def show_live(self) -> Iterator[None]:
        """Show the view as long as this lasts, on a terminal."""
        with show_view(self._render), listen(*([self._bar.hear] if self._bar else [])):
            yield

    def render_view(self, line: str = "") -> RenderableType:
        """Return where work is, as a ``line`` says, what is asked now, and what it has cost."""
        from rich.text import Text

        lines = [line] if line else []
        if self._spending:
            lines += [self._describe_open_calls(), f"so far: {self.describe_spending()}"]
        return Text("\n".join(strip_control_characters(f"  {line}") for line in lines), style="dim")

    def _render(self, line: str) -> RenderableType:
        from rich.console import Group

        bar = self._bar.render() if self._bar else None
        return Group(*([bar] if bar else []), self.render_view(line))

    def _describe_open_calls(self) -> str:
        """Return the call of which nothing was heard for longest, and how many more are open."""
        from sopforge.authors.providers.spending import describe_call

        calls = list(self._open.values())
        if not calls:
            return "applying and checking the answers"
        event, since = calls[0]
        seconds, more = int(self._clock() - since), len(calls) - 1
        place = f"{describe_call(event)}{f' and {more} more' if more else ''}"
        if event["event"] == "asked":
            return f"{place}, {seconds} s"
        left = max(0, int(event["waited"]) - seconds)
        return f"{place}: {event['reason'][:80]}; next try in {left} s"
