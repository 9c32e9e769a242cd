"""Figures by the manner of a user."""

from __future__ import annotations

import json
from dataclasses import replace

from sopforge.evaluation.figures.manners import compute_manner_rates, count_lacking
from sopforge.evaluation.figures.series import list_series
from sopforge.evaluation.runs.rows import Row
from tests.worlds.attempt_rows import make_row


def with_user(row: Row, task: str, *manners: str, lacking: tuple[str, ...] = ()) -> Row:
    """Return a row of a task whose user was drawn and has some manners."""
    user = {"mode": "one-message", "asked": ["all"], "manners": list(manners), "words": "w"}
    settings = json.dumps({"user": {**user, **({"lacking": list(lacking)} if lacking else {})}})
    return replace(row, asked=replace(row.asked, task=task, settings=settings))


def test_attempts_are_counted_by_the_manners_that_users_have_together() -> None:
    right, wrong = make_row("one"), make_row("one", is_right=False)
    rows = [
        with_user(right, "a", "plain"),
        with_user(wrong, "b", "changes", "claims"),
        with_user(right, "c", "changes", "claims", lacking=("demands",)),
        with_user(wrong, "d", "plain", lacking=("demands", "claims")),
        right,
    ]

    rates = compute_manner_rates(rows)

    assert {name: (rate.share, rate.of) for name, rate in rates.items()} == {
        "changes+claims": (0.5, 2),
        "plain": (0.5, 2),
    }
    assert count_lacking(rows) == {"demands": 2, "claims": 1}


def test_a_series_has_all_manners_that_were_drawn_and_is_named_for_its_user() -> None:
    row = make_row("one")
    drawn = [with_user(row, "a", "plain"), with_user(row, "b", "claims", lacking=("changes",))]

    series = list_series([*drawn, row])

    assert [len(item.rows) for item in series] == [2, 1]
    assert series[0].name == f"{series[1].name}, one-message user: all"
