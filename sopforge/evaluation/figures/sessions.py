"""Figures of attempts that may change records: the parts of sessions, and pairs of tasks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from sopforge.evaluation.figures.means import compute_row_rate
from sopforge.evaluation.runs.metrics import Rate, compute_rate
from sopforge.evaluation.runs.rows import Row


def compute_part_rates(rows: Sequence[Row]) -> dict[str, Rate]:
    """Return for each part of a session the share of attempts that have it right."""
    parts = dict.fromkeys(part for row in rows for part in row.grade.session or ())
    return {part: compute_row_rate(rows, partial(_read, part)) for part in parts}


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
