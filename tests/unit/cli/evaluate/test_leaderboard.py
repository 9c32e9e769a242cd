"""What an agent can be trusted with, on the page of a report and on the leaderboard."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sopforge.cli.app import app
from sopforge.evaluation.figures.series import list_series
from sopforge.evaluation.reporting.trust import CaseKind, ClaimVerdict, build_trust
from sopforge.evaluation.runs.comparing import read_runs
from sopforge.evaluation.runs.metrics import Rate, compute_wilson_interval
from sopforge.evaluation.understanding.packages import examine_explainable
from tests.unit.cli.test_json import SHOWN, assert_shaped
from tests.worlds.releases import fees_release
from tests.worlds.shared_builds import Shared

MISTAKE = "one-mistake:mutant fee, F1 dropped"


@pytest.fixture
def runs(shared: Shared) -> Path:
    """Return a folder with a run of two agents in it."""

    def make(folder: Path) -> None:
        package = str(fees_release(shared) / "fees")
        agents = ("--agent", "gold", "--agent", MISTAKE)
        assert run("evaluate", package, *agents, "--out", str(folder / "first")).exit_code == 0

    return shared.get_folder("fees-runs", make)[0]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.mark.parametrize(
    ("right", "of", "verdict"),
    [
        (35, 35, ClaimVerdict.LEAVE),
        (20, 20, ClaimVerdict.CHECK),
        (90, 100, ClaimVerdict.CHECK),
        (79, 100, ClaimVerdict.KEEP),
        (0, 3, ClaimVerdict.KEEP),
    ],
)
def test_a_verdict_follows_from_the_interval_and_the_share(
    right: int, of: int, verdict: ClaimVerdict
) -> None:
    """Of 35 of 35 Wilson's interval begins at .90, of 20 of 20 at .84."""
    rate = Rate(right / of, *compute_wilson_interval(right / of, of), of)

    assert CaseKind("it says so", rate).verdict is verdict


def test_the_page_says_what_to_leave_why_and_by_which_cases(runs: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run("report", str(runs / "first"), "--out", str(page), "--json")

    assert done.exit_code == 0, done.output
    value = json.loads(done.stdout)
    assert_shaped(value, SHOWN["report"])
    gold, other = value["trust"]
    assert (gold["misreadings"], gold["share"]) == ([], 1.0)
    assert all(item["right"] == item["of"] for item in gold["mastery"])
    # Returns that are charged are wrong where the fee is above its highest amount.
    charged = {item["cases"]: item for item in other["kinds"]}
    assert charged["it says lateness: in time"]["share"] == 1
    assert charged["it says lateness: charged"]["share"] < 1
    (misread,) = [item for item in other["misreadings"] if item["is_stated"]]
    assert misread["clause"] == "12.50 EUR if the delay is more than 10 days."
    assert misread["acts"]
    text = page.read_text("utf-8")
    assert f"What can be left to <bdi>{MISTAKE}</bdi>?" in text
    assert "It misreads a rule." in text
    proved = misread["explained"][0]
    assert f"<code>{proved}</code></a>" in text
    assert "<script" not in text


def test_the_verdict_is_on_all_cases_and_kinds_are_judged_beside(runs: Path) -> None:
    """A kind with few cases does not take from an agent what all its cases show."""
    found = examine_explainable(
        list_series(read_runs(str(runs / "first"))), [runs / "first"], [], ""
    )
    gold = next(build_trust(examiner, known, "gold") for examiner, known in found)
    few, many = (Rate(1.0, *compute_wilson_interval(1.0, of), of) for of in (20, 120))
    bad, fair = (Rate(x / 100, *compute_wilson_interval(x / 100, 100), 100) for x in (26, 81))
    kinds = [CaseKind("it says so", few), CaseKind("it says no", many)]

    verdicts = [replace(gold, whole=x, kinds=kinds).verdict for x in (many, bad, fair)]

    assert verdicts == [ClaimVerdict.LEAVE, ClaimVerdict.KEEP, ClaimVerdict.CHECK]


def test_a_run_with_dials_stands_in_a_report_beside_others(
    runs: Path, shared: Shared, tmp_path: Path
) -> None:
    package, layered = str(fees_release(shared) / "fees"), tmp_path / "layered"
    run("evaluate", package, "--agent", "gold", "--dial", "queue=2", "--out", str(layered))

    both = run("report", str(runs / "first"), str(layered), "--out", str(tmp_path / "a"), "--json")
    alone = run("report", str(layered), "--out", str(tmp_path / "b"), "--json")

    assert (both.exit_code, alone.exit_code) == (0, 0)
    assert [len(json.loads(done.stdout)["trust"]) for done in (both, alone)] == [2, 0]
    assert [len(json.loads(done.stdout)["series"]) for done in (both, alone)] == [3, 1]


def test_figures_alone_are_reported_where_that_is_asked_for(runs: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run("report", str(runs / "first"), "--out", str(page), "--figures-only")

    assert "What can be left to" not in page.read_text("utf-8")


def test_a_site_has_a_line_for_each_agent_and_a_page_for_each_domain(
    runs: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    (runs / "torn").mkdir(exist_ok=True)
    (runs / "torn" / "rows.jsonl").write_text("")
    # A store beside the runs has rows of tasks, which are none of a run.
    stored = runs / "generated" / "fees" / "dataset" / "rows.jsonl"
    stored.parent.mkdir(parents=True, exist_ok=True)
    stored.write_text('{"id": "task-1"}\n')
    (runs / "generated" / "store.json").write_text("{}")

    done = run("report", "--site", str(runs), "--out", str(site), "--json")

    assert done.exit_code == 0, done.output
    value = json.loads(done.stdout)
    assert_shaped(value, SHOWN["leaderboard"])
    assert value["pages"] == ["index.html", "domain-1.html"]
    assert list(value["passed"]) == [str(runs / "torn")]
    index = (site / "index.html").read_text("utf-8")
    index = index[index.index("<table") :]
    assert index.index("<bdi>gold</bdi>") < index.index(f"<bdi>{MISTAKE}</bdi>")
    assert 'href="domain-1.html"' in index
    assert "What can be left to" in (site / "domain-1.html").read_text("utf-8")
    # Again: it replaces what it wrote before.
    assert run("report", "--site", str(runs), "--out", str(site)).exit_code == 0


@pytest.mark.parametrize("name", ["notes.txt", "domain-2.html", "kept/run.html"])
def test_a_site_with_a_file_of_others_stays_as_it_is(runs: Path, tmp_path: Path, name: str) -> None:
    site = tmp_path / "site"
    assert run("report", "--site", str(runs), "--out", str(site)).exit_code == 0
    (site / name).parent.mkdir(exist_ok=True)
    (site / name).write_text("mine")
    before = (site / "index.html").stat().st_mtime_ns

    refused = run("report", "--site", str(runs), "--out", str(site))

    assert f"other files: {name.partition('/')[0]}" in str(refused.exception)
    assert (site / name).read_text() == "mine"
    assert (site / "index.html").stat().st_mtime_ns == before


def test_nothing_of_others_is_replaced_and_no_run_is_no_site(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")

    taken = run("report", "--site", str(runs), "--out", str(tmp_path))
    none = run("report", "--site", str(tmp_path), "--out", str(tmp_path / "site"))

    assert "the folder contains other files" in str(taken.exception)
    assert "there is no run below" in str(none.exception)
    assert (tmp_path / "index.html").read_text() == "mine"
    assert not (tmp_path / "site").exists()
