"""What ``sopforge experiment`` builds, runs, prints and leaves."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from sopforge.evaluation.packages.proved import read_proved
from sopforge.evaluation.runs.running import choose_tasks
from sopforge.language.domain.tasks import Task
from tests.conftest import Released
from tests.running.commands import Ran, run
from tests.servers.model_server import Act, Seen, model_server
from tests.unit.cli.test_json import SHOWN, assert_shaped
from tests.worlds.conditions import with_packages
from tests.worlds.model_players import Play, Text, make_player, play_gold
from tests.worlds.providers import set_keys
from tests.worlds.releases import refund_release
from tests.worlds.shared_builds import Shared

MISTAKE = "one-mistake:mutant rule pharmacy_check.F2 4"


@pytest.fixture(scope="session")
def refund(shared: Shared) -> Path:
    """Return the plain package of the refunds."""
    return refund_release(shared) / "refund"


def experiment(*arguments: str | int | Path) -> Ran:
    """Return how the command ended, and what it printed."""
    return run("experiment", *map(str, arguments))


def read_record(out: Path) -> dict[str, Any]:
    """Return what an experiment leaves."""
    found: dict[str, Any] = json.loads((out / "experiment.json").read_text())
    return found


def rows(out: Path) -> list[dict[str, Any]]:
    """Return the rows of an experiment."""
    return [json.loads(line) for line in (out / "rows.jsonl").read_text().splitlines()]


def test_agents_that_need_no_model_do_as_well_with_further_tools(
    released: Released, shared: Shared, tmp_path: Path
) -> None:
    agents = [word for name in ("gold", "random-tool", MISTAKE) for word in ("--agent", name)]
    package = Path(released.published.packages["L0"])
    with_packages(shared, package, tmp_path, "tools", "0,6")
    few = ("--tasks", 60, "--seed", 3)
    done = experiment(package, "tools", "--doses", "0,6", *agents, *few, "--out", tmp_path)

    assert done.code == 0, done.err
    lines = [line.split() for line in done.out.splitlines() if line.startswith("general_tools-")]
    assert [line[0] for line in lines] == ["general_tools-0"] * 3 + ["general_tools-6"] * 3
    found = {(item["condition"], item["agent"]): item for item in read_record(tmp_path)["results"]}
    for name in ("general_tools-0", "general_tools-6"):
        assert found[name, "gold"]["tsr"]["share"] == 1.0
        assert found[name, "random-tool"]["tsr"]["share"] < 0.1
        assert 0.8 < found[name, MISTAKE]["tsr"]["share"] < 1
        assert {found[name, agent]["tasks"] for agent in ("gold", MISTAKE)} == {60}
    # Somebody with one mistake is wrong at the same tasks, whatever tools lie beside.
    wrong = {
        condition: {
            row["task"]
            for row in rows(tmp_path)
            if (row["package"], row["agent"]) == (condition, MISTAKE) and not row["is_right"]
        }
        for condition in ("general_tools-0", "general_tools-6")
    }
    assert wrong["general_tools-0"] == wrong["general_tools-6"] != set()
    pairs = found["general_tools-6", MISTAKE]["pairs"]
    assert (pairs["first"], pairs["second"], pairs["p_value"]) == (0, 0, 1.0)
    assert pairs["neither"] == len(wrong["general_tools-0"])
    tools = [item["tools"] for item in read_record(tmp_path)["conditions"]]
    assert tools == [6, 12]


def test_levels_of_a_release_are_those_that_were_published(
    released: Released, tmp_path: Path
) -> None:
    package = released.published.packages["L0"]
    done = experiment(package, "levels", "--agent", "gold", "--tasks", 20, "--out", tmp_path)

    assert done.code == 0, done.err
    record = read_record(tmp_path)
    digests = [item["digest"] for item in record["conditions"]]
    places = [Path(released.published.packages[level]) for level in ("L0", "L1", "L2", "L3")]
    assert digests == [read_proved(place).digest for place in places]
    assert [item["pairs"] and item["pairs"]["tasks"] for item in record["results"]] == [
        None, 20, 20, 20,
    ]  # fmt: skip


def test_a_factorial_has_cells_and_effects_and_goes_on_where_it_was(
    refund: Path, shared: Shared, tmp_path: Path
) -> None:
    with_packages(shared, refund, tmp_path, "factorial", "0,4", "0,1")
    asked: tuple[str | Path, ...] = (refund, "factorial", "--doses", "0,4", "--branches", "0,1")
    options: tuple[str | Path, ...] = ("--agent", "gold", "--agent", "constant", "--out", tmp_path)
    first = experiment(*asked, *options)

    assert first.code == 0, first.err
    assert first.out.count("effect on the TSR of") == 2
    assert "that effect is unpaired" in first.out
    record = read_record(tmp_path)
    gold, constant = record["effects"]
    assert {part["estimate"] for part in (gold["length"], gold["branching"])} == {0.0}
    shares = [item["tsr"]["share"] for item in record["results"] if item["agent"] == "constant"]
    assert constant["length"]["estimate"] == 0 == constant["interaction"]["estimate"]
    assert constant["branching"]["estimate"] == pytest.approx(shares[2] - shares[0])
    against = [item["against"] for item in record["results"] if item["agent"] == "gold"]
    assert against == [None, "length-0-branches-0", None, "length-0-branches-1"]

    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    before = {path: path.read_bytes() for path in files if path.name != "run.lock"}
    again = experiment(*asked, *options)
    assert (again.code, again.out) == (0, first.out)
    as_json = json.loads(experiment(*asked, *options, "--json").out)
    assert_shaped(as_json, SHOWN["experiment"])
    assert as_json == {"out": str(tmp_path), **record}
    assert {path: path.read_bytes() for path in before} == before


def test_a_model_that_further_tools_confuse_is_found_out(
    released: Released, shared: Shared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Path(released.published.packages["L0"])
    with_packages(shared, place, tmp_path, "tools", "0,6")
    package = read_proved(place)
    chosen = choose_tasks(package, 6, 0)
    confused = set(chosen[:4])

    def play(task: Task) -> Play:
        """Return the turns of one who gives up at once at four of the six tasks."""
        return [Text("I do not know.")] if task.id in confused else play_gold(task)

    calm, torn = (make_player(package.graded.tasks, one) for one in (play_gold, play))

    def answer(seen: Seen) -> Act:
        return (calm if len(seen.body["tools"]) <= 6 else torn)(seen)

    with model_server() as server:
        set_keys(monkeypatch)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        server.answer = answer
        asked = ("--agent", "function-calling", "--model", "anthropic/claude-test-1")
        done = experiment(
            released.published.packages["L0"], "tools", "--doses", "0,6", *asked,
            "--tasks", 6, "--out", tmp_path,
        )  # fmt: skip

    assert done.code == 0, done.err
    plain, bloated = read_record(tmp_path)["results"]
    assert (plain["tsr"]["share"], bloated["tsr"]["share"]) == (1.0, pytest.approx(2 / 6))
    # Four pairs, all lost: twice a half to the fourth.
    assert bloated["pairs"]["difference"] == pytest.approx(-4 / 6)
    assert bloated["pairs"]["p_value"] == pytest.approx(0.125)
    calls = {task.id: len(task.calls) for task in package.graded.tasks}
    assert plain["turns"] == pytest.approx(sum(calls[task] + 1 for task in chosen) / 6)
    left = sum(calls[task] + 1 for task in set(chosen) - confused) + 4
    assert bloated["turns"] == pytest.approx(left / 6)
    assert "-0.667" in done.out
    assert "tokens read" in done.out


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (["tols"], "design-unknown: DESIGN: there is no design 'tols'"),
        (["doses:more"], "'more' is not a complexity operator"),
        (["tools", "--doses", "0,many"], "counts-malformed: --doses: 'many'"),
        (["tools", "--doses", "0,65"], "'65' is not a whole number from 0 to 64"),
        (["tools", "--agent", "glod"], "agent-unknown: --agent: there is no agent 'glod'"),
        (["tools", "--model", "anthropic/x"], "model-not-asked"),
    ],
)
def test_bad_input_is_named_and_nothing_is_written(
    refund: Path, tmp_path: Path, wrong: list[str], says: str
) -> None:
    done = experiment(refund, *wrong, "--agent", "gold", "--out", tmp_path / "out")

    assert done.code == 2
    assert says in done.err.replace("\n", " ")
    assert not (tmp_path / "out").exists()


def test_only_a_whole_plain_package_is_taken(refund: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    shutil.copytree(refund, bare)
    shutil.rmtree(bare / "grader")
    for package, code in (
        (refund.with_name("refund_l1"), "source-not-plain"),
        (bare, "source-incomplete"),
        (refund.parent, "package-not-found"),
    ):
        done = experiment(package, "tools", "--agent", "gold", "--out", tmp_path / "out")
        assert done.code == 2
        assert done.err.startswith(f"{code}:"), done.err
    assert not (tmp_path / "out").exists()


def test_another_experiment_is_not_mixed_into_a_folder(refund: Path, tmp_path: Path) -> None:
    options: tuple[str | Path, ...] = ("--agent", "silent", "--out", tmp_path)
    assert experiment(refund, "tools", "--doses", "0,1", *options).code == 0
    before = (tmp_path / "experiment.json").read_bytes()
    done = experiment(refund, "tools", "--doses", "0,2", *options)

    assert done.code == 2
    assert "experiment-differs" in done.err
    assert (tmp_path / "experiment.json").read_bytes() == before
    more = experiment(refund, "tools", "--doses", "0,1", "--agent", "gold", *options)
    assert more.code == 0
    assert len(rows(tmp_path)) == 4 * 12


def test_a_condition_that_nothing_was_put_into_is_said_to_be_the_same(
    refund: Path, tmp_path: Path
) -> None:
    done = experiment(
        refund, "doses:partial_tools", "--doses", "0,32,64", "--agent", "gold", "--out", tmp_path
    )

    assert done.code == 0, done.err
    assert "partial_tools-64 is the same package as partial_tools-32" in done.out
    # Three conditions, two packages: what was attempted is not attempted again.
    assert len(rows(tmp_path)) == 2 * 12
    assert [item["tasks"] for item in read_record(tmp_path)["results"]] == [12] * 3


def test_epochs_are_paired_and_the_packages_are_found_by_a_report(
    refund: Path, tmp_path: Path
) -> None:
    done = experiment(
        refund, "tools", "--doses", "0,1", "--agent", "gold", "--epochs", 2, "--out", tmp_path
    )

    assert done.code == 0, done.err
    assert "is too small" in done.out
    plain, dosed = read_record(tmp_path)["results"]
    assert (plain["tasks"], plain["attempts"], dosed["pairs"]["tasks"]) == (12, 24, 24)
    page = tmp_path / "report.html"
    assert run("report", str(tmp_path), "--out", str(page)).code == 0
    text = page.read_text()
    assert "general_tools-0" in text
    assert "general_tools-1" in text
