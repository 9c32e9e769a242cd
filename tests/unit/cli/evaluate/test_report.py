"""What ``sopforge report`` writes and says."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import Released
from tests.running.commands import Ran, run
from tests.worlds.foreign import MAPPING, write_parcels

MISTAKE = "one-mistake:mutant adult_age 17"


@pytest.fixture(scope="module")
def package(released: Released, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the plain package that tests may move and change."""
    folder = tmp_path_factory.mktemp("packages") / "patient_intake"
    shutil.copytree(released.published.packages["L0"], folder)
    return folder


@pytest.fixture(scope="module")
def runs(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run with three agents, of two epochs on all tasks."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    agents = ("--agent", "gold", "--agent", MISTAKE, "--agent", "constant")
    done = run("evaluate", str(package), *agents, "--epochs", "2", "--out", str(folder))
    assert done.code == 0, done.err
    assert done.out.count("pass^2") == 3
    assert "Use --epochs 4 or more for a better estimate." in done.out
    return folder


def report(*arguments: str | Path) -> Ran:
    """Return how the command ended, and what it printed."""
    return run("report", *map(str, arguments))


def test_a_page_and_a_table_are_written(runs: Path, tmp_path: Path) -> None:
    page, table = tmp_path / "new" / "page.html", tmp_path / "table.csv"
    done = report(runs, "--out", page, "--csv", table)

    assert done.code == 0
    assert f"The report of 720 attempts is in {page}." in done.out
    text = page.read_text()
    # One task is at that age: the agent goes on where it should refuse, in both epochs.
    assert text.count("refuse: user_registration by") >= 2
    assert "gold calls are not shown" not in text
    with table.open() as lines:
        found = {
            (line["agent"], line["group"], line["metric"]): line for line in csv.DictReader(lines)
        }
    assert float(found["gold", "all", "pass^2"]["value"]) == 1
    assert float(found[MISTAKE, "all", "tsr"]["value"]) == pytest.approx(119 / 120)
    assert int(found[MISTAKE, "all", "tsr"]["n"]) == 240
    place = next(key for key in found if key[0] == MISTAKE and key[1].startswith("at refuse"))
    assert place[2] == "failure wrong rule"


def test_programs_get_ranks_and_all_figures(runs: Path, tmp_path: Path) -> None:
    done = report(f"{runs}#gold", f"{runs}#constant", "--out", tmp_path / "x.html", "--json")
    found = json.loads(done.out)

    assert [(item["agent"], item["rank"]) for item in found["series"]] == [
        ("gold", 1),
        ("constant", 2),
    ]
    assert {item["agent"] for item in found["figures"]} == {"gold", "constant"}


def test_a_run_that_is_named_twice_counts_once(runs: Path, tmp_path: Path) -> None:
    done = report(runs, f"{runs}#gold", "--out", tmp_path / "x.html", "--json")

    gold = next(item for item in json.loads(done.out)["series"] if item["agent"] == "gold")
    assert (gold["tasks"], gold["attempts"]) == (120, 240)


def test_a_package_that_moved_is_said_to_be_lacking_and_can_be_named(
    runs: Path, package: Path, tmp_path: Path
) -> None:
    moved, page = package.with_name("moved"), tmp_path / "page.html"
    package.rename(moved)
    try:
        assert report(f"{runs}#constant", "--out", page).code == 0
        assert "the gold calls are not shown" in page.read_text()
        named = report(f"{runs}#constant", "--out", page, "--packages", moved)
        assert named.code == 0
        assert "the gold calls are not shown" not in page.read_text()
    finally:
        moved.rename(package)


def test_a_package_of_others_is_found_again_with_its_mapping(tmp_path: Path) -> None:
    package, mapping, page = write_parcels(tmp_path), tmp_path / "mapping.yaml", tmp_path / "p.html"
    mapping.write_text(MAPPING)
    run_folder = str(tmp_path / "run")
    options = ("--agent", "silent", "--mapping", str(mapping), "--out", run_folder)
    assert run("evaluate", str(package), *options).code == 0

    assert report(run_folder, "--out", page).code == 0
    shown = page.read_text()
    assert "the gold calls are not shown" not in shown
    assert "findParcel" in shown


def test_a_run_without_a_whole_row_has_no_report(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text('{"key": "to')
    for command in ("report", "compare"):
        done = run(command, str(tmp_path), *([str(tmp_path)] if command == "compare" else []))
        assert done.code == 2
        assert "rows.jsonl has no rows yet" in done.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["{other}"], "there is no rows.jsonl"),
        (["{runs}#glod"], "it has no agent 'glod'"),
        (["{runs}", "--packages", "{other}"], "is not a package"),
        (["{runs}", "--packages", "{hard}"], "the runs have no attempt at a task of the package"),
        (["{runs}", "--out", "{other}"], "it is a folder, but a file is expected here"),
    ],
)
def test_bad_input_is_named(
    runs: Path, released: Released, tmp_path: Path, arguments: list[str], says: str
) -> None:
    (tmp_path / "other").mkdir()
    places = {
        "runs": runs,
        "other": tmp_path / "other",
        "hard": released.published.packages["L3"],
    }
    given = [item.format(**places) for item in arguments]
    page = [] if "--out" in given else ["--out", str(tmp_path / "page.html")]
    done = report(*given, *page)

    assert done.code == 2
    assert says in " ".join(done.err.split())
    assert not (tmp_path / "page.html").exists()
