"""The ratings that experts give an SOP, as the papers on SOP-Bench have them asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import TypeAlias

EASE, AMBIGUITY, REASONING = RATINGS = ("ease", "ambiguity", "reasoning")
"""How easy it is to understand (10: easiest), how ambiguous, and how much reasoning it takes."""
MARKS = range(1, 11)
ENOUGH_RATERS = 3
"""So many raters the papers ask."""
BASELINE = "1 to 10, where Berkeley function calling is 2"
"""The scale on which language models rate how hard an SOP is."""
Means: TypeAlias = dict[str, dict[str, float]]


def compute_means(raters: Iterable[Mapping[str, int]]) -> Means:
    """Return the mean of each rating and how many gave one, of the marks of each rater."""
    return {
        name: {"mean": round(fmean(given), 2), "raters": len(given)}
        for name, given in group_marks(raters).items()
    }


def group_marks(raters: Iterable[Mapping[str, int]]) -> dict[str, Sequence[int]]:
    """Return the marks that were given under each rating."""
    found: dict[str, list[int]] = {}
    for marks in raters:
        for name, mark in marks.items():
            found.setdefault(name, []).append(mark)
    return dict(sorted(found.items()))
