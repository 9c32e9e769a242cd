"""A level with dials from the brief to its package, which is served, evaluated, and runs alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from sopforge.evaluation.serving.served import read_served
from sopforge.harness.environment.session import open_session
from sopforge.harness.layers.measuring.report import find_faults
from tests.conftest import Released
from tests.running.commands import Ran, run
from tests.worlds.packages import change
from tests.worlds.releases import DOSES, publish_with_dials
from tests.worlds.shared_builds import Shared


@pytest.fixture(scope="module")
def package(shared: Shared) -> Path:
    """Return the package of the level; nobody changes it."""
    return publish_with_dials(shared)


@pytest.fixture(scope="module")
def profile(package: Path) -> dict[str, Any]:
    """Return what the level's profile says of how hard it is."""
    found = json.loads((package / "grader" / "profile.json").read_text("utf-8"))
    return dict(found["difficulty"])


def evaluate(*arguments: str | int | Path) -> Ran:
    return run("evaluate", *map(str, arguments))


def test_the_report_says_what_the_level_asks_for(profile: dict[str, Any]) -> None:
    assert profile["dials"] == DOSES
    assert profile["cases"] == 4 * profile["tasks"]
    assert profile["reference"] == 1
    assert profile["hanging"] >= 0.5
    assert list(find_faults(profile)) == []
    one = profile["one_mistake"]
    assert one["session"]["median"] < one["case"]["median"] < 1
    survival = profile["survival"]["0.01"]
    assert survival["case"] == pytest.approx(0.99 ** profile["decisions"], abs=0.01)
    assert survival["session"] == pytest.approx(0.99 ** (4 * profile["decisions"]), abs=0.01)


def test_the_card_shows_who_falls_on_which_dial(package: Path, profile: dict[str, Any]) -> None:
    card = (package / "README.md").read_text("utf-8")

    assert "refusals 3, queue 4, faults 2" in card
    for name in profile["matrix"]["queue"]:
        assert name in card


def test_agents_see_the_rules_and_nothing_that_is_right(package: Path) -> None:
    sop = (package / "layers" / "sop.txt").read_text("utf-8")
    tools = (package / "layers" / "toolspecs.json").read_text("utf-8")
    judges = (package / "grader" / "judges.jsonl").read_text("utf-8")

    assert "Several cases in one session" in sop
    assert "fileCase" in tools
    assert "handlings" in judges
    assert not list((package / "layers").glob("*judge*"))
    assert '"handlings"' not in (package / "layers" / "layers.jsonl").read_text("utf-8")


def test_agents_are_evaluated_with_the_dials_of_the_package(package: Path, tmp_path: Path) -> None:
    agents = ("--agent", "gold", "--agent", "never-retries", "--agent", "silent")
    done = evaluate(package, *agents, "--tasks", 4, "--out", tmp_path / "run", "--json")

    assert done.code == 0, done.err
    rows = [json.loads(line) for line in (tmp_path / "run" / "rows.jsonl").read_text().splitlines()]
    right = {
        name: [row["cases"] for row in rows if row["agent"] == name]
        for name in ("gold", "never-retries", "silent")
    }
    assert right["gold"] == [[True] * 4] * 4
    assert right["silent"] == [[False] * 4] * 4
    assert 0 < sum(case for cases in right["never-retries"] for case in cases) < 16


def test_it_is_served_with_its_dials(package: Path) -> None:
    served = read_served(package)

    assert "fileCase" in {tool.name for tool in served.shown.tools}
    with served.open_environment() as environment:
        session = open_session(environment, next(iter(served.shown.tasks)))
        assert "Several cases in one session" in session.observation.sop
        reply = session.call("fileCase", {"statement": "nothing"})
    assert isinstance(reply.result, dict)
    assert reply.result["cases_left"] == 3


def test_a_package_whose_layers_answer_otherwise_is_found(package: Path, tmp_path: Path) -> None:
    spoiled = shutil.copytree(package, tmp_path / package.name)
    change(spoiled, "layers.py", '"cases_left"', '"cases_left_over"')

    done = run("check", str(spoiled))

    assert done.code == 1
    assert "file-not-derived" in done.out + done.err


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["--dial", "ques=3"], "dial-unknown: --dial: there is no dial 'ques'"),
        (["--dial", "queue"], "dose-not-allowed"),
        (["--dial", "queue=65"], "dose-not-allowed"),
        (["--dial", "queue=-1"], "dose-not-allowed"),
        (["--dial", "queue=2", "--user", "one-message"], "user-needs-plain-tasks"),
    ],
)
def test_what_cannot_be_asked_for_is_named_and_nothing_is_written(
    released: Released, tmp_path: Path, given: list[str], says: str
) -> None:
    package = released.published.packages["L0"]
    done = evaluate(package, "--agent", "gold", *given, "--out", tmp_path / "run")

    assert done.code == 2
    assert says in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "run" / "rows.jsonl").exists()


def test_dials_are_put_around_a_published_package(released: Released, tmp_path: Path) -> None:
    package = released.published.packages["L0"]
    agents = ("--agent", "gold", "--agent", "trusts-any-value")
    done = evaluate(
        package, *agents, "--dial", "faults=3", "--tasks", 12, "--out", tmp_path / "run"
    )

    assert done.code == 0, done.err
    rows = [json.loads(line) for line in (tmp_path / "run" / "rows.jsonl").read_text().splitlines()]
    assert all(row["is_right"] for row in rows if row["agent"] == "gold")
    assert not all(row["is_right"] for row in rows if row["agent"] == "trusts-any-value")
