"""Where work is, in words, every so many seconds; the clock is read here, and not at work."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sopforge.progress.tracking import Step

LEAST_SECONDS = 3.0
"""So long must a step have lasted before anything is said of how long the rest takes."""
LEAST_SHARE = 20
"""And one of so many of its items must be done,"""
LEAST_DONE = 10
"""and so many: what is few, as levels are, is also unlike."""
_STEP, _MINUTE, _HOUR = 5, 60, 3600


@dataclass(slots=True)
class _Timed:
    """A step with the times at which it began and at which an item was done last."""

    step: Step
    began: float
    first: int
    done: int
    moved: float

    def compute_left(self, now: float) -> float | None:
        """Return the seconds that the rest takes at the pace so far, None where nobody can know."""
        step, here = self.step, self.done - self.first
        took = self.moved - self.began
        if here < LEAST_DONE or step.done >= step.total or step.done * LEAST_SHARE < step.total:
            return None
        left = took * (step.total - step.done) / here - (now - self.moved)
        # Once the time is up that was foreseen, nothing is known of what is still to come.
        return left if now - self.began >= LEAST_SECONDS and left > 0 else None


class Reporter:
    """Says where work is, every so many seconds once it was within one widest step for so long.

    Work that ends sooner is not reported. ``at_once`` reports each further step and item with a
    name as well, as soon as work is there: it may stay there for long without a word.
    """

    def __init__(
        self,
        say: Callable[[str], None],
        seconds: float,
        *,
        at_once: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._say, self._seconds, self._at_once, self._clock = say, seconds, at_once, clock
        self._timed: list[_Timed] = []
        self._due = 0.0
        self._shape: tuple[tuple[str, str], ...] = ()

    def hear(self, steps: Sequence[Step]) -> None:
        """Take in where work is; this is what ``listen`` is given."""
        now = self._clock()
        if not steps:
            self._timed.clear()
            self._shape = ()
            return
        if not self._timed or self._timed[0].step is not steps[0]:
            self._timed.clear()
            self._due = now + self._seconds
        self._note_times(steps, now)
        is_new = self._at_once and get_shape(steps) != self._shape
        if now >= self._due or is_new:
            self._due, self._shape = now + self._seconds, get_shape(steps)
            self._say(self._describe(now))

    def _note_times(self, steps: Sequence[Step], now: float) -> None:
        known = self._timed
        for place, step in enumerate(steps):
            if place < len(known) and known[place].step is step:
                if known[place].done != step.done:
                    known[place].done, known[place].moved = step.done, now
            else:
                known[place:] = [_Timed(step, now, step.done, step.done, now)]
        del known[len(steps) :]

    def _describe(self, now: float) -> str:
        parts, is_said = [], False
        for timed in self._timed:
            left = None if is_said else timed.compute_left(now)
            # The widest that is known says the most: what lies within it is a part of that.
            is_said = is_said or left is not None
            parts.append(describe_step(timed.step) + describe_left(left))
        return parts[0] + ("" if len(parts) == 1 else f": {'; '.join(parts[1:])}")


def get_shape(steps: Sequence[Step]) -> tuple[tuple[str, str], ...]:
    """Return where work is but for how much of it is done."""
    return tuple((step.what, step.name) for step in steps)


def describe_step(step: Step) -> str:
    """Return a step in words.

    >>> describe_step(Step("goals covered", 1699, 120))
    'goals covered 120 of 1,699'
    >>> describe_step(Step("checks", 7, 2, "dataset-labels"))
    'checks 2 of 7 (dataset-labels)'
    """
    counted = f" {step.done:,} of {step.total:,}" if step.total else ""
    return step.what + counted + (f" ({step.name})" if step.name else "")


def describe_left(seconds: float | None) -> str:
    """Return how long the rest takes, as roughly as that can be known.

    >>> [describe_left(left) for left in (None, 2, 18, 61, 5_500)]
    ['', ', a few seconds left', ', about 20 s left', ', about 1 min left', ', about 2 h left']
    """
    if seconds is None:
        return ""
    fives = _STEP * round(seconds / _STEP)
    if fives < _STEP:
        return ", a few seconds left"
    if fives < _MINUTE:
        return f", about {fives} s left"
    if seconds < 1.5 * _HOUR:
        return f", about {round(seconds / _MINUTE)} min left"
    return f", about {round(seconds / _HOUR)} h left"
