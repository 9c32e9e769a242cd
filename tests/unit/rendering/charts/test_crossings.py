"""Lines of flow charts cross no more often than they must, counted on the drawn curves."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from sopforge.artifacts.rendering.charts.flowchart import FlowChart, build_chart
from sopforge.language.domain.reading import read_brief

ROOT = Path(__file__).parents[4]
MOST = {
    **dict.fromkeys(["briefs/dangerous_goods", "briefs/patient_intake"], 0),
    **dict.fromkeys(["briefs/referral_abuse", "briefs/referral_abuse_simple"], 0),
    **dict.fromkeys(["tests/briefs/fees", "tests/briefs/refund", "tests/briefs/tool_hire"], 0),
    **dict.fromkeys(["tests/domains/everything", "tests/domains/callers"], 0),
    **dict.fromkeys(["tests/domains/rebooking", "tests/domains/warranty"], 0),
    "briefs/tables/bank_counter": 30,
}


def trace_runs(curve: str) -> list[np.ndarray]:
    """Return a curve as runs that each go only down or only up, as rows of y and x."""
    points: list[tuple[float, float]] = []
    share = np.linspace(0, 1, 33)[1:]
    weights = [(1 - share) ** 3, 3 * (1 - share) ** 2 * share, 3 * (1 - share) * share**2, share**3]
    for numbers in re.findall(r"[MLC]([^MLC]+)", curve):
        given = np.array(numbers.split(), dtype=float).reshape(-1, 2)
        drawn = given if len(given) == 1 else np.transpose(weights) @ [points[-1], *given]
        points += [(x, y) for x, y in drawn]
    runs: list[list[tuple[float, float]]] = []
    side = 0.0
    for (x1, y1), (x2, y2) in pairwise(points):
        if np.sign(y2 - y1) != side:
            side = np.sign(y2 - y1)
            runs.append([(y1, x1)])
        runs[-1].append((y2, x2))
    return [np.array(sorted(run)).T for run in runs if run[0][0] != run[-1][0]]


def count_crossings(chart: FlowChart) -> int:
    """Return how often two lines change sides; lines that touch where both end do not."""
    runs = [(edge.id, run) for edge in chart.edges for run in trace_runs(edge.curve)]
    total = 0
    for (one, (ys, xs)), (other, (others_ys, others_xs)) in combinations(runs, 2):
        low, high = max(ys[0], others_ys[0]), min(ys[-1], others_ys[-1])
        if one != other and low < high:
            at = np.arange(low, high, 0.5)
            apart = np.interp(at, ys, xs) - np.interp(at, others_ys, others_xs)
            sides = np.sign(apart[abs(apart) > 0.5])
            total += int((sides[1:] != sides[:-1]).sum())
    return total


@pytest.mark.parametrize("name", MOST)
def test_lines_cross_no_more_often_than_they_must(name: str) -> None:
    path = ROOT / f"{name}.yaml"
    chart = build_chart(read_brief(path.read_text(encoding="utf-8"), path.name).model)

    assert count_crossings(chart) <= MOST[name]
