"""Curves: how success falls with the level of a domain, and what it costs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sopforge.evaluation.figures.summaries import Summary
from sopforge.evaluation.runs.metrics import Rate

_LEVEL = re.compile(r"(.+)_l([0-9])")
LEAST_POINTS = 2


@dataclass(frozen=True, slots=True)
class Curve:
    """The TSR of an agent on the levels of a domain, each with its interval."""

    domain: str
    agent: str
    points: Sequence[tuple[str, Rate]]


@dataclass(frozen=True, slots=True)
class CostPoint:
    """What an attempt costs, in dollars or, where that is not known, in tokens, beside the TSR.

    ``place`` is from 0 to 1, by the dearest one.
    """

    name: str
    package: str
    cost: float
    is_money: bool
    share: float
    place: float


def list_curves(summaries: Sequence[Summary]) -> list[Curve]:
    """Return a curve for each agent that attempted several levels of a domain."""
    found: dict[tuple[str, str, str], dict[str, Rate]] = {}
    for item in summaries:
        series = item.series
        match = _LEVEL.fullmatch(series.package)
        domain, level = (match[1], f"L{match[2]}") if match else (series.package, "L0")
        if item.rates.tsr.share is not None and item.series.is_finished:
            key = domain, series.agent, series.settings
            found.setdefault(key, {}).setdefault(level, item.rates.tsr)
    names = {(item.series.agent, item.series.settings): item.series.name for item in summaries}
    return [
        Curve(domain, names[agent, settings], sorted(points.items()))
        for (domain, agent, settings), points in found.items()
        if len(points) >= LEAST_POINTS
    ]


def list_cost_points(found: Sequence[Summary]) -> list[CostPoint]:
    """Return what attempts cost beside how many are right; none where nobody asked a model.

    Runs that are not finished are left out.
    """
    summaries = [item for item in found if item.series.is_finished]
    is_money = all(item.cost is not None for item in summaries) and any(
        item.cost for item in summaries
    )
    costs = [(item.cost or 0.0) if is_money else _count_tokens(item) for item in summaries]
    most = max(costs, default=0.0)
    if not most:
        return []
    return [
        CostPoint(
            item.series.name, item.series.package, cost, is_money, item.rates.tsr.share, cost / most
        )
        for item, cost in zip(summaries, costs, strict=True)
        if item.rates.tsr.share is not None
    ]


def _count_tokens(item: Summary) -> float:
    parts = (item.means["tokens_in"].value, item.means["tokens_out"].value)
    return sum(part for part in parts if part is not None)
