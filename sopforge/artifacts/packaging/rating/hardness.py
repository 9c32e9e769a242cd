"""How hard a package is: what persons and language models think, beside what is measured."""

from __future__ import annotations

import json
from collections.abc import Iterator

from sopforge.artifacts.packaging.rating.ratings import BASELINE, ENOUGH_RATERS
from sopforge.artifacts.packaging.rating.reviews import (
    compute_agreement,
    compute_human_complexity,
    compute_model_complexity,
)
from sopforge.artifacts.packaging.release import Release

_MEASURED = {
    "sop_tokens": "tokens of the SOP, about",
    "steps": "steps",
    "branches": "steps with several edges out",
    "rules": "rules of tables",
    "decision_depth": "decisions that rest on each other, in the longest chain",
    "tools": "tools offered",
    "tools_called": "tools called",
    "depth": "steps on the longest path",
}
_OTHERS = "Ratings are opinions, the rest is counted: `metadata.json` has all figures."


def render_hardness_page(release: Release) -> str:
    """Return the ratings beside the figures, and which of both there are none of."""
    rows = [*_iterate_rated(release), *_iterate_measured(release)]
    table = ["| figure | value |", "| --- | ---: |", *rows]
    return "\n".join([" ".join(_iterate_remarks(release)), "", *table])


def _iterate_rated(release: Release) -> Iterator[str]:
    human, model = compute_human_complexity(release), compute_model_complexity(release)
    if human is not None:
        yield f"| rated by persons, from 1 to 10 | {human:g} |"
    alpha = compute_agreement(release).get("alpha")
    if isinstance(alpha, float):
        yield f"| agreement of the raters (Krippendorff's alpha) | {alpha:g} |"
    if model is not None and release.terms.complexity_score is not None:
        yield f"| as the brief rates it, from 1 to 10 | {model:g} |"
    elif model is not None:
        yield f"| rated by a language model, from {BASELINE} | {model:g} |"


def _iterate_measured(release: Release) -> Iterator[str]:
    figures = json.loads(release.profile or "{}")
    for name, says in _MEASURED.items():
        if name in figures:
            yield f"| {says} | {figures[name]} |"
    calls = figures.get("gold_calls")
    if isinstance(calls, dict):
        yield f"| calls of a gold trajectory, on average | {calls['mean']} |"


def _iterate_remarks(release: Release) -> Iterator[str]:
    """Return what is to be known of the ratings, and of which there are none."""
    agreement = compute_agreement(release)
    if compute_human_complexity(release) is None:
        yield "Nobody who knows the trade has rated the SOP."
    elif agreement and not agreement["is_enough"]:
        yield f"{agreement['raters']} persons rated the SOP: the papers ask {ENOUGH_RATERS}."
    elif not agreement:
        yield "How far raters agree is not known."
    if not release.terms.model_ratings:
        yield "No language model was asked how hard it is."
    for item in release.terms.model_ratings:
        yield f"{item.by} rates it {item.score}: {item.why.rstrip('.')}."
    yield _OTHERS
