"""What is collected for a report: wrong attempts, their logs, and their gold calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.evaluation.figures.series import list_series
from sopforge.evaluation.figures.summaries import summarize
from sopforge.evaluation.packages.proved import read_proved
from sopforge.evaluation.reporting.gold import find_gold_tasks
from sopforge.evaluation.reporting.material import MOST_IN_ALL, collect_attempts
from sopforge.evaluation.runs.rows import RunFolder
from sopforge.harness.environment.events import Said
from sopforge.harness.grading.grades import Attempt, Stop
from tests.conftest import Released
from tests.worlds.attempt_rows import make_signed_rows


def test_each_agent_has_its_attempts_with_their_logs(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    for agent in ("a", "b"):
        for row in make_signed_rows("+--", agent=agent):
            folder.add(row, Attempt((Said(f"I am {agent}."),), None, Stop.GAVE_UP))
    summaries = [summarize(item) for item in list_series(folder.rows.values())]
    found = collect_attempts(summaries, [tmp_path], [], "generated", 1)

    assert {name: len(shown) for name, shown in found.items()} == {"a": 1, "b": 1}
    assert [pair.said for shown in found["b"] for pair in shown.pairs] == ["I am b."]


@pytest.mark.parametrize(("agents", "each"), [(1, 30), (10, 20), (300, 1)])
def test_many_agents_have_fewer_attempts_each(tmp_path: Path, agents: int, each: int) -> None:
    rows = [row for n in range(agents) for row in make_signed_rows("-" * 30, agent=f"a{n}")]
    summaries = [summarize(item) for item in list_series(rows)]
    found = collect_attempts(summaries, [tmp_path], [], "generated", 50)

    assert {len(shown) for shown in found.values()} == {each}
    assert agents > MOST_IN_ALL or agents * each <= MOST_IN_ALL


def test_a_noted_package_that_changed_is_passed_over(released: Released, tmp_path: Path) -> None:
    place = released.published.packages["L0"]
    digest = read_proved(Path(place)).digest
    folder = RunFolder(tmp_path)
    folder.note_package("of before", place, "generated")
    folder.note_package(digest, place, "generated")
    task = next(iter(read_proved(Path(place)).gold))
    wanted = {"of before": [task], digest: [task, "no such task"]}

    found = find_gold_tasks(wanted, [], [tmp_path], "generated")
    assert list(found) == [(digest, task)]
    assert not find_gold_tasks(wanted, [], [tmp_path / "else"], "generated")
