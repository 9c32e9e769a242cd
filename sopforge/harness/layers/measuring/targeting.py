"""Doses by which a level is as hard as a brief asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal

from sopforge.errors import MaterialError
from sopforge.harness.layers.layering import put_layers
from sopforge.harness.layers.measuring.report import Reporter
from sopforge.harness.layers.queue.queued import Queue

_LENGTHS = (5, 10, 20, 40)


def meet_target(reporter: Reporter, median: Decimal) -> Reporter:
    """Return a level at which half of the one-mistake agents are right in so few sessions.

    Its queue is lengthened until they are, or no longer one can be made; then it is the hardest of
    those tried.
    """
    tried = [reporter]
    for doses in _iterate_longer(reporter.doses):
        if tried[-1].session_median <= median:
            break
        try:
            cases = put_layers(reporter.core, doses, reporter.seed)
        except MaterialError:
            break
        tried.append(replace(reporter, cases=cases, doses=doses))
    return min(tried, key=lambda level: level.session_median)


def _iterate_longer(doses: Mapping[str, int]) -> Iterator[Mapping[str, int]]:
    """Yield the doses with longer queues, the shortest first."""
    for length in _LENGTHS:
        if length > doses.get(Queue.name, 0):
            yield {**doses, Queue.name: length}
