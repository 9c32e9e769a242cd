"""A decision tree on small integers, grown by the Gini impurity as CART grows it.

No draw decides: of equally good questions the first one is asked. Three questions need no library
of 200 MB.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Integers: TypeAlias = npt.NDArray[np.int64]
_COUNTED_AT_ONCE = 1_000_000
"""Numbers in memory together; many answers on many values would else take hundreds of MB."""
_FEW_VALUES = 3


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
    best, found = -1.0, None
    for columns, values in _group_columns(rows, labels):
        scores = _score_limits(rows[:, columns], classes, values, labels)
        place, value = divmod(int(np.argmax(scores)), values - 1)
        score, column = float(scores[place, value]), int(columns[place])
        # Of equally good ones the first, whichever group it is in.
        if score > best or (found is not None and score == best and column < found[0]):
            best, found = score, (column, value)
    if found is None:
        return None
    column, value = found
    # In the middle between the values that were seen, for others come later.
    above = rows[:, column][rows[:, column] > value].min()
    return column, (value + int(above)) // 2


def _group_columns(rows: Integers, labels: int) -> Iterator[tuple[Integers, int]]:
    """Yield columns, each group with how many values they have; those of one value are in none.

    Most columns say yes or no: among others they would be counted for hundreds of values.
    """
    sizes = rows.max(axis=0, initial=0) + 1
    for few, most in ((2, _FEW_VALUES), (_FEW_VALUES + 1, int(sizes.max(initial=0)))):
        columns = np.flatnonzero((sizes >= few) & (sizes <= most))
        step = max(1, _COUNTED_AT_ONCE // (most * labels)) if most else 1
        for first in range(0, len(columns), step):
            yield columns[first : first + step], most


def _score_limits(
    rows: Integers, classes: Integers, values: int, labels: int
) -> npt.NDArray[np.float64]:
    """Return how pure the two sides of each limit of each column are, -1 where one is empty.

    Both sides' sums of squared counts, each divided by the side's size: the greater it is, the
    less Gini impurity is left.
    """
    count, columns = rows.shape
    # By answer first: numpy adds whole planes far faster than the few numbers of a short last axis.
    places = (classes[:, None] * columns + np.arange(columns)) * values + rows
    found = np.bincount(places.ravel(), minlength=labels * columns * values)
    low = found.reshape(labels, columns, values)[:, :, :-1].cumsum(axis=2)
    high = np.bincount(classes, minlength=labels)[:, None, None] - low
    low_size = low.sum(axis=0)
    high_size = count - low_size
    pure = (low**2).sum(axis=0) / np.maximum(low_size, 1)
    pure += (high**2).sum(axis=0) / np.maximum(high_size, 1)
    return np.where((low_size > 0) & (high_size > 0), pure, -1.0)
