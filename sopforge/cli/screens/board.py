"""One view of several runs: a line for each that is at work, on a terminal that can show it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty
from typing import TYPE_CHECKING, Protocol

from sopforge.cli.output import make_table, strip_control_characters
from sopforge.cli.screens.work_view import show_view

if TYPE_CHECKING:
    from rich.console import RenderableType


class ProgressQueue(Protocol):
    """Where other processes report their runs: domains, each with how far its run is."""

    def get_nowait(self) -> tuple[str, str]:
        """Return what was reported first; raises ``Empty`` if there is nothing."""


class Board:
    """How far each of some runs is, as far as it was reported; it ``is_live`` on a terminal."""

    def __init__(self, count: int) -> None:
        self.is_live = False
        self._left = count
        self._at_work: dict[str, str] = {}
        self._ended: set[str] = set()
        self._queue: ProgressQueue | None = None

    def listen(self, reports: ProgressQueue) -> None:
        """Take in what other processes report, each time that the view is drawn."""
        self._queue = reports

    def note_progress(self, domain: str, line: str) -> None:
        """Take in how far a run is; a run that has ended is shown no more."""
        if domain not in self._ended:
            self._at_work[domain] = line

    def mark_ended(self, domain: str) -> None:
        """Take in that a run has ended."""
        self._ended.add(domain)
        self._at_work.pop(domain, None)

    @contextmanager
    def show_live(self) -> Iterator[None]:
        """Show the view as long as this lasts, where there is a terminal that can."""
        with show_view(self.render_view) as self.is_live:
            yield

    def render_view(self, _: str = "") -> RenderableType:
        """Return a row for each run that is at work, and how many have not begun."""
        self._take_in()
        at_work = dict(self._at_work)
        waiting = self._left - len(self._ended) - len(at_work)
        rows = [(domain, strip_control_characters(line)) for domain, line in at_work.items()]
        found = make_table("", ["domain", "progress"], rows)
        if waiting > 0:
            found.caption = f"{waiting} not started"
        return found

    def _take_in(self) -> None:
        while self._queue is not None:
            try:
                self.note_progress(*self._queue.get_nowait())
            except Empty:
                return
