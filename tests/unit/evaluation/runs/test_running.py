"""Scripted agents on a published package score what they must, and a run goes on where it was."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sopforge.errors import MaterialError
from sopforge.evaluation.agents.agent import EvaluatedAgent
from sopforge.evaluation.agents.scripted import make_scripted_agent
from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
from sopforge.evaluation.runs.rows import Row, RunFolder
from sopforge.evaluation.runs.running import ask_for, choose_tasks, list_divergences, run_agent
from sopforge.harness.environment.session import Session
from sopforge.harness.grading.grades import Divergence, Stop
from sopforge.language.logic.walking import collect_outcomes
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.records import build_case_rows
from sopforge.proof.dataset.trials.tool_trials import parse_case_inputs
from tests.conftest import Released

SEED = 3
LEVELS = ("L0", "L1", "L2", "L3")


def read_level(released: Released, level: str = "L0") -> ProvedPackage:
    """Return the package of a level."""
    return read_proved(Path(released.published.packages[level]))


def run(package: ProvedPackage, agent: EvaluatedAgent | str, folder: Path) -> list[Row]:
    """Return the rows of an agent on all tasks."""
    worker = make_scripted_agent(agent, package) if isinstance(agent, str) else agent
    tasks = choose_tasks(package, 0, SEED)
    asked = ask_for(package, tasks, worker.name, SEED)
    return run_agent(package, worker, asked, RunFolder(folder))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("agent", "score"),
    [("gold", (1, 1)), ("wrong", (1, 0)), ("silent", (0, 0)), ("one-letter", (0, 0))],
)
def test_agents_that_need_no_model_score_as_they_must(
    released: Released, tmp_path: Path, level: str, agent: str, score: tuple[int, int]
) -> None:
    complete, right = score
    rows = run(read_level(released, level), agent, tmp_path)

    assert len(rows) == 120
    assert {row.grade.is_complete for row in rows} == {bool(complete)}
    assert {row.grade.is_right for row in rows} == {bool(right)}
    assert {row.stop for row in rows} == {Stop.ANSWER}
    if agent in ("gold", "wrong"):
        assert all(row.grade.is_gold and row.grade.parameters in (1.0, None) for row in rows)


def test_a_constant_answer_is_right_where_most_tasks_have_it(
    released: Released, tmp_path: Path
) -> None:
    package = read_level(released)
    rows = run(package, "constant", tmp_path)

    most = Counter(tuple(sorted(task.outcomes.items())) for task in package.graded.tasks)
    assert sum(row.grade.is_right for row in rows) == max(most.values())
    assert all(row.grade.is_complete and not row.grade.calls for row in rows)


def test_random_calls_are_the_same_for_the_same_seed(released: Released, tmp_path: Path) -> None:
    package = read_level(released)
    once, again = (run(package, "random-tool", tmp_path / name) for name in ("one", "two"))

    assert [row.grade for row in once] == [row.grade for row in again]
    assert {row.grade.calls for row in once} == {6}
    assert sum(row.grade.is_right for row in once) < 12


@pytest.mark.parametrize(
    "mutant",
    [
        "mutant adult_age 17",
        "mutant rule insurance_validation.I4 14",
        "mutant rule pharmacy_check.F2 4",
    ],
)
def test_an_agent_with_one_mistake_is_wrong_where_its_mutant_shows(
    released: Released, tmp_path: Path, mutant: str
) -> None:
    package = read_level(released)
    rows = run(package, f"one-mistake:{mutant}", tmp_path)

    # By the oracle, which calls no tool: the answers of a model with this mistake.
    wrong = next(item.model for item in derive_mutants(package.graded.model) if item.id == mutant)
    tasks = package.graded.tasks
    inputs = parse_case_inputs(wrong, [task.inputs for task in tasks])
    found = build_case_rows(wrong, package.graded.records, inputs)
    shown = set()
    for task, row in zip(tasks, found, strict=True):
        assert row is not None
        outcomes = collect_outcomes(wrong, label_row(wrong, row))
        cells = {name: wrong.fields[name].format_cell(value) for name, value in outcomes.items()}
        shown |= {task.id} if cells != task.outcomes else set()
    assert {row.asked.task for row in rows if not row.grade.is_right} == shown
    assert 0 < len(shown) < 20


@dataclass
class _Breaking:
    """Breaks at every third task, gives up at the one after, and is gold at the others."""

    gold: EvaluatedAgent
    name: str = "breaking"
    begun: int = 0

    def solve(self, session: Session[Any]) -> None:
        self.begun += 1
        if self.begun % 3 == 1:
            session.call("noSuchTool", {})
            raise RuntimeError("no more")
        if self.begun % 3 == 0:
            self.gold.solve(session)


def test_an_agent_that_breaks_is_counted_and_the_run_goes_on(
    released: Released, tmp_path: Path
) -> None:
    package = read_level(released)
    rows = run(package, _Breaking(make_scripted_agent("gold", package)), tmp_path)

    assert Counter(row.stop for row in rows) == {
        Stop.FAILED: 40,
        Stop.GAVE_UP: 40,
        Stop.ANSWER: 40,
    }
    assert {row.says for row in rows if row.stop == Stop.FAILED} == {"RuntimeError: no more"}
    assert sum(row.grade.is_right for row in rows) == 40
    assert sum(row.grade.unknown for row in rows) == 40


def test_an_attempt_that_is_over_is_not_made_again(released: Released, tmp_path: Path) -> None:
    package = read_level(released)
    counting = _Breaking(make_scripted_agent("gold", package))
    few = choose_tasks(package, 30, SEED)
    asked = ask_for(package, few, counting.name, SEED)
    run_agent(package, counting, asked, RunFolder(tmp_path))
    assert counting.begun == 30

    rows = run(package, counting, tmp_path)
    assert counting.begun == 120
    assert [row.asked.task for row in rows] == list(package.shown.tasks)
    run(package, counting, tmp_path)
    assert counting.begun == 120


def test_more_tasks_are_the_same_ones_and_further_ones(released: Released) -> None:
    package = read_level(released)
    few, more = (choose_tasks(package, count, SEED) for count in (10, 30))

    assert len(few) == 10
    assert set(few) < set(more) < set(choose_tasks(package, 0, SEED))
    assert set(few) != set(choose_tasks(package, 10, SEED + 1))
    assert choose_tasks(package, 500, SEED) == list(package.shown.tasks)


def test_divergences_are_counted(released: Released, tmp_path: Path) -> None:
    package = read_level(released)
    found = list_divergences(run(package, "silent", tmp_path))

    without = sum(not task.calls for task in package.graded.tasks)
    assert found == {
        Divergence.EARLY_STOP: 120 - without,
        Divergence.WRONG_ANSWER: without,
    }


@pytest.mark.parametrize("name", ["glod", "one-mistake:mutant nothing"])
def test_an_agent_that_is_not_known_is_named(released: Released, name: str) -> None:
    with pytest.raises(MaterialError) as caught:
        make_scripted_agent(name, read_level(released))
    assert caught.value.faults[0].code == "agent-unknown"


def test_each_agent_that_there_is_is_listed_once(released: Released) -> None:
    with pytest.raises(MaterialError) as caught:
        make_scripted_agent("glod", read_level(released))

    known = caught.value.faults[0].hint.removeprefix("choose one of ").partition(";")[0].split(", ")
    assert {"gold", "obeying", "never-refuses"} < set(known)
    assert len(known) == len(set(known))
