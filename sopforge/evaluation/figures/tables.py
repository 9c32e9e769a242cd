"""Figures as one tidy table: a line for each series, group and metric."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

from sopforge.evaluation.figures.labels import FieldFigures
from sopforge.evaluation.figures.means import Mean
from sopforge.evaluation.figures.paths import PathFigures
from sopforge.evaluation.figures.repeats import Repeats
from sopforge.evaluation.figures.summaries import Summary, find_cost_at_equal_success
from sopforge.evaluation.runs.metrics import Rate

COLUMNS = (
    "package", "digest", "agent", "model", "settings",
    "group", "metric", "value", "low", "high", "n",
)  # fmt: skip
ALL = "all"
_FORMULA = ("=", "+", "-", "@", "\t")
"""How a cell begins that a spreadsheet works out."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: of a group of attempts, with its interval of 95 percent and what it is of."""

    group: str
    metric: str
    value: float | None
    low: float | None
    high: float | None
    n: int


def build_records(summaries: Sequence[Summary]) -> list[dict[str, object]]:
    """Return all figures of summaries as flat records, each with the columns of the table."""
    return [
        {
            "package": summary.series.package,
            "digest": summary.series.digest,
            "agent": summary.series.agent,
            "model": summary.series.model,
            "settings": summary.series.settings,
            **asdict(figure),
        }
        for summary in summaries
        for figure in iterate_figures(summary, summaries)
    ]


def write_csv(records: Iterable[dict[str, object]]) -> str:
    """Return records as CSV, in which no text is a formula to a spreadsheet."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for item in records:
        writer.writerow({name: _mark_formula(value) for name, value in item.items()})
    return out.getvalue()


def _mark_formula(value: object) -> object:
    """Return a cell; one that begins like a formula gets an apostrophe, which marks it as text."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def iterate_figures(summary: Summary, summaries: Iterable[Summary]) -> Iterator[Figure]:
    """Return the figures of a summary; others on its package say what equal success costs."""
    rates = summary.rates
    yield _make_attempted(summary)
    yield _make_rate(ALL, "ecr", rates.ecr)
    yield _make_rate(ALL, "c_tsr", rates.c_tsr)
    yield _make_rate(ALL, "tsr", rates.tsr)
    for name, rate in summary.shares.items():
        yield _make_rate(ALL, name, rate)
    for name, mean in summary.means.items():
        yield _make_mean(ALL, name, mean)
    yield from _iterate_costs(summary, summaries)
    if summary.repeats is not None:
        yield from _iterate_repeats(summary.repeats)
    yield from _iterate_failures(ALL, summary.failures.items(), len(summary.series.rows))
    for (name, place), found in summary.places.items():
        yield from _iterate_failures(f"at {place}", [(name, found)], len(summary.series.rows))
    for item in summary.fields:
        yield from _iterate_field(item)
    for path in summary.paths:
        yield from _iterate_path(path)


def _make_attempted(summary: Summary) -> Figure:
    made = len(summary.series.rows)
    asked = made + len(summary.series.lacking)
    return Figure(ALL, "attempted", made / asked, None, None, asked)


def _iterate_costs(summary: Summary, summaries: Iterable[Summary]) -> Iterator[Figure]:
    count = len(summary.series.rows)
    yield Figure(ALL, "cost_per_right", summary.cost_per_right, None, None, count)
    rivals = [item for item in summaries if item.series.digest == summary.series.digest]
    found = find_cost_at_equal_success(summary, rivals)
    yield Figure(ALL, "cost_at_equal_success", found and found[0], None, None, count)


def _iterate_repeats(repeats: Repeats) -> Iterator[Figure]:
    epochs = repeats.epochs
    for k, share in enumerate(repeats.pass_k, 1):
        yield Figure(ALL, f"pass^{k}", share, None, None, epochs)
    yield Figure(ALL, "run_deviation", repeats.deviation, None, None, epochs)
    yield Figure(ALL, "run_floor", repeats.floor, None, None, epochs)
    yield Figure(ALL, "run_widest", repeats.widest, None, None, epochs)


def _iterate_failures(
    group: str, failures: Iterable[tuple[str, int]], count: int
) -> Iterator[Figure]:
    for name, found in failures:
        yield Figure(group, f"failure {name}", found / count, None, None, count)


def _iterate_field(item: FieldFigures) -> Iterator[Figure]:
    kind = "outcome" if item.is_outcome else "intermediate"
    yield _make_rate(f"{kind} {item.field}", "accuracy", item.accuracy)
    for label in item.labels:
        group = f"label {item.field}={label.label}"
        count = item.accuracy.of
        yield Figure(group, "precision", label.precision, None, None, count)
        yield Figure(group, "recall", label.recall, None, None, count)
        yield Figure(group, "false_positives", label.false_positives, None, None, count)
        yield Figure(group, "false_negatives", label.false_negatives, None, None, count)


def _iterate_path(path: PathFigures) -> Iterator[Figure]:
    group = f"path {path.name}"
    yield _make_rate(group, "tsr", path.tsr)
    yield Figure(group, "tasks", path.tasks, None, None, path.tasks)
    yield from _iterate_failures(group, path.failures.items(), path.tsr.of)


def _make_rate(group: str, metric: str, rate: Rate) -> Figure:
    if rate.share is None:
        return Figure(group, metric, None, None, None, 0)
    return Figure(group, metric, rate.share, rate.low, rate.high, rate.of)


def _make_mean(group: str, metric: str, mean: Mean) -> Figure:
    return Figure(group, metric, mean.value, mean.low, mean.high, mean.of)
