"""The cells of a column say how its answers are compared, and no two answers become one."""

from __future__ import annotations

import pytest

from sopforge.evaluation.packages.guessing import guess_outcome
from sopforge.harness.grading.published_outcomes import AnswerKind, is_right, is_value


@pytest.mark.parametrize(
    ("cells", "kind", "places"),
    [
        (["12", "-3", "0"], AnswerKind.NUMBER, 0),
        (["12", "4.5", "3.25"], AnswerKind.NUMBER, 2),
        (["4.10", "6.00", "12"], AnswerKind.NUMBER, 2),
        (["2.0", "4.25"], AnswerKind.NUMBER, 2),
        (["0.5", "-0.25"], AnswerKind.NUMBER, 2),
        (["090", "45", "17"], AnswerKind.LABEL, None),
        (["00", "1"], AnswerKind.LABEL, None),
        (["-04", "5"], AnswerKind.LABEL, None),
        (["08.5", "9.5"], AnswerKind.LABEL, None),
        (["+31", "+49"], AnswerKind.LABEL, None),
        (["2.9", "2.10"], AnswerKind.LABEL, None),
        (["2.5", "2.50"], AnswerKind.LABEL, None),
        (["3", "3.0"], AnswerKind.LABEL, None),
        (["0", "-0"], AnswerKind.LABEL, None),
        (["٣", "٤"], AnswerKind.LABEL, None),
        # More digits than decimals are worked out with.
        (["9" * 40, "8" * 40], AnswerKind.LABEL, None),
        (["2026-03-01", "2026-12-31"], AnswerKind.DATE, None),
        (["2026-02-30", "2026-03-01"], AnswerKind.LABEL, None),
        (["['a']", "[b"], AnswerKind.LABEL, None),
        (["[a]", "['b']"], AnswerKind.LABEL, None),
        (["['a', 'b']", "[]"], AnswerKind.SET, None),
        (["True", "false"], AnswerKind.BOOLEAN, None),
        (["1.2.3", "4"], AnswerKind.LABEL, None),
    ],
)
def test_a_column_has_the_type_of_all_its_cells(
    cells: list[str], kind: AnswerKind, places: int | None
) -> None:
    found = guess_outcome("column", cells, "none")
    assert (found.kind, found.places) == (kind, places)
    assert all(is_right(found, cell, cell) for cell in cells)


@pytest.mark.parametrize(
    "cells",
    [
        ["0420", "420", "42", "042"],
        ["2.9", "2.10", "2.1"],
        ["-7", "7", "07"],
        ["1", "1.0", "1.00"],
    ],
)
def test_cells_that_differ_are_different_answers(cells: list[str]) -> None:
    found = guess_outcome("column", cells, "none")
    assert [[is_right(found, cell, said) for said in cells] for cell in cells] == [
        [place == other for other in range(len(cells))] for place in range(len(cells))
    ]


def test_a_number_is_read_however_it_is_written() -> None:
    found = guess_outcome("column", ["1200", "4.5"], "none")
    assert is_right(found, "1200", "1,200.0")
    assert is_right(found, "4.5", "4.50")
    assert not is_value(found, "twelve")
