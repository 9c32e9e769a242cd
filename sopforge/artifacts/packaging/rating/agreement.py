"""How far raters agree: Krippendorff's alpha of marks on a scale whose steps are alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import permutations


def compute_alpha(units: Iterable[Sequence[int]]) -> Fraction | None:
    """Return the agreement of marks, for each thing that was rated those that it was given.

    1 is full agreement, 0 what chance alone would give. There is none where nothing has two marks,
    or where all marks are equal, so that nothing could have been rated otherwise.

    >>> compute_alpha([[1, 1], [2, 2], [3, 3]])
    Fraction(1, 1)
    """
    paired = [unit for unit in units if len(unit) > 1]
    marks = [mark for unit in paired for mark in unit]
    within = sum((Fraction(_sum_squares(unit), len(unit) - 1) for unit in paired), Fraction())
    among = _sum_squares(marks)
    if not among:
        return None
    return 1 - within * (len(marks) - 1) / among


def _sum_squares(marks: Sequence[int]) -> int:
    """Return the squared distances of all ordered pairs."""
    return sum((one - other) ** 2 for one, other in permutations(marks, 2))
