"""Answers of the solver that outlive the process which asked, so that the next one goes on there.

An answer is kept under its question, which says all that decides it but the ``subject``: what all
questions of one piece of work are about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol, TypeAlias

Kept: TypeAlias = Any
"""What JSON can hold, and not null."""


class KeptAnswers(Protocol):
    """Answers to the questions about one subject."""

    def find(self, question: str) -> Kept | None:
        """Return the answer that was noted, nothing where there is none."""

    def note(self, question: str, answer: Kept) -> None:
        """Keep an answer, now or soon."""


class _NothingKept:
    """Where nobody keeps answers, every question is asked."""

    def find(self, question: str) -> Kept | None:  # noqa: ARG002 - the protocol's
        return None

    def note(self, question: str, answer: Kept) -> None:
        pass


NOTHING_KEPT: KeptAnswers = _NothingKept()
Opener: TypeAlias = Callable[[str], KeptAnswers]
_opener: ContextVar[Opener | None] = ContextVar("opener", default=None)


@contextmanager
def use_kept_answers(opener: Opener) -> Iterator[None]:
    """Have answers kept where ``opener`` keeps those about a subject.

    Whoever proves what somebody else made does not: it has to ask all questions itself.
    """
    before = _opener.set(opener)
    try:
        yield
    finally:
        _opener.reset(before)


def open_kept_answers(subject: str) -> KeptAnswers:
    """Return the answers that are kept about a subject."""
    opener = _opener.get()
    return opener(subject) if opener else NOTHING_KEPT
