"""What persons rated and checked at the gates, as programs and people read it of a package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sopforge.packaging.figures.ratings import AMBIGUITY, EASE, MARKS, RATINGS, REASONING
from sopforge.packaging.release import Release


def collect_ratings(release: Release) -> dict[str, Any]:
    """Return the means of the ratings and the numbers of raters, by stage and name."""
    return {
        stage: said["ratings"] for stage, said in _iterate_reviews(release) if "ratings" in said
    }


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
