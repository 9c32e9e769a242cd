"""Types of answers, guessed from the cells of their column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal

from sopforge.checks.auditing.answers import MOST_LABELS
from sopforge.harness.grading.published_outcomes import AnswerKind, NoValueError, Outcome

_TRUTHS = frozenset({"true", "false"})
# A zero or a plus sign in front stands in codes: 007 is another one than 7.
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.(\d+))?", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def guess_outcome(name: str, cells: Sequence[str], missing: str) -> Outcome:
    """Return an outcome of the type that all cells of a column have; ``cells`` are not blank.

    Labels are those that occur, where these are few.
    """
    kind = guess_kind(cells)
    places = max(map(len, _list_fractions(cells))) if kind is AnswerKind.NUMBER else None
    guessed = Outcome(name, name, kind, (), places, "", missing)
    with suppress(NoValueError):
        for cell in cells:
            guessed.parse_kind(cell)
        if kind is not AnswerKind.LABEL:
            return guessed
    labels = tuple(dict.fromkeys(cells))
    few = labels if len(labels) <= MOST_LABELS else ()
    return replace(guessed, kind=AnswerKind.LABEL, labels=few, places=None)


def guess_kind(cells: Sequence[str]) -> AnswerKind:
    """Return the type that all cells look like; of none, or where they differ, labels."""
    if not cells:
        return AnswerKind.LABEL
    if all(cell.lower() in _TRUTHS for cell in cells):
        return AnswerKind.BOOLEAN
    if _are_numbers(cells):
        return AnswerKind.NUMBER
    if all(_DAY.fullmatch(cell) for cell in cells):
        return AnswerKind.DATE
    if all(cell.startswith("[") and cell.endswith("]") for cell in cells):
        return AnswerKind.SET
    return AnswerKind.LABEL


def _are_numbers(cells: Sequence[str]) -> bool:
    """Return whether cells are numbers rather than codes or versions in digits.

    Numbers are not where two texts would be one number. Nor are they where zeros fill up some
    fractions, and not all to one length: 1.10 beside 1.9 is a version.
    """
    if not all(map(_NUMBER.fullmatch, cells)):
        return False
    fractions = {fraction for fraction in _list_fractions(cells) if fraction}
    is_filled = any(fraction.endswith("0") for fraction in fractions - {"0"})
    if is_filled and len(set(map(len, fractions))) > 1:
        return False
    return len(set(map(Decimal, cells))) == len(set(cells))


def _list_fractions(cells: Sequence[str]) -> list[str]:
    return [found[1] or "" for found in map(_NUMBER.fullmatch, cells) if found]
