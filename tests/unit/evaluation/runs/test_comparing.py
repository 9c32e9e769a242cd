"""Two runs compared pair by pair, against figures worked out by hand or published."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.errors import MaterialError
from sopforge.evaluation.runs.comparing import compute_sign_test, pair_runs, read_run
from sopforge.evaluation.runs.rows import Asked, Row, RunFolder
from sopforge.harness.environment.events import Said
from sopforge.harness.grading.grades import Attempt, Stop
from tests.worlds.attempt_rows import GRADE


def make_rows(agent: str, right: str, *, digest: str = "abc", seed: int = 0) -> list[Row]:
    """Return a row for each letter: + for a right task, - for a wrong one, a blank for none."""
    return [
        Row(
            Asked("parcels", digest, f"task-{number}", agent, seed),
            Stop.ANSWER,
            "",
            0.1,
            replace(GRADE, is_right=sign == "+", goal="" if number < 3 else f"rule R{number % 2}"),
        )
        for number, sign in enumerate(right)
        if sign != " "
    ]


def test_tasks_are_paired_and_counted_by_who_has_them_right() -> None:
    (pairs,) = pair_runs(make_rows("a", "++++++--+ "), make_rows("b", "+++--+-+ +"))

    assert (pairs.both, pairs.first, pairs.second, pairs.neither) == (4, 2, 1, 1)
    assert pairs.lone == 2
    assert pairs.difference == pytest.approx(-1 / 8)
    assert pairs.apart == {"rule R0": (1, 0), "rule R1": (1, 1)}


def test_each_package_is_compared_by_itself() -> None:
    one = [*make_rows("a", "++"), *make_rows("a", "+-", digest="xyz")]
    other = [*make_rows("b", "--", digest="xyz"), *make_rows("b", "+-")]

    assert [(pairs.both, pairs.first) for pairs in pair_runs(one, other)] == [(1, 1), (0, 1)]


@pytest.mark.parametrize(
    ("first", "second", "p_value"),
    [
        (0, 0, 1.0),
        (1, 1, 1.0),
        (0, 5, 0.0625),  # twice a half to the fifth
        (6, 16, 0.05248),  # Agresti, Categorical Data Analysis: binomial tables of 22
        (16, 6, 0.05248),
        (1500, 1500, 1.0),
    ],
)
def test_a_split_is_tested_exactly(first: int, second: int, p_value: float) -> None:
    assert compute_sign_test(first, second) == pytest.approx(p_value, abs=5e-6)


@pytest.mark.parametrize(
    "other",
    [make_rows("b", "++", digest="other"), make_rows("b", "++", seed=1), []],
    ids=["another package", "another seed", "nothing"],
)
def test_runs_without_a_pair_are_refused(other: list[Row]) -> None:
    with pytest.raises(MaterialError) as caught:
        pair_runs(make_rows("a", "++"), other)
    assert caught.value.faults[0].code == "runs-not-paired"


def test_an_agent_is_named_where_a_folder_has_several(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    attempt = Attempt((Said("So."),), "", Stop.ANSWER)
    for row in [*make_rows("gold", "++"), *make_rows("silent", "--")]:
        folder.add(row, attempt)

    assert [row.asked.agent for row in read_run(f"{tmp_path}#silent")] == ["silent"] * 2
    for named, says in (
        (f"{tmp_path}", "it has rows of several agents"),
        (f"{tmp_path}#glod", "it has no agent 'glod'"),
        (f"{tmp_path}/none", "there is no rows.jsonl"),
    ):
        with pytest.raises(MaterialError) as caught:
            read_run(named)
        assert says in caught.value.faults[0].message


def test_one_agent_needs_no_name(tmp_path: Path) -> None:
    RunFolder(tmp_path).add(make_rows("gold", "+")[0], Attempt((), "", Stop.ANSWER))

    assert read_run(str(tmp_path)) == make_rows("gold", "+")
