"""Work says what it goes through; whoever listens hears it, and without a listener nothing happens.

Steps lie within each other: a stage, its checks, the questions of one of them. Nothing here reads a
clock or decides anything: what is made is the same whether or not somebody listens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

Item = TypeVar("Item")


@dataclass(slots=True)
class Step:
    """A part of some work: what it goes through, and how many of how many are done.

    ``total`` is 0 where nothing is counted; ``name`` is that of the item at hand, if it has one.
    In one that ``is_elsewhere`` a person or a client acts, perhaps on the same terminal.
    """

    what: str
    total: int = 0
    done: int = 0
    name: str = ""
    is_elsewhere: bool = False


Listener: TypeAlias = Callable[[Sequence[Step]], None]
"""Hears of the steps that work is within, the widest first; they go on changing afterwards."""


@dataclass(frozen=True, slots=True)
class _Audience:
    listeners: tuple[Listener, ...] = ()
    steps: list[Step] = field(default_factory=list)

    def report(self) -> None:
        for listener in self.listeners:
            listener(self.steps)

    def open_step(self, step: Step) -> None:
        self.steps.append(step)
        self.report()

    def close_step(self, step: Step) -> None:
        """Leave a step, and with it those within it that nobody went through to the end."""
        for place, item in enumerate(self.steps):
            if item is step:
                del self.steps[place:]
                self.report()
                return


_NOBODY = _Audience()
_audience: ContextVar[_Audience] = ContextVar("audience", default=_NOBODY)


@contextmanager
def listen(*listeners: Listener) -> Iterator[None]:
    """Let listeners hear, beside those that do already, of the steps of work done in this context.

    Other threads are other contexts.
    """
    now = _audience.get()
    steps = now.steps if now.listeners else []
    before = _audience.set(_Audience((*now.listeners, *listeners), steps))
    try:
        yield
    finally:
        _audience.reset(before)


def ignore_listeners() -> None:
    """Let nobody hear of what this context does from here on, as in the copy of a process."""
    _audience.set(_NOBODY)


@contextmanager
def enter_step(what: str, *, is_elsewhere: bool = False) -> Iterator[None]:
    """Be within a step in which nothing is counted, such as a stage."""
    audience = _audience.get()
    if not audience.listeners:
        yield
        return
    step = Step(what, is_elsewhere=is_elsewhere)
    audience.open_step(step)
    try:
        yield
    finally:
        audience.close_step(step)


@contextmanager
def wait_for_others(what: str) -> Iterator[None]:
    """Be within a step in which a person or a client acts: nothing more is heard meanwhile."""
    with enter_step(what, is_elsewhere=True):
        before = _audience.set(_NOBODY)
        try:
            yield
        finally:
            _audience.reset(before)


def track(
    items: Iterable[Item],
    what: str,
    total: int | None = None,
    name: Callable[[Item], str] | None = None,
    size: Callable[[Item], int] | None = None,
) -> Iterator[Item]:
    """Return items one by one, each done when the next one is asked for.

    ``total`` is for items that do not say how many they are; ``name`` says what each is called, and
    ``size`` as how many it counts.

    >>> heard = []
    >>> with listen(lambda steps: heard.append([(step.done, step.total) for step in steps])):
    ...     list(track("ab", "letters"))
    ['a', 'b']
    >>> heard
    [[(0, 2)], [(0, 2)], [(1, 2)], []]
    """
    audience = _audience.get()
    if not audience.listeners:
        return iter(items)
    known = len(items) if isinstance(items, Sized) else 0
    step = Step(what, known if total is None else total)
    return _iterate_tracked(audience, items, step, name, size)


def _iterate_tracked(
    audience: _Audience,
    items: Iterable[Item],
    step: Step,
    name: Callable[[Item], str] | None,
    size: Callable[[Item], int] | None,
) -> Iterator[Item]:
    audience.open_step(step)
    try:
        for item in items:
            if name is not None:
                step.name = name(item)
            audience.report()
            yield item
            step.done += 1 if size is None else size(item)
    finally:
        audience.close_step(step)


def has_listeners() -> bool:
    """Return whether anybody hears of what this context does."""
    return bool(_audience.get().listeners)


def repeat_report(inner: Sequence[Step] = ()) -> None:
    """Let listeners hear where work is while others do it; ``inner`` are steps of one of those."""
    audience = _audience.get()
    for listener in audience.listeners:
        listener([*audience.steps, *inner])
