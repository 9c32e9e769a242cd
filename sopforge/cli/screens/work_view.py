"""What a command says while it works: a view on a terminal, else a plain line now and then."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TextIO, cast

from rich.console import Console

from sopforge.cli.output import make_console, say, strip_control_characters
from sopforge.errors import Fault, MaterialError
from sopforge.progress.describing import Reporter
from sopforge.progress.ticking import Ticker, turn
from sopforge.progress.tracking import listen

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from sopforge.progress.tracking import Step

    View = Callable[[str], RenderableType]

VARIABLE = "SOPFORGE_PROGRESS"
FIRST_SECONDS = 1.5
"""So long a command may be silent, with what it takes to start."""
LINE_SECONDS = 5
AGAIN_SECONDS = 0.5
"""So long after something was printed the view is shown again."""
TICK_SECONDS = 0.25


class Display:
    """Shows where the work of a command is, or at least that it goes on, on standard error.

    A view makes room to whatever is printed on the same terminal. ``view`` makes it of a line.
    ``began`` is when the command began, by the ``clock``, if that was before this.
    """

    def __init__(
        self,
        name: str,
        seconds: int,
        clock: Callable[[], float] = time.monotonic,
        began: float | None = None,
    ) -> None:
        self.view: View = render_line
        self._name, self._seconds, self._clock = name, seconds, clock
        self._lead, self._is_quiet, self._owner = "  ", False, os.getpid()
        # Not the one that prints everything else: what that prints takes the view away.
        is_terminal = sys.stderr.isatty()
        self._screen = Console(file=sys.stderr) if is_terminal else make_console(stderr=True)
        self.is_live = is_terminal and not self._screen.is_dumb_terminal
        self._live: Live | None = None
        self._steps: Sequence[Step] = ()
        self._line = ""
        self._reporter = Reporter(self._note_line, 0, clock=clock)
        self._began = clock() if began is None else began
        self._due = self._began + FIRST_SECONDS

    def hear(self, steps: Sequence[Step]) -> None:
        """Take in where work is, which is looked at when it is shown."""
        self._steps = steps
        is_quiet = bool(steps) and steps[-1].is_elsewhere
        if is_quiet != self._is_quiet:
            with turn:
                self.make_room()
                self._is_quiet = is_quiet

    def show_if_due(self) -> None:
        """Show where work is, if it is time to."""
        steps, self._line = list(self._steps), ""
        self._reporter.hear(steps)
        now = self._clock()
        if self._is_quiet or now < self._due:
            return
        # Where nothing is counted, only the time shows that the work goes on.
        is_counted = any(step.total for step in steps)
        line = self._line if is_counted else self._describe_time(now)
        if self.is_live:
            self._draw(line)
        else:
            say(self._screen, self._lead + line)
            self._due = now + self._seconds

    def make_room(self) -> None:
        """Take the view away, for something else is about to be printed."""
        if os.getpid() != self._owner:
            return
        self._due = max(self._due, self._clock() + AGAIN_SECONDS)
        if self._live is not None:
            self._live.stop()
            self._live = None

    @contextmanager
    def name_run(self, domain: str) -> Iterator[None]:
        """Begin lines with a domain as long as this lasts."""
        before = self._lead, self._name
        self._lead, self._name = f"{domain}: ", ""
        try:
            yield
        finally:
            self._lead, self._name = before

    def _note_line(self, line: str) -> None:
        self._line = line

    def _describe_time(self, now: float) -> str:
        where = self._line or self._name
        return f"{where}{': ' if where else ''}at work for {int(now - self._began)} s"

    def _draw(self, line: str) -> None:
        from rich.live import Live

        shown = self.view(line)
        if self._live is None:
            self._live = Live(
                console=self._screen,
                auto_refresh=False,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()
        self._live.update(shown, refresh=True)


class _Yielding:
    """A stream of a terminal on which a display is, which makes room to what is written."""

    def __init__(self, stream: TextIO, display: Display) -> None:
        self._stream, self._display = stream, display

    def write(self, text: str) -> int:
        with turn:
            self._display.make_room()
            return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a stream has
        return getattr(self._stream, name)


_display: ContextVar[Display | None] = ContextVar("display", default=None)


@contextmanager
def show_work(name: str, began: float | None = None) -> Iterator[None]:
    """Let whoever waits for some work see, as long as it lasts, where it is and that it goes on.

    Work of which nothing is heard is shown by its ``name``. ``began`` is when it began on the
    monotonic clock, if that was before this.

    Raises:
        MaterialError: ``SOPFORGE_PROGRESS`` says no number.
    """
    display = Display(name, read_line_seconds(), began=began)
    if not display.is_live and not read_line_seconds():
        yield
        return
    ticker, before = Ticker(display.show_if_due, TICK_SECONDS), _display.set(display)
    try:
        with listen(display.hear), _take_turns(display), ticker:
            yield
    finally:
        display.make_room()
        _display.reset(before)


@contextmanager
def show_view(view: View) -> Iterator[bool]:
    """Have a view of work other than a line, as long as this lasts; yields whether it is shown."""
    display = _display.get()
    if display is None or not display.is_live:
        yield False
        return
    before, display.view = display.view, view
    try:
        yield True
    finally:
        display.view = before


@contextmanager
def name_run(domain: str) -> Iterator[None]:
    """Begin plain lines with the domain of the run that is at work, as long as this lasts."""
    display = _display.get()
    if display is None:
        yield
        return
    with display.name_run(domain):
        yield


def read_line_seconds() -> int:
    """Return how many seconds there are between two plain lines; 0 asks for none.

    Raises:
        MaterialError: ``SOPFORGE_PROGRESS`` says no number.
    """
    said = os.environ.get(VARIABLE, "")
    if not re.fullmatch("[0-9]{0,4}", said):
        message, hint = (
            f"'{said[:40]}' is not a number of seconds",
            ("set it to a number of seconds, or to 0 for no lines"),
        )
        raise MaterialError(Fault("progress-not-a-number", message, VARIABLE, hint))
    return int(said or LINE_SECONDS)


def render_line(line: str) -> RenderableType:
    """Return a line for a view."""
    from rich.text import Text

    return Text(strip_control_characters(f"  {line}") if line else "", style="dim")


@contextmanager
def _take_turns(display: Display) -> Iterator[None]:
    """Let what is written to the terminal take the view away first, as long as this lasts."""
    before = sys.stdout, sys.stderr
    if display.is_live:
        sys.stdout, sys.stderr = (
            cast("TextIO", _Yielding(stream, display)) if stream.isatty() else stream
            for stream in before
        )
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
