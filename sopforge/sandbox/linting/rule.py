"""What a rule of the linter is, and what it says of a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.findings import Severity
from sopforge.sandbox.linting.source import Source


@dataclass(frozen=True, slots=True)
class Spot:
    """A line that a rule is about; the message says what is there, and why it is no part of a tool.

    Line 0 stands for the module as a whole.
    """

    line: int
    message: str


Finder: TypeAlias = Callable[[Source], Iterable[Spot]]


@dataclass(frozen=True, slots=True)
class LintRule:
    """One thing that does not belong into tools, by the code of its finding."""

    code: str
    find: Finder
    hint: str
    severity: Severity = Severity.ERROR


def split_words(text: str) -> frozenset[str]:
    """Return the words of a list that is set in lines."""
    return frozenset(text.split())
