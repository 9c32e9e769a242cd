"""All figures of one series, and how series on the same package compare."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.evaluation.figures.labels import FieldFigures, list_field_figures
from sopforge.evaluation.figures.manners import compute_manner_rates
from sopforge.evaluation.figures.means import (
    Mean,
    compute_row_mean,
    compute_row_rate,
    compute_row_rates,
)
from sopforge.evaluation.figures.paths import (
    PathFigures,
    count_failures,
    count_places,
    list_path_figures,
)
from sopforge.evaluation.figures.repeats import Repeats, compute_repeats
from sopforge.evaluation.figures.series import Series
from sopforge.evaluation.figures.sessions import compute_pair_rate, compute_part_rates
from sopforge.evaluation.runs.metrics import Rate, Rates
from sopforge.evaluation.runs.rows import Row, sum_spent

Reader: TypeAlias = Callable[[Row], float | None]

SHARES: Mapping[str, Callable[[Row], bool | None]] = {
    "gold_calls": lambda row: row.grade.is_gold,
    "in_order": lambda row: row.grade.is_in_order,
    "in_needed_order": lambda row: row.grade.is_in_needed_order,
    "with_fabricated": lambda row: (
        None if row.grade.fabricated is None else bool(row.grade.fabricated)
    ),
}
"""Of which attempts something is true."""
MEANS: Mapping[str, Reader] = {
    "tool_precision": lambda row: row.grade.precision,
    "tool_recall": lambda row: row.grade.recall,
    "parameters": lambda row: row.grade.parameters,
    "calls": lambda row: row.grade.calls,
    "redundant": lambda row: row.grade.redundant,
    "beside": lambda row: row.grade.beside,
    "distractors": lambda row: row.grade.distractors,
    "failed": lambda row: row.grade.refused,
    "fabricated": lambda row: None if row.grade.fabricated is None else len(row.grade.fabricated),
    "turns": lambda row: row.spent.turns,
    "tokens_in": lambda row: row.spent.tokens_in,
    "tokens_out": lambda row: row.spent.tokens_out,
    "seconds": lambda row: row.seconds,
    "cost": lambda row: row.spent.cost,
}
"""What each attempt has so much of."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a series.

    ``cost_per_right`` is what all attempts cost, divided by how many are right; None where the cost
    of an attempt is not known, or none is right. ``places`` counts wrong attempts by failure class
    and by the place where they go wrong first.
    """

    series: Series
    rates: Rates
    shares: Mapping[str, Rate]
    means: Mapping[str, Mean]
    cost_per_right: float | None
    fields: Sequence[FieldFigures]
    paths: Sequence[PathFigures]
    failures: Mapping[str, int]
    places: Mapping[tuple[str, str], int]
    repeats: Repeats | None

    @property
    def cut_off(self) -> str:
        """What may have been billed beside the cost, in words; nothing where nothing was."""
        return sum_spent(self.series.rows).describe_cut_off()

    @property
    def cost(self) -> float | None:
        """What an attempt costs on average, None where that is not known of each."""
        mean = self.means["cost"]
        return mean.value if mean.of == len(self.series.rows) else None


def summarize(series: Series) -> Summary:
    """Return the figures of a series."""
    rows = series.rows
    return Summary(
        series=series,
        rates=compute_row_rates(rows),
        shares={
            **{name: compute_row_rate(rows, read) for name, read in SHARES.items()},
            **{f"session: {name}": rate for name, rate in compute_part_rates(rows).items()},
            **{f"manner: {name}": rate for name, rate in compute_manner_rates(rows).items()},
            **({"pairs": compute_pair_rate(rows)} if any(row.grade.pair for row in rows) else {}),
        },
        means={name: compute_row_mean(rows, read) for name, read in MEANS.items()},
        cost_per_right=_compute_cost_per_right(rows),
        fields=list_field_figures(rows),
        paths=list_path_figures(rows),
        failures=count_failures(rows),
        places=count_places(rows),
        repeats=compute_repeats(series),
    )


def group_by_package(summaries: Iterable[Summary]) -> dict[str, list[Summary]]:
    """Return the summaries of each package, by its digest, in their order."""
    found: dict[str, list[Summary]] = {}
    for item in summaries:
        found.setdefault(item.series.digest, []).append(item)
    return found


def rank_shares(shares: Sequence[float | None]) -> list[int | None]:
    """Return the rank of each share, 1 for the greatest; equal ones have the same, 0 has none.

    >>> rank_shares([0.5, None, 0.9, 0.9, 0.7, 0.0])
    [3, None, 1, 1, 2, None]
    """
    known = sorted({round(share, 9) for share in shares if share}, reverse=True)
    return [known.index(round(share, 9)) + 1 if share else None for share in shares]


def rank_summaries(summaries: Sequence[Summary]) -> list[int | None]:
    """Return the rank of each summary by its TSR; one that is not finished has none."""
    return rank_shares(
        [item.rates.tsr.share if item.series.is_finished else None for item in summaries]
    )


def find_cost_at_equal_success(
    summary: Summary, rivals: Iterable[Summary]
) -> tuple[float, Summary] | None:
    """Return the least cost of an attempt for the success of a summary, and whose it is.

    It is that of the cheapest agent on the package whose interval is not wholly below the TSR of
    this one; None where no cost is known.
    """
    own = summary.rates.tsr.share
    known = [
        (item.cost, item)
        for item in rivals
        if item.cost is not None
        and own is not None
        and item.rates.tsr.high >= own
        # Of a run that is not finished, nobody knows yet.
        and (item.series.is_finished or item is summary)
    ]
    return min(known, key=lambda pair: pair[0], default=None)


def _compute_cost_per_right(rows: Sequence[Row]) -> float | None:
    costs = [row.spent.cost for row in rows if row.spent.cost is not None]
    right = sum(row.grade.is_right for row in rows)
    return sum(costs) / right if right and len(costs) == len(rows) else None
