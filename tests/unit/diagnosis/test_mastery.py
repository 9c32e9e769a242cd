"""Of which rules every case is right, and which tasks say nothing of a rule."""

from __future__ import annotations

from collections.abc import Callable

from sopforge.evaluation.diagnosis.diagnosing import Diagnostician
from sopforge.evaluation.diagnosis.hypotheses import find_beliefs
from sopforge.evaluation.diagnosis.mastery import Mastered, find_showing, measure_mastery
from sopforge.evaluation.diagnosis.places import PlaceKind, RulePlace
from sopforge.proof.dataset.records import Row
from tests.worlds.small_models import judged, observed

MODEL = judged(
    {"age": observed(0, 50)},
    {"R1": ("age >= 30", "good"), "R2": ("age >= 10", "fair")},
)
AGES = {f"task-{age:02}": age for age in range(51)}
ROWS: dict[str, Row] = {task: {"case_id": f"C{age:06}", "age": age} for task, age in AGES.items()}
RIGHT = {
    task: {"result": "good" if age >= 30 else "fair" if age >= 10 else "bad"}
    for task, age in AGES.items()
}
R1, R2, REST = (RulePlace(PlaceKind.RULE, f"result.{name}") for name in ("R1", "R2", "REST"))


def measure(answer: Callable[[int], str], *, is_known: bool = False) -> dict[RulePlace, Mastered]:
    """Return what somebody masters who answers by a function, with his mistakes known or not."""
    beliefs = find_beliefs(MODEL, ROWS)
    stated = {task: {"result": answer(age)} for task, age in AGES.items()}
    diagnosis = Diagnostician(MODEL, ROWS, RIGHT, beliefs).diagnose(stated)
    showing = find_showing(MODEL, RIGHT, beliefs)
    known = diagnosis.stated if is_known else ()
    found = measure_mastery(MODEL, showing, RIGHT, stated, known)
    return {item.place: item for item in found}


def answer_right(age: int) -> str:
    return RIGHT[f"task-{age:02}"]["result"]


def test_who_answers_all_right_masters_all_rules() -> None:
    found = measure(answer_right)

    assert {R1, R2, REST} <= found.keys()
    assert all(item.is_mastered for item in found.values())
    # All from 30 on, were its result another; and those below, were its condition dropped.
    assert {f"task-{age}" for age in range(30, 51)} <= {*found[R1].tasks}


def test_a_wrong_answer_counts_against_each_rule_that_it_may_come_from() -> None:
    found = measure(lambda age: "bad" if age == 12 else answer_right(age))

    assert found[R2].wrong == ("task-12",)
    assert not found[R2].is_mastered


def test_what_a_known_mistake_explains_counts_against_its_own_rule_alone() -> None:
    """Who takes those from 10 on for bad ones reads the rule on 30 as it is written."""
    found = measure(lambda age: "bad" if 10 <= age < 30 else answer_right(age), is_known=True)

    assert {*found[R2].wrong} == {f"task-{age}" for age in range(10, 30)}
    assert found[R1].is_mastered
    assert "task-15" in found[R1].beside
    assert {f"task-{age}" for age in range(30, 51)} <= {*found[R1].tasks}
    assert not measure(lambda age: "bad" if 10 <= age < 30 else answer_right(age))[R1].is_mastered
