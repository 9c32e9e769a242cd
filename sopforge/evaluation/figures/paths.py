"""Attempts by the path of their task: how many are right, and what went wrong first in others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sopforge.evaluation.figures.means import compute_row_rates
from sopforge.evaluation.runs.metrics import Rate
from sopforge.evaluation.runs.rows import Row

FEW = 5
"""Tasks: of fewer, a share says little."""


@dataclass(frozen=True, slots=True)
class PathFigures:
    """The attempts at tasks of one path; ``failures`` counts wrong ones by what is wrong first."""

    path: tuple[str, ...]
    tasks: int
    tsr: Rate
    failures: Mapping[str, int]

    @property
    def name(self) -> str:
        """The steps and edges of the path."""
        return " > ".join(self.path)

    @property
    def is_few(self) -> bool:
        """Whether there are too few tasks for the share to say much."""
        return self.tasks < FEW

    @property
    def wrong(self) -> int:
        """How many attempts are wrong."""
        return sum(self.failures.values())


def list_path_figures(rows: Sequence[Row]) -> list[PathFigures]:
    """Return the figures of each path, those with most wrong attempts first."""
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(row.grade.path, []).append(row)
    made = [
        PathFigures(
            path,
            len({row.asked.task for row in items}),
            compute_row_rates(items).tsr,
            count_failures(items),
        )
        for path, items in found.items()
    ]
    return sorted(made, key=lambda item: (-item.wrong, item.path))


def count_failures(rows: Sequence[Row]) -> dict[str, int]:
    """Return how many wrong attempts have which failure class, the most frequent first."""
    counts = Counter(name_failure(row) for row in rows if not row.grade.is_right)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def count_places(rows: Sequence[Row]) -> dict[tuple[str, str], int]:
    """Return how many wrong attempts go wrong first at which place, by class and place."""
    counts = Counter(
        (name_failure(row), row.grade.divergence_at)
        for row in rows
        if not row.grade.is_right and row.grade.divergence_at
    )
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def name_failure(row: Row) -> str:
    """Return the failure class of a wrong attempt: what is wrong first, as finely as is known."""
    return (row.grade.divergence_kind or row.grade.divergence).value


def shorten_path(path: Sequence[str]) -> list[str]:
    """Return the steps of a path without its edges, which are named for their steps."""
    return [node for node in path if node.split(".", 1)[0] not in path or "." not in node]
