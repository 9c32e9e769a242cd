"""How long an attempt may take: to connect, between two pieces of an answer, and in all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from sopforge.authors.providers.completion import PassingError

Event = TypeVar("Event")


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds; ``whole`` ends an answer that trickles in so slowly that no read ever times out."""

    connect: float = 5
    read: float = 120
    whole: float = 1800


def iterate_until_timeout(
    events: Iterable[Event], seconds: float, clock: Callable[[], float] = time.monotonic
) -> Iterator[Event]:
    """Yield the events of an answer.

    Raises:
        PassingError: they have not ended after so many seconds.
    """
    end = clock() + seconds
    for event in events:
        if clock() > end:
            raise PassingError(f"no whole answer within {seconds:g} s", may_be_billed=True)
        yield event
