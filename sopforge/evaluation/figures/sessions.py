"""Figures of attempts that may change records: the parts of sessions, and pairs of tasks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from math import prod

from sopforge.evaluation.figures.means import compute_row_rate
from sopforge.evaluation.runs.metrics import Rate, compute_rate
from sopforge.evaluation.runs.rows import Row


def compute_part_rates(rows: Sequence[Row]) -> dict[str, Rate]:
    """Return for each part of a session the share of attempts that have it right."""
    parts = dict.fromkeys(part for row in rows for part in row.grade.session or ())
    return {part: compute_row_rate(rows, partial(_read, part)) for part in parts}


@dataclass(frozen=True, slots=True)
class CaseScores:
    """How many cases of sessions with several are right, and what sessions make of that.

    ``independent`` is the share of sessions that would be right if the cases of each were right
    independently of each other, each as often as its place in a session is.
    """

    right: int
    of: int
    independent: float


def compute_case_scores(rows: Sequence[Row]) -> CaseScores | None:
    """Return how many cases are right, None where no session has several."""
    sessions = [row.grade.cases for row in rows if row.grade.cases]
    if not sessions:
        return None
    places = [list(filter(_is_there, place)) for place in zip_longest(*sessions)]
    shares = [sum(map(bool, place)) / len(place) for place in places]
    right, of = sum(map(sum, sessions)), sum(map(len, sessions))
    return CaseScores(right, of, prod(shares))


def _is_there(is_right: bool | None) -> bool:  # noqa: FBT001 - what a session says of a place
    return is_right is not None


def compute_pair_rate(rows: Iterable[Row]) -> Rate:
    """Return the share of pairs of which both tasks are right: one is refused, the other is not.

    A pair of which one task alone was attempted does not count.
    """
    found: dict[tuple[str, int, int], list[Row]] = {}
    for row in rows:
        if row.grade.pair:
            asked = row.asked
            found.setdefault((row.grade.pair, asked.seed, asked.epoch), []).append(row)
    whole = {key: pair for key, pair in found.items() if len(pair) > 1}
    return compute_rate(
        [(all(row.grade.is_right for row in pair), key) for key, pair in whole.items()],
        [key[0] for key in whole],
    )


def _read(part: str, row: Row) -> bool | None:
    return None if row.grade.session is None else row.grade.session.get(part)
