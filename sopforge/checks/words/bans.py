"""Bans: what a text that an author wrote is searched for, and what to do where it has that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from sopforge.findings import Finding, make_error_finding

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ban(Generic[T]):
    """What a text must not have: ``search`` returns each place, ``what`` is said of the text."""

    code: str
    what: str
    hint: str
    search: Callable[[T], Iterable[str]]


def check_bans(
    bans: Iterable[Ban[T]], text: T, about: str, *, where: str, evidence: str
) -> Iterator[Finding]:
    """Report each ban that a text breaks; the message says ``about`` which text."""
    for ban in bans:
        found = "; ".join(dict.fromkeys(ban.search(text)))
        if found:
            message = f"{about} {ban.what} ({found})"
            yield make_error_finding(
                ban.code, message, where=where, evidence=evidence, hint=ban.hint
            )
