"""Types of answers, guessed from the cells of their column."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sopforge.checks.auditing.answers import MOST_LABELS
from sopforge.grading.outcomes import Kind, Outcome

_TRUTHS = frozenset({"true", "false"})
_NUMBER = re.compile(r"[+-]?\d+(?:\.(\d+))?")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def guess_outcome(name: str, cells: Sequence[str], missing: str) -> Outcome:
    """Return an outcome of the type that all cells of a column have, blank ones left out.

    Labels are those that occur, where these are few.
    """
    given = [cell.strip() for cell in cells if cell.strip()]
    kind = guess_kind(given)
    labels = tuple(dict.fromkeys(given)) if kind is Kind.LABEL else ()
    places = max(map(_count_places, given)) if kind is Kind.NUMBER else None
    return Outcome(
        name, name, kind, labels if len(labels) <= MOST_LABELS else (), places, "", missing
    )


def guess_kind(cells: Sequence[str]) -> Kind:
    """Return the type that all cells have; of none, or where they differ, labels."""
    if not cells:
        return Kind.LABEL
    if all(cell.lower() in _TRUTHS for cell in cells):
        return Kind.BOOLEAN
    if all(_NUMBER.fullmatch(cell) for cell in cells):
        return Kind.NUMBER
    if all(_DAY.fullmatch(cell) for cell in cells):
        return Kind.DATE
    if all(cell.startswith("[") and cell.endswith("]") for cell in cells):
        return Kind.SET
    return Kind.LABEL


def _count_places(cell: str) -> int:
    found = _NUMBER.fullmatch(cell)
    return len(found[1] or "") if found else 0
