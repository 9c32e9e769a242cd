"""Figures by the manner of a user, where there was one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sopforge.evaluation.figures.means import compute_row_rate
from sopforge.evaluation.figures.series import read_user_settings
from sopforge.evaluation.runs.metrics import Rate
from sopforge.evaluation.runs.rows import Row


def compute_manner_rates(rows: Sequence[Row]) -> dict[str, Rate]:
    """Return the share of right attempts for each manner, or manners that users had together."""
    named = [(_name_manners(row), row) for row in rows]
    names = sorted({name for name, _ in named if name})
    return {
        name: compute_row_rate(
            [row for other, row in named if other == name], lambda row: row.grade.is_right
        )
        for name in names
    }


def count_lacking(rows: Sequence[Row]) -> dict[str, int]:
    """Return how many tasks had no place for a manner that was asked for."""
    tasks = {row.asked.task: read_user_settings(row.asked.settings) for row in rows}
    return dict(Counter(str(name) for user in tasks.values() for name in user.get("lacking") or []))


def _name_manners(row: Row) -> str:
    return "+".join(map(str, read_user_settings(row.asked.settings).get("manners") or []))
