"""What persons rated and checked at the gates, as programs and people read it of a package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any

from sopforge.artifacts.packaging.rating.agreement import compute_alpha
from sopforge.artifacts.packaging.rating.ratings import (
    AMBIGUITY,
    EASE,
    ENOUGH_RATERS,
    MARKS,
    RATINGS,
    REASONING,
    compute_means,
    group_marks,
)
from sopforge.artifacts.packaging.release import Release

SOP = "sop"


def collect_ratings(release: Release) -> dict[str, Any]:
    """Return the means of the ratings and the numbers of raters, by stage and name.

    Of the SOP, those that the brief has are among them.
    """
    given = {
        stage: said["ratings"] for stage, said in _iterate_reviews(release) if "ratings" in said
    }
    return {**given, SOP: compute_means(list_raters(release))} if release.terms.ratings else given


def list_raters(release: Release) -> list[dict[str, int]]:
    """Return what each person rated the SOP with: at its gate, then in the brief."""
    at_gate = [
        dict(marks)
        for stage, said in _iterate_reviews(release)
        if stage == SOP
        for marks in said.get("marks", ())
    ]
    stated = [item.model_dump(include=set(RATINGS)) for item in release.terms.ratings]
    return [*at_gate, *stated]


def compute_agreement(release: Release) -> dict[str, object]:
    """Return how far the raters of the SOP agree; nothing where fewer than two rated it.

    ``alpha`` is Krippendorff's, over the ratings as what was rated: 1 is full agreement. It is null
    where all marks are equal.
    """
    raters = list_raters(release)
    if len(raters) < 2:  # noqa: PLR2004 - a pair
        return {}
    alpha = compute_alpha(group_marks(raters).values())
    return {
        "coefficient": "Krippendorff's alpha, interval",
        "alpha": None if alpha is None else round(float(alpha), 3),
        "raters": len(raters),
        "rated": list(group_marks(raters)),
        "is_enough": len(raters) >= ENOUGH_RATERS,
    }


def compute_model_complexity(release: Release) -> float | None:
    """Return how hard language models find the SOP; what the brief states prevails.

    None where no language model was asked.
    """
    terms = release.terms
    if terms.complexity_score is not None:
        return float(terms.complexity_score)
    scores = [item.score for item in terms.model_ratings]
    return round(fmean(scores), 2) if scores else None


def count_checklist_points(release: Release) -> dict[str, dict[str, int]]:
    """Return by how many persons each point of the checklist was found to hold, by stage."""
    return {
        stage: {point: len(names) for point, names in said["checklist"].items()}
        for stage, said in _iterate_reviews(release)
        if "checklist" in said
    }


def compute_human_complexity(release: Release) -> float | None:
    """Return how hard persons find the SOP, from 1 to 10; None where nobody rated all of it.

    It is what the brief states, else the mean of the three ratings, in which an SOP that is easy to
    understand (``ease`` 10) counts as 1.
    """
    stated = release.terms.human_complexity
    if stated is not None:
        return float(stated)
    means: dict[str, float] = {
        name: rating["mean"] for name, rating in collect_ratings(release).get("sop", {}).items()
    }
    if not means.keys() >= set(RATINGS):
        return None
    # Ease runs the other direction: 10 becomes 1, and 1 becomes 10.
    hardness = min(MARKS) + max(MARKS) - means[EASE], means[AMBIGUITY], means[REASONING]
    return round(sum(hardness) / len(hardness), 2)


def render_reviews_page(release: Release) -> str:
    """Return the ratings and the checklist as tables; "" where nobody rated or checked."""
    marks = [
        f"| {stage} | {name} | {rating['mean']:g} | {rating['raters']} |"
        for stage, found in collect_ratings(release).items()
        for name, rating in found.items()
    ]
    points = [
        f"| {stage} | {_escape_cell(point)} | {count} |"
        for stage, found in count_checklist_points(release).items()
        for point, count in found.items()
    ]
    parts = [
        "Marks of persons who approved, from 1 to 10. `ease`: 10 is easiest to understand;"
        " `ambiguity` and `reasoning`: 10 is most.\n\n"
        + "\n".join(["| stage | rating | mean | raters |", "| --- | --- | --- | --- |", *marks]),
        "\n".join(
            ["| stage | point of the checklist | held for |", "| --- | --- | --- |", *points]
        ),
    ]
    return "\n\n".join(part for part, rows in zip(parts, (marks, points), strict=True) if rows)


def _iterate_reviews(release: Release) -> Iterator[tuple[str, Mapping[str, Any]]]:
    found = release.provenance.get("reviews", {})
    if isinstance(found, dict):
        yield from found.items()


def _escape_cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
