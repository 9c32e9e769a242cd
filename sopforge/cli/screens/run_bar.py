"""A bar for the whole of a run, with its seven stages and, once that can be known, the rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sopforge.pipeline.runs.shares import STAGE_SHARES, compute_share
from sopforge.progress.describing import describe_left

if TYPE_CHECKING:
    from rich.console import RenderableType

    from sopforge.progress.tracking import Step

LEAST_SHARE = 0.25
"""From where on the rest is said: before it are the stages whose shares are least alike."""
LEAST_SECONDS = 10.0
_WIDTH = 40


class RunBar:
    """How far a run is; of one that ``goes_on`` past its gates, the rest is said as well.

    It never goes back, though a run may go through a stage again.
    """

    def __init__(self, *, goes_on: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._goes_on, self._clock = goes_on, clock
        self._steps: Sequence[Step] = ()
        self._stage, self._share = "", 0.0
        self._first: tuple[float, float] | None = None

    def hear(self, steps: Sequence[Step]) -> None:
        """Take in where work is, which is looked at when the bar is drawn."""
        self._steps = steps

    def render(self) -> RenderableType | None:
        """Return the bar, nothing before the run comes to a stage that it builds."""
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        steps, now = list(self._steps), self._clock()
        if steps and steps[0].what in STAGE_SHARES:
            self._stage, self._share = steps[0].what, max(self._share, compute_share(steps))
            self._first = self._first or (now, self._share)
        if not self._stage:
            return None
        drawn = Table.grid(padding=(0, 1))
        bar = ProgressBar(total=1.0, completed=self._share, width=_WIDTH)
        drawn.add_row("", bar, Text(self._describe(now), style="dim"))
        return drawn

    def _describe(self, now: float) -> str:
        names = list(STAGE_SHARES)
        place = f"stage {names.index(self._stage) + 1} of {len(names)}"
        left = describe_left(self._compute_left(now)).removeprefix(", ")
        return f"{self._share:.0%}, {place}{f', {left} in all' if left else ''}"

    def _compute_left(self, now: float) -> float | None:
        """Return the seconds that the rest takes at the pace so far, None where nobody can know."""
        if not self._goes_on or self._first is None or self._share < LEAST_SHARE:
            return None
        began, first = self._first
        took, done = now - began, self._share - first
        if took < LEAST_SECONDS or done < LEAST_SHARE / 5:
            return None
        return took * (1 - self._share) / done
