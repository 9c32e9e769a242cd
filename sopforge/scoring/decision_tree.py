"""A decision tree on small integers, grown by the Gini impurity as CART grows it.

No draw decides: of equally good questions the first one is asked. Three questions need no library
of 200 MB.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Integers: TypeAlias = npt.NDArray[np.int64]
_COUNTED_AT_ONCE = 1_000_000
"""Numbers in memory together; many answers on many values would else take hundreds of MB."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """Gives one answer to all that comes to it."""

    answer: str

    def guess(self, row: Sequence[int] | Integers) -> str:  # noqa: ARG002 - that of a question
        """Return the answer."""
        return self.answer


@dataclass(frozen=True, slots=True)
class Question:
    """Asks whether the value in a column is at most a limit."""

    column: int
    limit: int
    low: Tree
    high: Tree

    def guess(self, row: Sequence[int] | Integers) -> str:
        """Return the answer that a row is led to."""
        return (self.low if row[self.column] <= self.limit else self.high).guess(row)


Tree: TypeAlias = "Leaf | Question"


def grow_tree(rows: Integers, answers: Sequence[str], depth: int) -> Tree:
    """Return the tree of at most so many questions in a row that divides the answers best.

    ``rows`` has a row for each answer, of integers from 0 on.

    >>> tree = grow_tree(np.array([[0, 5], [1, 5], [2, 7]]), ["no", "yes", "yes"], depth=1)
    >>> tree
    Question(column=0, limit=0, low=Leaf(answer='no'), high=Leaf(answer='yes'))
    >>> tree.guess([9, 9])
    'yes'
    """
    labels, classes = np.unique(np.array(answers, dtype=object), return_inverse=True)
    return _grow(rows, classes, [str(label) for label in labels], depth)


def _grow(rows: Integers, classes: Integers, labels: Sequence[str], depth: int) -> Tree:
    counts = np.bincount(classes, minlength=len(labels))
    # Of equally frequent answers the first by its letters.
    leaf = Leaf(labels[int(np.argmax(counts))])
    is_pure = counts.max() == len(rows)
    split = None if is_pure or not depth else _find_best_split(rows, classes, len(labels))
    if split is None:
        return leaf
    column, limit = split
    is_low = rows[:, column] <= limit
    low = _grow(rows[is_low], classes[is_low], labels, depth - 1)
    return Question(column, limit, low, _grow(rows[~is_low], classes[~is_low], labels, depth - 1))


def _find_best_split(rows: Integers, classes: Integers, labels: int) -> tuple[int, int] | None:
    """Return the column and the limit that leave the least impurity; None where rows are alike."""
    values = int(rows.max(initial=0)) + 1
    if values == 1:
        return None
    step = max(1, _COUNTED_AT_ONCE // (values * labels))
    best, found = -1.0, None
    for first in range(0, rows.shape[1], step):
        scores = _score_limits(rows[:, first : first + step], classes, values, labels)
        place = int(np.argmax(scores))
        score = float(scores.flat[place]) if scores.size else -1.0
        if score > best:
            column, value = divmod(place, values - 1)
            best, found = score, (first + column, value)
    if found is None:
        return None
    column, value = found
    # In the middle between the values that were seen, for others come later.
    above = rows[:, column][rows[:, column] > value].min()
    return column, (value + int(above)) // 2


def _score_limits(
    rows: Integers, classes: Integers, values: int, labels: int
) -> npt.NDArray[np.float64]:
    """Return how pure the two sides of each limit of each column are, -1 where one is empty.

    Both sides' sums of squared counts, each divided by the side's size: the greater it is, the
    less Gini impurity is left.
    """
    count, columns = rows.shape
    places = (np.arange(columns) * values + rows) * labels + classes[:, None]
    found = np.bincount(places.ravel(), minlength=columns * values * labels)
    low = found.reshape(columns, values, labels).cumsum(axis=1)[:, :-1]
    high = np.bincount(classes, minlength=labels) - low
    low_size = low.sum(axis=2)
    high_size = count - low_size
    pure = (low**2).sum(axis=2) / np.maximum(low_size, 1)
    pure += (high**2).sum(axis=2) / np.maximum(high_size, 1)
    return np.where((low_size > 0) & (high_size > 0), pure, -1.0)
