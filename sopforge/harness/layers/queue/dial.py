"""The dial of queues, whose sessions are graded case by case."""

from __future__ import annotations

from typing import Any, cast

from sopforge.harness.layers.dial import Ability, Dial
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import Judge, Layer
from sopforge.harness.layers.layered import Cases
from sopforge.harness.layers.queue.making import make_queue
from sopforge.harness.layers.queue.queued import Queue
from sopforge.harness.layers.queue.queued_cases import QueuedCases
from sopforge.harness.layers.queue.working import work_amid_queue


class _QueueDial(Dial):
    def put(self, ground: Ground, layer: Layer[Any], judge: Judge | None) -> Cases:
        queue = cast("Queue", layer)
        return QueuedCases(ground.cases, queue, judge, model=ground.model, solve=ground.solve)


QUEUE = _QueueDial(
    Queue,
    make_queue,
    work_amid_queue,
    {"each-case-as-new": Ability.LINKING, "forgets": Ability.REMEMBERING},
)
