"""Answers by field and label, counted by hand."""

from __future__ import annotations

from sopforge.evaluation.figures.labels import LabelCount, list_field_figures
from sopforge.evaluation.runs.rows import Row
from tests.worlds.attempt_rows import make_row

ANSWERS = (
    # Right, stated, whether that is right.
    ("held", "held", True),
    ("held", "held", True),
    ("held", "released", False),
    ("released", "released", True),
    ("released", "held", False),
    ("released", "", False),
    ("lost", "perhaps", False),
)


def make_answers() -> list[Row]:
    """Return a row for each answer; one states nothing."""
    return [
        make_row(
            f"task-{number}",
            expected={"release": right},
            outcomes={"release": is_right},
            stated={"release": said} if said else {},
            intermediates={"weight": number < 2},
        )
        for number, (right, said, is_right) in enumerate(ANSWERS)
    ]


def test_each_label_has_what_was_stated_wrongly_and_what_was_not_stated() -> None:
    release, weight = list_field_figures(make_answers())

    assert (release.field, release.accuracy.share) == ("release", 3 / 7)
    assert release.labels == [
        LabelCount("held", right=2, false_positives=1, false_negatives=1),
        LabelCount("lost", right=0, false_positives=0, false_negatives=1),
        LabelCount("released", right=1, false_positives=1, false_negatives=2),
    ]
    assert [label.precision for label in release.labels] == [2 / 3, None, 1 / 2]
    assert [label.recall for label in release.labels] == [2 / 3, 0, 1 / 3]
    assert release.confused == {
        ("held", "released"): 1,
        ("lost", "perhaps"): 1,
        ("released", ""): 1,
        ("released", "held"): 1,
    }
    assert (weight.field, weight.is_outcome, weight.accuracy.share) == ("weight", False, 2 / 7)
    assert not weight.labels


def test_a_right_answer_counts_as_its_label_however_it_is_written() -> None:
    row = make_row("task", expected={"fee": "5.00"}, outcomes={"fee": True}, stated={"fee": "5"})
    (fee,) = list_field_figures([row])

    assert fee.labels == [LabelCount("5.00", right=1, false_positives=0, false_negatives=0)]


def test_a_field_of_many_values_has_no_labels() -> None:
    rows = [
        make_row(f"task-{n}", expected={"fee": str(n)}, outcomes={"fee": True}) for n in range(13)
    ]
    (fee,) = list_field_figures(rows)

    assert (fee.accuracy.share, fee.accuracy.of, fee.labels) == (1.0, 13, ())
