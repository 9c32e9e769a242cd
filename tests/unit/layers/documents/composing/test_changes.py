"""Changed lines of the SOP of repairs, and the cases that they decide otherwise."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.harness.layers.documents.composing.changes import (
    ChangeFinder,
    LineChange,
    put_changes,
)
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.sampling import sample_rows
from tests.worlds.small_models import dispatch, judged, observed

MODEL = dispatch()
JUDGED = judged(
    {"age": observed(0, 50)}, {"R1": ("age >= 30", "good"), "R2": ("age >= 10", "fair")}
)


def make_finder(model: DomainModel, count: int = 60) -> ChangeFinder:
    rows = {f"t{number}": row for number, row in enumerate(sample_rows(model, 3, range(count)))}
    lines = render_sop(model, "").as_text().split("\n")
    (main,) = (int(line.partition(".")[0]) for line in lines if line.endswith(". Main procedure"))
    return ChangeFinder(model, rows, lines, main, 3)


FINDER = make_finder(MODEL)


@pytest.fixture(scope="module")
def found() -> Sequence[LineChange]:
    return FINDER.find()


def test_a_change_decides_the_tasks_otherwise_that_walks_by_its_words_do(
    found: Sequence[LineChange],
) -> None:
    for change in found:
        other = FINDER.read_text("\n".join(put_changes(FINDER.lines, [change]))).model
        walked = {
            task
            for task, row in FINDER.rows.items()
            if any(
                label_row(MODEL, row).known.get(name) != label_row(other, row).known.get(name)
                for name in (item.name for item in MODEL.outcomes)
            )
        }
        assert walked == change.tasks != frozenset(), change.line


def test_limits_results_and_rows_of_tables_are_changed(found: Sequence[LineChange]) -> None:
    pairs = {(FINDER.lines[item.at], item.line) for item in found}

    limits = {re.sub(r"\d+", "N", line) for line, other in pairs if line != other}
    assert any("more than N EUR" in line for line in limits)
    assert any(
        line.startswith('- If the kind of trouble is "Water", the team is "plumbers"')
        for line, _ in pairs
    )
    assert any(line.startswith("| ") for line, _ in pairs)


def test_what_several_changes_decide_is_read_together() -> None:
    finder = make_finder(JUDGED)
    ages = {task: row["age"] for task, row in finder.rows.items()}
    good = next(line for line in finder.lines if '"good"' in line and "at least 30" in line)
    fair = next(line for line in finder.lines if '"fair"' in line and "at least 10" in line)
    changes = [
        LineChange(finder.lines.index(good), good.replace("30", "35"), frozenset()),
        LineChange(finder.lines.index(fair), fair.replace("10", "5"), frozenset()),
    ]

    expected = {
        task
        for task, age in ages.items()
        if isinstance(age, int) and (30 <= age < 35 or 5 <= age < 10)
    }
    assert finder.find_differing(changes) == expected != frozenset()


def test_no_change_leaves_a_table_with_one_result() -> None:
    finder = make_finder(
        judged({"age": observed(0, 50)}, {"R1": ("age >= 30", "good")}, otherwise="bad")
    )

    lines = [change.line for change in finder.find()]

    assert lines
    assert not [line for line in lines if line.startswith("- If") and line.endswith('"bad".')]


def test_another_seed_finds_other_changes(found: Sequence[LineChange]) -> None:
    other = ChangeFinder(MODEL, FINDER.rows, FINDER.lines, 6, 4).find()

    assert [item.line for item in other] != [item.line for item in found]
    assert FINDER.find() == list(found)
