"""``sopforge twin`` and ``diagnose --twins``: one rule changed, and whether agents follow it."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner, Result

from sopforge.cli.app import app
from sopforge.errors import MaterialError
from sopforge.evaluation.figures.series import list_series
from sopforge.evaluation.runs.rows import Row, RunFolder
from sopforge.evaluation.twins.following import Following, TwinVerdict, measure_following
from tests.unit.cli.test_json import SHOWN, assert_shaped
from tests.worlds.releases import fees_release, refund_release
from tests.worlds.shared_builds import Shared

SEEN = ("tools.py", "toolspecs.json", "openapi.yaml", "tasks.jsonl", "records.csv")


@pytest.fixture
def package(shared: Shared) -> Path:
    return fees_release(shared) / "fees"


@pytest.fixture
def twins(shared: Shared, package: Path) -> dict[str, Path]:
    def make(folder: Path) -> dict[str, Path]:
        done = run("twin", str(package), "--count", "4", "--out", str(folder), "--json")
        assert done.exit_code == 0, done.output
        value = json.loads(done.stdout)
        assert_shaped(value, SHOWN["twin"])
        return {item["name"]: Path(item["out"]) for item in value["twins"]}

    return shared.get_folder("fees-twins", make)[1]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def work_out(model: Mapping[str, Any], kind: str, days: int) -> tuple[str, str]:
    """Return what becomes of a return, by hand: the limits and what is compared may differ."""
    policy = {name: Decimal(str(item["value"])) for name, item in model["policy"].items()}
    rules = {rule["id"]: rule for rule in model["decisions"]["lateness"]["rules"]}
    is_strict = "<=" not in rules["L2"]["when"]
    in_grace = days < policy["grace_days"] if is_strict else days <= policy["grace_days"]
    holds = {"L1": days == 0, "L2": in_grace and kind != "Film", "L3": True}
    rule = next(rule for rule in rules.values() if holds[rule["id"]])
    lateness = rule.get("then", rule.get("otherwise"))
    fee = policy["most"] if days > 10 else days * policy["daily_fee"]
    return lateness, f"{fee:.2f}" if lateness == "charged" else "no fee due"


def read_answers(package: Path) -> dict[str, tuple[str, str]]:
    lines = (package / "grader" / "tasks.jsonl").read_text("utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return {
        item["task_id"]: (item["outcomes"]["lateness"], item["outcomes"].get("fee", "no fee due"))
        for item in found
    }


def test_twins_have_the_same_tasks_and_the_answers_of_their_own_rules(
    package: Path, twins: dict[str, Path]
) -> None:
    before = read_answers(package)
    with (package / "records.csv").open(encoding="utf-8") as table:
        days = {line["loan_id"]: int(line["days_late"]) for line in csv.DictReader(table)}

    assert len(twins) == 4
    for place in twins.values():
        answers = read_answers(place)
        for name in SEEN:
            assert (place / name).read_bytes() == (package / name).read_bytes(), name
        text = (place / "grader" / "domain.yaml").read_text("utf-8")
        model = yaml.safe_load(text)["model"]
        lines = (place / "tasks.jsonl").read_text("utf-8").splitlines()
        for task in map(json.loads, lines):
            given = task["inputs"]
            right = work_out(model, given["kind"], days[given["loan_id"]])
            assert answers[task["task_id"]] == right
        flips = [task for task in answers if answers[task] != before[task]]
        assert 0.1 * len(answers) <= len(flips) <= 0.3 * len(answers)
        assert (place / "sop.txt").read_text("utf-8") != (package / "sop.txt").read_text("utf-8")


def test_a_twin_is_verified_and_says_what_it_is(twins: dict[str, Path]) -> None:
    place = next(iter(twins.values()))
    done = run("verify", str(place), "--rebuild")

    assert done.exit_code == 0, done.output
    assert "every file is identical to the one that the brief produces" in done.stdout
    assert "## A twin" in (place / "README.md").read_text("utf-8")


def test_the_reference_follows_and_one_answer_for_all_does_not(
    package: Path, twins: dict[str, Path], tmp_path: Path
) -> None:
    agents = ("--agent", "gold", "--agent", "constant")
    places = [str(package), *map(str, twins.values())]
    run("evaluate", *places, *agents, "--out", str(tmp_path))

    done = run("diagnose", "--twins", str(tmp_path), "--json")

    assert done.exit_code == 0, done.output
    value = json.loads(done.stdout)
    assert_shaped(value, SHOWN["follow"])
    scores = {(item["agent"], item["score"]) for item in value["followed"]}
    assert scores == {("gold", 1.0), ("constant", 0.0)}
    assert "responsive" in run("diagnose", "--twins", str(tmp_path)).stdout


def test_reports_and_leaderboards_say_whether_agents_follow_a_change(
    package: Path, twins: dict[str, Path], tmp_path: Path
) -> None:
    agents = ("--agent", "gold", "--agent", "constant")
    name, place = next(iter(twins.items()))
    run("evaluate", str(package), str(place), *agents, "--out", str(tmp_path / "run"))

    page = tmp_path / "report.html"
    done = run("report", str(tmp_path / "run"), "--out", str(page), "--json")

    assert done.exit_code == 0, done.output
    value = json.loads(done.stdout)
    verdicts = {item["agent"]: item["verdict"] for item in value["followed"]}
    assert verdicts.keys() == {"gold", "constant"}
    assert verdicts["gold"] == "follows" != verdicts["constant"]
    # What can be left to an agent is said of the package, and not of the twin.
    assert [item["package"] for item in value["trust"]] == ["fees", "fees"]
    text = page.read_text("utf-8")
    assert "Does it follow a changed rule?" in text
    assert "Follows the changed rule" in text
    done = run("report", "--site", str(tmp_path / "run"), "--out", str(tmp_path / "site"), "--json")
    assert done.exit_code == 0, done.output
    index = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert name not in index
    assert "Does it follow" in (tmp_path / "site" / "domain-1.html").read_text("utf-8")


@pytest.fixture
def rows(package: Path, twins: dict[str, Path], tmp_path: Path) -> tuple[list[Row], list[Row]]:
    """Return the attempts of the reference at a package, and at one of its twins."""
    place = next(iter(twins.values()))
    run("evaluate", str(package), str(place), "--agent", "gold", "--out", str(tmp_path / "run"))
    found = list(RunFolder(tmp_path / "run", is_read=True).rows.values())
    digest = found[0].asked.digest
    return (
        [row for row in found if row.asked.digest == digest],
        [row for row in found if row.asked.digest != digest],
    )


def follow(
    rows: tuple[list[Row], list[Row]],
    package: Path,
    twins: dict[str, Path],
    state: Callable[[Mapping[str, str], Mapping[str, str]], Mapping[str, str]],
) -> Following:
    """Return how an agent follows that states at the twin what ``state`` makes of the answers.

    They are those of the package and of the twin.
    """
    before = {row.asked.task: row.grade.stated for row in rows[0]}
    after = [
        replace(
            row, grade=replace(row.grade, stated=state(before[row.asked.task], row.grade.stated))
        )
        for row in rows[1]
    ]
    named = [str(package), str(next(iter(twins.values())))]
    (found,) = measure_following(list_series([*rows[0], *after]), [], named, "generated")
    return found


def test_who_remembers_is_steady_and_not_responsive(
    rows: tuple[list[Row], list[Row]], package: Path, twins: dict[str, Path]
) -> None:
    found = follow(rows, package, twins, lambda before, _: before)

    assert (found.responsive.share, found.steady.share, found.score) == (0, 1, 0)
    assert found.verdict is TwinVerdict.REMEMBERS
    assert found.responsive.of + found.steady.of == len(rows[0])
    assert len(found.late) == found.responsive.of
    assert found.moved == ()


def test_who_changes_everything_is_not_steady(
    rows: tuple[list[Row], list[Row]], package: Path, twins: dict[str, Path]
) -> None:
    labels = {"in time": "tolerated", "tolerated": "charged", "charged": "in time"}
    found = follow(
        rows, package, twins, lambda before, _: {**before, "lateness": labels[before["lateness"]]}
    )

    assert found.steady.share == 0
    assert found.verdict is TwinVerdict.UNSTEADY
    assert len(found.moved) == found.steady.of


def test_who_answers_changed_cases_with_something_else_does_not_remember(
    rows: tuple[list[Row], list[Row]], package: Path, twins: dict[str, Path]
) -> None:
    found = follow(
        rows, package, twins, lambda before, after: after if before == after else {"fee": "0.01"}
    )

    assert (found.responsive.share, found.steady.share) == (0, 1)
    assert found.verdict is TwinVerdict.OTHERWISE


def test_a_twin_alone_gets_no_verdict_of_trust(twins: dict[str, Path], tmp_path: Path) -> None:
    place = next(iter(twins.values()))
    run("evaluate", str(place), "--agent", "gold", "--out", str(tmp_path / "run"))

    page = str(tmp_path / "report.html")
    done = run("report", str(tmp_path / "run"), "--out", page, "--json")

    assert done.exit_code == 0, done.output
    value = json.loads(done.stdout)
    assert (value["trust"], value["followed"]) == ([], [])


def test_who_says_nothing_follows_nothing(
    rows: tuple[list[Row], list[Row]], package: Path, twins: dict[str, Path]
) -> None:
    found = follow(rows, package, twins, lambda _before, _after: {})

    assert (found.responsive.share, found.steady.share) == (0, 0)


def test_twins_that_do_not_exist_are_not_promised(shared: Shared, tmp_path: Path) -> None:
    package = refund_release(shared) / "refund"

    done = CliRunner().invoke(app, ["twin", str(package), "--count", "20", "--out", str(tmp_path)])

    assert done.exit_code == 2
    assert re.search(r"[0-2] of 20 twins were made", done.stderr)


def test_a_run_without_a_twin_is_said_to_have_none(shared: Shared, tmp_path: Path) -> None:
    package = refund_release(shared) / "refund"
    run("evaluate", str(package), "--agent", "gold", "--out", str(tmp_path))
    with pytest.raises(MaterialError, match="none of the packages in the runs is a twin"):
        CliRunner().invoke(app, ["diagnose", "--twins", str(tmp_path)], catch_exceptions=False)
