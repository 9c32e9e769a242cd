"""Known mistakes are found by the answers that they lead to, and chance is not taken for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import pytest

from sopforge.evaluation.diagnosis.diagnosing import Diagnosis, Diagnostician
from sopforge.evaluation.diagnosis.hypotheses import Answer, find_beliefs
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.oracle import answer_row
from sopforge.proof.dataset.records import Row
from tests.worlds.small_models import judged, observed

MODEL = judged(
    {"age": observed(0, 50), "visits": observed(0, 9)},
    {
        "R1": ("age >= 30", "good"),
        "R2": ("visits >= 6", "good"),
        "R3": ("age >= 10", "fair"),
    },
)
CASES = {
    f"task-{age:02}-{visits}": (age, visits) for age in range(51) for visits in (0, 2, 5, 6, 9)
}
ROWS: dict[str, Row] = {
    task: {"case_id": f"C{age:04}{visits:02}", "age": age, "visits": visits}
    for task, (age, visits) in CASES.items()
}


def right(age: int, visits: int) -> str:
    if age >= 30 or visits >= 6:
        return "good"
    return "fair" if age >= 10 else "bad"


def diagnose(answer: Callable[[int, int], str]) -> Diagnosis:
    """Return what is said of somebody who answers by a function of his own."""
    return diagnose_answers({task: {"result": answer(*case)} for task, case in CASES.items()})


def diagnose_answers(stated: Mapping[str, Mapping[str, str]]) -> Diagnosis:
    gold = {task: {"result": right(*case)} for task, case in CASES.items()}
    return Diagnostician(MODEL, ROWS, gold, find_beliefs(MODEL, ROWS)).diagnose(stated)


def list_words(found: Diagnosis) -> list[set[str]]:
    return [{reading.mutant.words for reading in item.belief.readings} for item in found.stated]


def test_who_makes_no_mistake_is_not_said_to_make_one() -> None:
    found = diagnose(right)

    assert (found.errors, found.found, found.unexplained) == ((), (), ())


@pytest.mark.parametrize("answer", ["good", "bad", "nonsense"])
def test_one_answer_to_every_task_is_no_reading_of_a_rule(answer: str) -> None:
    found = diagnose(lambda _age, _visits: answer)

    wrong = tuple(task for task, case in CASES.items() if right(*case) != answer)
    assert (found.constant, found.found) == ({"result": answer}, ())
    assert found.errors == found.unexplained == wrong


def test_one_answer_to_tasks_that_are_alike_may_come_from_a_mistake() -> None:
    stated = {task: {"result": "good"} for task, case in CASES.items() if right(*case) == "fair"}

    assert diagnose_answers(stated).constant is None


def test_a_limit_that_is_read_one_too_high_is_named_with_all_that_comes_to_the_same() -> None:
    """That 30 itself is not old enough, and that one has to be more than 30, is the same."""
    found = diagnose(lambda age, visits: right(29 if age == 30 else age, visits))

    (words,) = list_words(found)
    assert any("31 for 30" in item for item in words)
    assert any("more than" in item or ">" in item for item in words)
    # With six visits or more the case is good all the same.
    assert set(found.errors) == {"task-30-0", "task-30-2", "task-30-5"}
    assert set(found.stated[0].explained) == set(found.errors)
    assert not found.stated[0].contradicted


def test_a_limit_is_found_at_any_value() -> None:
    """No list has 17: it lies between the values that are tried first."""
    found = diagnose(lambda age, visits: right(age, visits) if not 10 <= age < 17 else low(visits))

    (evidence,) = found.stated
    assert any(item.endswith("it takes 17") for item in evidence.belief.words)
    assert len(evidence.explained) == len(found.errors) == 7 * 3
    assert not evidence.contradicted


def low(visits: int) -> str:
    return "good" if visits >= 6 else "bad"


def test_values_that_no_case_distinguishes_are_a_range() -> None:
    """Cases have 2 visits or 5, and none between: who asks for 3, 4 or 5 is the same to them."""
    found = diagnose(lambda age, visits: right(age, 6 if visits >= 4 else visits))

    (evidence,) = found.stated
    assert any(item.endswith("it takes 3 to 5") for item in evidence.belief.words)


def test_a_figure_is_not_taken_for_a_negative_one() -> None:
    """Who asks for no age at all takes 10 for 0: below that there is no age."""
    found = diagnose(lambda age, visits: right(max(age, 10), visits))

    (evidence,) = found.stated
    assert any(item.endswith("it takes 0") for item in evidence.belief.words)
    assert not any("takes -" in item for item in evidence.belief.words)


def test_a_mistake_that_several_figures_come_to_is_one() -> None:
    """Who never uses the first rule may take either of its figures for a very high one."""
    model = judged(
        {"age": observed(0, 50), "visits": observed(0, 9)},
        {"R1": ("age >= 30 and visits >= 5", "good"), "R2": ("age >= 10", "fair")},
    )
    cases = {task: case for task, case in CASES.items() if case[0] % 4 == 0}
    rows = {task: ROWS[task] for task in cases}
    gold = {
        task: {"result": "good" if age >= 30 and visits >= 5 else "fair" if age >= 10 else "bad"}
        for task, (age, visits) in cases.items()
    }
    stated = {task: {"result": "fair" if age >= 10 else "bad"} for task, (age, _) in cases.items()}

    found = Diagnostician(model, rows, gold, find_beliefs(model, rows)).diagnose(stated)

    (evidence,) = found.stated
    assert any("R1 dropped" in item for item in evidence.belief.words)
    assert not found.unexplained


def test_a_far_limit_beside_another_mistake_is_found_too() -> None:
    """Who takes 22 for 30, and more than 10 for 10 or more."""

    def answer(age: int, visits: int) -> str:
        if age >= 22 or visits >= 6:
            return "good"
        return "fair" if age > 10 else "bad"

    found = diagnose(answer)

    words = {item for evidence in found.stated for item in evidence.belief.words}
    assert any(item.endswith("for 30 it takes 22") for item in words)
    assert len(found.stated) == 2
    assert not found.unexplained


def test_two_mistakes_are_both_found() -> None:
    """The second rule is never used, and 10 is not old enough."""

    def answer(age: int, visits: int) -> str:  # noqa: ARG001 - it is not looked at
        if age >= 30:
            return "good"
        return "fair" if age > 10 else "bad"

    found = diagnose(answer)

    assert len(found.stated) == 2
    assert any("R2" in word for words in list_words(found) for word in words)
    assert found.unexplained == ()


@pytest.mark.parametrize("percent", [5, 20])
def test_errors_at_random_are_no_mistake(percent: int) -> None:
    for seed in range(10):
        random = Random(seed)  # noqa: S311 - no secret

        def answer(age: int, visits: int, random: Random = random) -> str:
            found = right(age, visits)
            if random.randrange(100) >= percent:
                return found
            return random.choice([label for label in ("good", "fair", "bad") if label != found])

        assert diagnose(answer).stated == ()


@pytest.mark.parametrize("label", ["good", "fair", "bad"])
def test_a_guess_explains_more_than_speaks_against_it(label: str) -> None:
    """Of somebody who answers at random, some mistake foretells a few answers by chance."""
    random = Random(label)  # noqa: S311 - no secret
    found = diagnose_answers(
        {task: {"result": random.choice(["good", "fair", "bad", label])} for task in CASES}
    )

    assert found.errors
    for item in found.found:
        assert len(item.explained) > len(item.contradicted)
    explained = {task for item in found.found for task in item.explained}
    assert {*found.unexplained} == {*found.errors} - explained


def test_a_case_is_answered_rightly_once_however_many_mistakes_are_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    walked: list[str] = []

    def note(model: DomainModel, row: Row) -> dict[str, str]:
        if model is MODEL:
            walked.append(str(row["case_id"]))
        return answer_row(model, row)

    monkeypatch.setattr("sopforge.proof.dataset.distinguishing.answer_row", note)
    gold = {task: {"result": right(*case)} for task, case in CASES.items()}
    by = Diagnostician(MODEL, ROWS, gold, find_beliefs(MODEL, ROWS))
    walked.clear()
    for limit in (22, 26):
        by.diagnose(
            {
                task: {"result": "good" if age >= limit else low(visits)}
                for task, (age, visits) in CASES.items()
            }
        )

    assert len(walked) == len(set(walked))


def test_a_single_error_is_a_guess() -> None:
    found = diagnose(lambda age, visits: "bad" if (age, visits) == (10, 0) else right(age, visits))

    assert found.stated == ()


def test_a_single_error_names_the_mistake_that_leads_to_that_very_answer() -> None:
    """Ages of 10 with more visits are answered rightly, which speaks against any mistake."""
    stated: dict[str, Answer] = {task: {"result": right(*case)} for task, case in CASES.items()}
    stated["task-10-0"] = {"result": "bad"}
    stated["task-50-0"] = {}

    found = diagnose_answers(stated)

    assert found.unexplained == ("task-10-0", "task-50-0")
    assert found.unknown == ("task-50-0",)
    assert any("11 for 10" in words for words in found.further["task-10-0"].words)


def test_what_is_on_no_list_stays_unexplained() -> None:
    """Who takes even ages for bad ones has about half of all wrong."""
    found = diagnose(lambda age, visits: "bad" if age % 2 == 0 else right(age, visits))

    assert found.stated == ()
    assert len(found.unexplained) * 3 > len(found.errors)


def test_an_answer_that_lacks_is_an_error_that_nothing_explains() -> None:
    stated: dict[str, Answer] = {task: {"result": right(*case)} for task, case in CASES.items()}
    stated["task-50-0"] = {}

    found = diagnose_answers(stated)

    assert found.errors == found.unexplained == ("task-50-0",)


def test_tasks_that_were_not_attempted_count_for_nothing() -> None:
    stated = {
        task: {"result": right(29 if age == 30 else age, visits)}
        for task, (age, visits) in CASES.items()
        if visits < 5
    }

    found = diagnose_answers(stated)

    assert found.tasks == len(stated)
    assert set(found.stated[0].explained) == {"task-30-0", "task-30-2"}
