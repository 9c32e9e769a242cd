"""How many cases of sessions are right, and what their places alone would give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.evaluation.figures.sessions import CaseScores, compute_case_scores
from sopforge.evaluation.runs.rows import Row
from tests.worlds.attempt_rows import make_signed_rows


def make_sessions(*cases: str) -> list[Row]:
    """Return rows of sessions, each with a sign for each of its cases."""
    rows = make_signed_rows("+" * len(cases))
    return [
        replace(row, grade=replace(row.grade, cases=tuple(sign == "+" for sign in signs)))
        for row, signs in zip(rows, cases, strict=True)
    ]


def test_cases_are_counted_and_places_multiplied() -> None:
    # The first place is right in two of two, the second in one, the third in one.
    assert compute_case_scores(make_sessions("++-", "+-+")) == CaseScores(4, 6, 0.25)


def test_sessions_that_fail_together_lose_less_than_their_places_say() -> None:
    scores = compute_case_scores(make_sessions("++", "--"))

    assert scores == CaseScores(2, 4, 0.25)


def test_shorter_sessions_have_no_further_places() -> None:
    scores = compute_case_scores(make_sessions("+++", "-"))

    assert scores is not None
    assert (scores.right, scores.of) == (3, 4)
    assert scores.independent == pytest.approx(0.5)


def test_attempts_at_single_cases_have_no_such_figure() -> None:
    assert compute_case_scores(make_signed_rows("++-")) is None
    assert compute_case_scores([]) is None
