"""Questions that do not depend on each other, asked at once; answers come in their order."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import Any, TypeAlias, TypeVar

from sopforge.authors.writers.repair import Ask

Item = TypeVar("Item")
Put: TypeAlias = tuple[str, Mapping[str, object]]
"""A question: the template, and the values of its parameters."""


def ask_together(ask: Ask, questions: Sequence[Put], at_once: int) -> list[Mapping[str, Any]]:
    """Return the answers to questions, at most so many of them open at once.

    After an error, or where somebody interrupts, no further question is begun. Those that are open
    after an error are waited for, so that their answers are on record, and the error of the first
    question in order is raised.
    """
    work, count = _Work(ask, questions), min(at_once, len(questions))
    if count <= 1:
        return [ask(*question) for question in questions]
    # Threads of no pool, and daemons: whoever interrupts must not wait for open answers, and a
    # pool's threads are waited for when the process ends.
    threads = [
        Thread(target=copy_context().run, args=(work.run,), daemon=True) for _ in range(count)
    ]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        work.stop()
    return work.get_answers()


def group_by_room(
    items: Iterable[Item], measure: Callable[[Item], int], room: int, most: int = sys.maxsize
) -> list[list[Item]]:
    """Return what each question asks for, in order: as many as its answer has room for."""
    groups: list[list[Item]] = []
    left = 0
    for item in items:
        size = measure(item)
        if not groups or size > left or len(groups[-1]) == most:
            groups.append([])
            left = room
        groups[-1].append(item)
        left -= size
    return groups


@dataclass(slots=True)
class _Work:
    """The questions, of which each thread takes the next one, and what became of them."""

    ask: Ask
    questions: Sequence[Put]
    answers: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    errors: dict[int, Exception] = field(default_factory=dict)
    begun: int = 0
    lock: Lock = field(default_factory=Lock)

    def run(self) -> None:
        while (number := self._take_next()) is not None:
            try:
                self.answers[number] = self.ask(*self.questions[number])
            except Exception as error:  # noqa: BLE001 - raised again where it is waited for
                self.errors[number] = error
                self.stop()

    def stop(self) -> None:
        with self.lock:
            self.begun = len(self.questions)

    def get_answers(self) -> list[Mapping[str, Any]]:
        for number in sorted(self.errors):
            raise self.errors[number]
        return [self.answers[number] for number in range(len(self.questions))]

    def _take_next(self) -> int | None:
        with self.lock:
            if self.begun == len(self.questions):
                return None
            self.begun += 1
            return self.begun - 1
