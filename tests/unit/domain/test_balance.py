from __future__ import annotations

import json

from sopforge.language.domain.balance import (
    Answer,
    Balance,
    Line,
    Purpose,
    build_answer_lines,
    build_balance_lines,
    build_balance_report,
    compute_balance,
    read_balance,
)
from sopforge.language.domain.tasks import Task
from tests.worlds.small_models import claims, parcel

MODEL = parcel()


def task(key: str, **answers: str) -> Task:
    """Return a task of which nothing matters but its key and its answers."""
    intermediates = {name: cell for name, cell in answers.items() if name in {"payable", "risk"}}
    outcomes = {name: cell for name, cell in answers.items() if name not in intermediates}
    return Task(key, key, {}, outcomes, (), {}, (), intermediates=intermediates)


TASKS = [
    task("goal:rule a", care="plain", release="released"),
    task("goal:path b", care="careful", release="released"),
    task("written:1", care="careful", release="held"),
    task("fill:7", care="careful", release="held"),
    task("fill:8", care="plain", release="released"),
    task("fill:9", care="plain", release="held"),
]


def balance() -> Balance:
    return compute_balance(MODEL, TASKS)


def test_tasks_are_counted_by_what_they_are_there_for() -> None:
    assert balance().purposes == {Purpose.GOAL: 2, Purpose.WRITTEN: 1, Purpose.FILLING: 3}


def test_of_equally_frequent_answers_the_first_by_name_is_the_best() -> None:
    # Three are held and three released; two are careful and held, two plain and released.
    assert balance().primary == Answer({"release": "held"}, 3)
    assert balance().together == Answer({"care": "careful", "release": "held"}, 2)
    assert compute_balance(MODEL, TASKS[::-1]) == balance()


def test_the_table_has_counts_and_shares() -> None:
    assert build_balance_lines(balance()) == [
        Line("tasks there for the sake of a goal", 2, "33.3 %"),
        Line("tasks of rows that somebody wrote", 1, "16.7 %"),
        Line("tasks filling up, mixed as the brief asks", 3, "50.0 %"),
        Line("right by always answering release: held", 3, "50.0 %"),
        Line("all right by always answering care: careful, release: held", 2, "33.3 %"),
    ]
    assert build_answer_lines(balance()) == [
        Line("care: careful", 3, "50.0 %"),
        Line("care: plain", 3, "50.0 %"),
        Line("release: held", 3, "50.0 %"),
        Line("release: released", 3, "50.0 %"),
    ]


def test_an_intermediate_value_counts_where_it_is_asked_for() -> None:
    answers = {"kind_of_review": "short", "settlement": "paid"}
    given = [
        task("fill:1", **answers, payable="1.00", risk="2"),
        task("fill:2", **answers, payable="1.00", risk="2"),
        task("fill:3", **answers, payable="2.00"),
        task("fill:4", **answers),
        task("fill:5", **answers),
        task("fill:6", **answers),
    ]

    found = compute_balance(claims(), given)

    # Three tasks ask for neither value, two for the same ones: what is not asked for is a part too.
    assert found.together == Answer(answers, 3)
    assert found.primary == Answer({"settlement": "paid"}, 6)
    assert {column.name: column.asked for column in found.columns} == {
        "kind_of_review": 6,
        "settlement": 6,
        "payable": 3,
        "risk": 2,
    }
    assert build_answer_lines(found)[-2:] == [
        Line("risk: 2", 2, "33.3 %"),
        Line("risk: not asked for", 4, "66.7 %"),
    ]


def test_of_many_answers_the_first_few_are_listed_and_the_others_counted() -> None:
    given = [task(f"fill:{n}", care=f"c{n:02d}", release="held") for n in range(13)]
    given.append(task("fill:13", care="c05", release="held"))

    (column, _) = compute_balance(MODEL, given).columns

    assert (column.different, column.others) == (13, 10)
    assert [answer.cells["care"] for answer in column.answers] == ["c05", "c00", "c01"]
    assert Line("care: 10 other answers", 10, "71.4 %") in build_answer_lines(
        compute_balance(MODEL, given)
    )


def test_a_balance_is_read_as_it_was_written() -> None:
    text = json.dumps(build_balance_report(balance()))

    assert read_balance(json.loads(text)) == balance()
    assert json.loads(text)["always"]["primary"] == {
        "answers": {"release": "held"},
        "tasks": 3,
        "share": "50.0 %",
    }
