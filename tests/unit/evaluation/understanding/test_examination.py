"""Cross-examination of agents that take a figure for any other one, which is on no list."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from sopforge.evaluation.diagnosis.figures import list_figures
from sopforge.evaluation.diagnosis.hypotheses import Answer, answer_by
from sopforge.evaluation.diagnosis.sharpening import propose_mistakes
from sopforge.evaluation.experiments.sources import read_source
from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
from sopforge.evaluation.understanding.draws import make_cases
from sopforge.evaluation.understanding.examination import Examination, examine_agent
from sopforge.evaluation.understanding.understanding import Examiner
from sopforge.harness.environment.session import open_session
from sopforge.language.domain.model import DomainModel
from sopforge.sandbox.answers import as_json, as_text
from tests.worlds.releases import fees_release, refund_release
from tests.worlds.shared_builds import Shared

CASES = 25


def examine(folder: Path, believed: DomainModel, most: int = CASES) -> Examination:
    own, plain = read_proved(folder), read_source(folder).plain

    def ask(package: ProvedPackage, task: str, _turn: int) -> Answer:
        return answer_by(believed, package.plain.rows, [task])[task]

    return examine_agent([own], Examiner([own], None), partial(make_cases, own, plain), ask, most)


@pytest.mark.parametrize(
    ("domain", "name", "value"),
    [
        ("refund", "limit refund_days", 43),
        ("refund", "limit pay_limit", 13700),
        ("fees", "limit daily_fee", 340),
        ("fees", "limit grace_days", 6),
        ("fees", "number 1 of rule fee.F1", 17),
    ],
)
def test_a_figure_is_known_exactly(shared: Shared, domain: str, name: str, value: int) -> None:
    release = refund_release(shared) if domain == "refund" else fees_release(shared)
    folder = release / domain
    (figure,) = (item for item in list_figures(read_proved(folder).model) if item.name == name)
    mistake = figure.take_for(value)
    assert mistake is not None

    done = examine(folder, mistake.model)

    (stated,) = done.stated
    assert {item.value for item in stated.belief.readings if item.figure} == {value}
    assert len(done.inquiry.heard) <= CASES
    assert done.ruled_out < done.mistakes


@pytest.mark.parametrize("most", [3, 5, 7])
def test_nothing_is_stated_that_further_cases_would_refine(shared: Shared, most: int) -> None:
    folder = refund_release(shared) / "refund"
    figures = {item.name: item for item in list_figures(read_proved(folder).model)}
    mistake = figures["limit refund_days"].take_for(43)
    assert mistake is not None

    done = examine(folder, mistake.model, most)

    for statement in done.stated:
        values = {item.value for item in statement.belief.readings if item.figure}
        assert not values or values == {43}


@pytest.mark.parametrize("said", ["1e400", "-1e999990", "Infinity", "3.75 EUR", ""])
def test_an_answer_that_is_no_amount_leads_to_no_figure(shared: Shared, said: str) -> None:
    core = read_proved(fees_release(shared) / "fees").plain
    task = next(task for task in core.gold.values() if task.outcomes["lateness"] == "charged")

    found = list(
        propose_mistakes(
            core.model, core.rows[task.id], task.outcomes, {**task.outcomes, "fee": said}
        )
    )

    assert found == []


def test_two_mistakes_are_both_known(shared: Shared) -> None:
    """Ten days of grace, and half of the daily fee."""
    folder = fees_release(shared) / "fees"
    figures = {item.name: item for item in list_figures(read_proved(folder).model)}
    believed = figures["limit grace_days"].take_for(10)
    assert believed is not None
    (daily,) = (item for item in list_figures(believed.model) if item.name == "limit daily_fee")
    both = daily.take_for(62)
    assert both is not None

    done = examine(folder, both.model)

    known = {
        (item.figure.name, item.value)
        for statement in done.stated
        for item in statement.belief.readings
        if item.figure
    }
    assert known == {("limit grace_days", 10), ("limit daily_fee", 62)}
    assert not done.inquiry.errors
    assert done.errors


def test_cases_that_are_made_are_answered_by_the_published_tools(shared: Shared) -> None:
    folder = refund_release(shared) / "refund"
    own, plain = read_proved(folder), read_source(folder).plain
    rows = list(own.plain.rows.values())[:3]

    made = make_cases(own, plain, rows, 1)

    assert [task.outcomes for task in made.gold.values()] == [
        task.outcomes for task in list(own.gold.values())[:3]
    ]
    assert not {task.inputs["request_id"] for task in made.gold.values()} & {
        task.inputs["request_id"] for task in own.gold.values()
    }
    with made.open_environment() as environment:
        for name, task in made.gold.items():
            session = open_session(environment, name, 0)
            for call in task.calls:
                reply = session.call(call.tool, call.arguments)
                assert as_text(as_json(reply.result)) == as_text(as_json(call.result))
