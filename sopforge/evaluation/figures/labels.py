"""Answers field by field: how many are right, and of each label, where it was stated wrongly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sopforge.evaluation.figures.means import compute_row_rate
from sopforge.evaluation.runs.metrics import Rate
from sopforge.evaluation.runs.rows import Row

MOST_LABELS = 12
"""A field with more right answers than these is one of values, not of labels."""
NOTHING = ""
"""What stands for an answer that was not given."""


@dataclass(frozen=True, slots=True)
class LabelCount:
    """How often a label is right, stated where it is not (``false_positives``), or not stated."""

    label: str
    right: int
    false_positives: int
    false_negatives: int

    @property
    def precision(self) -> float | None:
        """The share of right ones where it was stated."""
        stated = self.right + self.false_positives
        return self.right / stated if stated else None

    @property
    def recall(self) -> float | None:
        """The share of right ones where it is right."""
        wanted = self.right + self.false_negatives
        return self.right / wanted if wanted else None


@dataclass(frozen=True, slots=True)
class FieldFigures:
    """An outcome, or a scored intermediate value: its accuracy, labels, and what is confused.

    ``confused`` counts pairs of the right label and the stated one, the most frequent first.
    Labels are known of outcomes alone, and only where they are few.
    """

    field: str
    is_outcome: bool
    accuracy: Rate
    labels: Sequence[LabelCount] = ()
    confused: Mapping[tuple[str, str], int] | None = None


def list_field_figures(rows: Sequence[Row]) -> list[FieldFigures]:
    """Return the figures of each outcome and intermediate value."""
    outcomes = dict.fromkeys(name for row in rows for name in row.grade.outcomes)
    inner = dict.fromkeys(name for row in rows for name in row.grade.intermediates)
    return [
        *(_compute_outcome(rows, name) for name in outcomes),
        *(
            FieldFigures(
                name,
                is_outcome=False,
                accuracy=compute_row_rate(rows, lambda row, n=name: row.grade.intermediates.get(n)),  # type: ignore[misc]
            )
            for name in inner
        ),
    ]


def _compute_outcome(rows: Sequence[Row], name: str) -> FieldFigures:
    accuracy = compute_row_rate(rows, lambda row: row.grade.outcomes.get(name))
    pairs = Counter(_iterate_pairs(rows, name))
    wanted = sorted({right for right, _ in pairs})
    if not 0 < len(wanted) <= MOST_LABELS:
        return FieldFigures(name, is_outcome=True, accuracy=accuracy)
    wrong = sorted(
        ((pair, count) for pair, count in pairs.items() if pair[0] != pair[1]),
        key=lambda item: (-item[1], item[0]),
    )
    return FieldFigures(
        name,
        is_outcome=True,
        accuracy=accuracy,
        labels=[_count_label(pairs, label) for label in wanted],
        confused=dict(wrong),
    )


def _iterate_pairs(rows: Iterable[Row], name: str) -> Iterable[tuple[str, str]]:
    for row in rows:
        if name in row.grade.expected:
            right = row.grade.expected[name]
            # A right answer may be written differently, as 5.0 for 5.
            stated = right if row.grade.outcomes[name] else row.grade.stated.get(name, NOTHING)
            yield right, stated


def _count_label(pairs: Mapping[tuple[str, str], int], label: str) -> LabelCount:
    stated = sum(count for (right, said), count in pairs.items() if said == label != right)
    lacking = sum(count for (right, said), count in pairs.items() if right == label != said)
    return LabelCount(label, pairs.get((label, label), 0), stated, lacking)
