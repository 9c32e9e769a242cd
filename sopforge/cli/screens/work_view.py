"""Where work is while it lasts: a line of a live view, or a plain line every few seconds."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from sopforge.cli.output import make_console, say, strip_control_characters
from sopforge.cli.screens.live_view import can_show, show_live_view
from sopforge.errors import Fault, MaterialError
from sopforge.progress.describing import Reporter
from sopforge.progress.tracking import listen

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

VARIABLE = "SOPFORGE_PROGRESS"
LINE_SECONDS = 5
VIEW_SECONDS = 0.25


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


@contextmanager
def show_work(
    screen: Console,
    render_view: Callable[[str], RenderableType] | None = None,
    *,
    is_ticking: bool = False,
) -> Iterator[None]:
    """Show where work is as long as this lasts, on a terminal that can, else in plain lines.

    ``render_view`` makes a view of the line that says it; one that ``is_ticking`` is drawn again
    without further news as well, by a thread of its own.
    """
    seconds = read_line_seconds()
    if not can_show(screen):
        with say_work(seconds):
            yield
        return
    render, said = render_view or render_line, [""]
    with show_live_view(screen, lambda: render(said[0]), is_ticking=is_ticking) as draw:

        def show(line: str) -> None:
            said[0] = line
            draw()

        with listen(Reporter(show, VIEW_SECONDS, at_once=True).hear):
            yield


def say_work(seconds: int, domain: str = "") -> AbstractContextManager[None]:
    """Print where work is to standard error every so many seconds, as long as this lasts."""
    screen, start = make_console(stderr=True), f"{domain}: " if domain else "  "
    reporter = Reporter(lambda line: say(screen, start + line), seconds)
    return listen(*([reporter.hear] if seconds else []))


def render_line(line: str) -> RenderableType:
    """Return a line for a live view."""
    from rich.text import Text

    return Text(strip_control_characters(f"  {line}") if line else "", style="dim")
