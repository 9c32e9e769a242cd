"""What a rule of the linter is, and what it says of a line."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.findings import Severity
from sopforge.sandbox.linting.source import Source, Use


@dataclass(frozen=True, slots=True)
class Spot:
    """A line that a rule is about; the message says what is there, and why it is no part of a tool.

    Line 0 stands for the module as a whole.
    """

    line: int
    message: str


LOCATED = (ast.stmt, ast.expr, ast.excepthandler)
Finder: TypeAlias = Callable[[Source], Iterable[Spot]]


def report_nodes(explain: Callable[[Source, ast.AST], str]) -> Finder:
    """Return what reports each node of which something is said."""

    def find(source: Source) -> Iterator[Spot]:
        for node in source.nodes:
            if isinstance(node, LOCATED) and (message := explain(source, node)):
                yield Spot(node.lineno, message)

    return find


def report_uses(explain: Callable[[Source, Use], str]) -> Finder:
    """Return what reports each use of something from elsewhere of which something is said."""

    def find(source: Source) -> Iterator[Spot]:
        for use in source.uses:
            if why := explain(source, use):
                yield Spot(use.node.lineno, f"{source.quote_use(use)} {why}")

    return find


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
