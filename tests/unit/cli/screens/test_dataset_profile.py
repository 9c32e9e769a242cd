from __future__ import annotations

import json

import pytest

from sopforge.cli.output import make_console, print_parts
from sopforge.cli.screens.dataset_profile import lay_out_dataset, render_bins
from sopforge.language.domain.balance import Answer, Balance, Column, Purpose
from sopforge.proof.dataset.coverage.coverage import Coverage, GoalReport, GoalVerdict, as_report
from sopforge.proof.dataset.tasks.profile import (
    Bin,
    FieldProfile,
    PathProfile,
    Profile,
    Spread,
    write_profile,
)

SPREAD = Spread("0", ("1", "2", "3"), "4", tuple(Bin("0", "0", n) for n in (0, 1, 4, 8)))
AGE = FieldProfile("age", "age", "input", "years", 13, 2, "0.133", spread=SPREAD)
CARE = FieldProfile(
    "care", "care", "outcome", "", 15, 0, "0.000", labels={"plain": 10, "\x1b[31mred": 5}
)
SOME_CARE = FieldProfile(
    "care", "care", "outcome", "", 4, 0, "0.000", labels={"plain": 3, "\x1b[31mred": 1}
)
PATHS = (PathProfile(("look", "look.1", "hold"), 9), PathProfile(("look", "look.2", "hold"), 6))
BALANCE = Balance(
    15,
    {Purpose.GOAL: 11, Purpose.WRITTEN: 0, Purpose.FILLING: 4},
    (Column("care", 15, 2, (Answer({"care": "plain"}, 10), Answer({"care": "\x1b[31mred"}, 5))),),
    Answer({"care": "plain"}, 10),
    Answer({"care": "plain"}, 10),
)
FILLING = Profile(4, (SOME_CARE,), (PathProfile(("look", "look.2", "hold"), 4),))
PROFILE = Profile(15, (AGE, CARE), PATHS, FILLING, BALANCE)
COVERAGE = Coverage(
    {
        "a": GoalReport("rule", "R1 applies", GoalVerdict.PRIMARY, ("t1",)),
        "b": GoalReport("edge", "edge 1", GoalVerdict.OUTCOMES, ("t1",)),
        "c": GoalReport("edge", "edge 2", GoalVerdict.IMPOSSIBLE),
    },
    {"m": GoalReport("comparator", "< for <=", GoalVerdict.PRIMARY, ("t1",))},
)
NAMES = [["Rules"], ["Edges"], ["Comparators"], ["All"]]
SHORTCUTS = {
    "outcome": "care",
    "tasks": 15,
    "bar": "0.767",
    "shortcuts": [{"name": "majority", "primary": {"right": 10, "share": "0.667"}}],
}


def test_the_highest_column_is_full_and_an_empty_one_blank() -> None:
    assert render_bins(AGE) == " ▁▄█"
    assert render_bins(CARE) == ""


def test_a_dataset_is_printed_with_bars_and_without_control_characters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = lay_out_dataset(
        {
            "data_profile.json": write_profile(PROFILE),
            "shortcuts.json": json.dumps(SHORTCUTS),
            "coverage.json": json.dumps(as_report(COVERAGE)),
            "coverage.md": "",
        },
    )
    print_parts(make_console(), shown)

    text = capsys.readouterr().out
    # Ten of fifteen tasks are two thirds of the 24 cells that a bar has.
    line = next(line for line in text.split("\n") if "majority" in line)
    assert line.split() == ["█" * 16, "0.667", "majority"]
    assert "tasks with care right; the maximum is 0.767" in text
    rows = [line.split() for line in text.split("\n")]
    assert ["10", "(3)", "plain"] in [row[1:] for row in rows]
    assert ["9", "(0)", *["look", "→", "hold", "by", "look.1"]] in [row[1:] for row in rows]
    assert ["6", "(4)", *["look", "→", "hold", "by", "look.2"]] in [row[1:] for row in rows]
    assert [row for row in rows if row[:1] in NAMES] == [
        # asked, by the primary answer, by another one, impossible, undecided
        ["Rules", "1", "1", "0", "0", "0"],
        ["Edges", "2", "0", "1", "1", "0"],
        ["All", "3", "1", "1", "1", "0"],
        ["Comparators", "1", "1", "0", "0"],
        ["All", "1", "1", "0", "0"],
    ]
    lines = [" ".join(row) for row in rows]
    assert "tasks filling up, mixed as the brief asks 4 26.7 %" in lines
    assert "right by always answering care: plain 10 66.7 %" in lines
    assert "care: [31mred 5 33.3 %" in lines
    assert "0 | 1 | 2 | 3 | 4 years, 2 missing" in text
    assert "\x1b" not in text


def test_nothing_is_printed_of_a_dataset_without_a_profile() -> None:
    assert list(lay_out_dataset({})) == []
