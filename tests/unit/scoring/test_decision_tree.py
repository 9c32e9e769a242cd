"""A decision tree asks the question that leaves the least impurity, and of equals the first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sopforge.harness.scoring import decision_tree
from sopforge.harness.scoring.decision_tree import Leaf, Question, grow_tree

Cases = list[tuple[list[int], str]]
# How long it takes to draw depends on what else the machine does.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
ANSWERS = st.sampled_from(["no", "yes", "perhaps"])


def draw_cases(width: int) -> st.SearchStrategy[Cases]:
    rows = st.lists(st.integers(0, 6), min_size=width, max_size=width)
    return st.lists(st.tuples(rows, ANSWERS), min_size=1, max_size=25)


CASES = st.integers(1, 4).flatmap(draw_cases)


def compute_impurity(answers: Sequence[str]) -> Fraction:
    """Return the Gini impurity times the number of answers, by its definition."""
    squares = sum(Fraction(count, len(answers)) ** 2 for count in Counter(answers).values())
    return Fraction(len(answers)) * (1 - squares)


def list_impurities(cases: Cases) -> dict[tuple[int, int], Fraction]:
    """Return what each question leaves that divides the rows."""
    found = {}
    for column in range(len(cases[0][0])):
        for limit in range(7):
            low = [answer for row, answer in cases if row[column] <= limit]
            high = [answer for row, answer in cases if row[column] > limit]
            if low and high:
                found[column, limit] = compute_impurity(low) + compute_impurity(high)
    return found


@UNTIMED
@given(CASES)
def test_the_first_question_leaves_the_least_impurity(cases: Cases) -> None:
    answers = [answer for _, answer in cases]

    tree = grow_tree(np.array([row for row, _ in cases]), answers, 1)

    impurities, counts = list_impurities(cases), Counter(answers)
    if len(counts) == 1 or not impurities:
        most = max(counts.values())
        assert tree == Leaf(min(answer for answer, count in counts.items() if count == most))
    else:
        assert isinstance(tree, Question)
        left = float(impurities[tree.column, tree.limit])
        assert left == pytest.approx(float(min(impurities.values())))


@UNTIMED
@given(CASES)
def test_as_deep_as_need_be_it_knows_all_that_it_has_seen(cases: Cases) -> None:
    known = {tuple(row): answer for row, answer in cases}

    tree = grow_tree(np.array(list(known)), list(known.values()), 30)

    assert [tree.guess(row) for row in known] == list(known.values())


def test_of_equally_good_questions_the_first_is_asked() -> None:
    rows = np.array([[3, 0, 0], [3, 1, 1], [3, 1, 1]])
    assert grow_tree(rows, ["a", "b", "b"], 3) == Question(1, 0, Leaf("a"), Leaf("b"))


def test_a_limit_lies_in_the_middle_of_what_was_seen() -> None:
    tree = grow_tree(np.array([[2], [8]]), ["low", "high"], 3)
    assert [tree.guess([value]) for value in (0, 5, 6, 9)] == ["low", "low", "high", "high"]


def test_two_questions_find_what_one_cannot() -> None:
    rows, answers = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), ["even", "odd", "odd", "even"]
    assert [grow_tree(rows, answers, 2).guess(row) for row in rows] == answers


@UNTIMED
@given(CASES, st.integers(1, 40))
def test_columns_counted_apart_grow_the_same_tree(cases: Cases, at_once: int) -> None:
    rows, answers = np.array([row for row, _ in cases]), [answer for _, answer in cases]
    expected = grow_tree(rows, answers, 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decision_tree, "_COUNTED_AT_ONCE", at_once)
        assert grow_tree(rows, answers, 3) == expected
