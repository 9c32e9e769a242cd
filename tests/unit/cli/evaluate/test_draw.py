"""``sopforge draw --count``: tasks without end, and ``compare`` of runs on two draws."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from sopforge.cli.app import app
from sopforge.errors import MaterialError
from sopforge.evaluation.draws.gaps import DrawGap, measure_gaps
from sopforge.evaluation.runs.rows import Row, RunFolder
from tests.unit.cli.test_json import SHOWN, assert_shaped
from tests.worlds.releases import fees_release
from tests.worlds.shared_builds import Shared

SHARED = ("sop.txt", "tools.py", "toolspecs.json", "openapi.yaml")


@pytest.fixture
def package(shared: Shared) -> Path:
    return fees_release(shared) / "fees"


@pytest.fixture
def drawn(shared: Shared, package: Path) -> Path:
    """Return a folder with 30 tasks: a package of the fees has 20."""

    def make(folder: Path) -> None:
        done = draw(package, folder, "--count", "30", "--seed", "5", "--json")
        assert done.exit_code == 0, done.output
        value = json.loads(done.stdout)
        assert_shaped(value, SHOWN["draw-tasks"])
        assert len(value["packages"]) == 2

    return shared.get_folder("fees-drawn", make)[0]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def draw(package: Path, out: Path, *options: str) -> Result:
    return run("draw", str(package), "--out", str(out), *options)


def read_lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "tasks.jsonl").read_text("utf-8").splitlines()]


def work_out(kind: str, days: int) -> dict[str, str]:
    """Return what becomes of a return, by the brief, by hand."""
    if days == 0:
        return {"lateness": "in time", "fee": "no fee due"}
    if days <= 3 and kind != "Film":
        return {"lateness": "tolerated", "fee": "no fee due"}
    fee = 12.50 if days > 10 else days * 1.25
    return {"lateness": "charged", "fee": f"{fee:.2f}"}


def test_lines_have_as_many_tasks_as_were_asked_for_each_with_its_answer(drawn: Path) -> None:
    lines = read_lines(drawn)

    assert len(lines) == 30
    days: dict[str, int] = {}
    for place in (drawn / "packages").iterdir():
        with (place / "records.csv").open(encoding="utf-8") as table:
            days |= {row["loan_id"]: int(row["days_late"]) for row in csv.DictReader(table)}
    for line in lines:
        given = line["inputs"]
        assert line["answer"] == work_out(given["kind"], days[given["loan_id"]])
        assert line["calls"] == [
            {
                "tool": "lookUpLoan",
                "arguments": {"loan_id": given["loan_id"]},
                "result": {"days_late": days[given["loan_id"]]},
            }
        ]
        assert (drawn / line["package"]).is_dir()
        assert given["loan_id"] in line["prompt"]


def test_no_task_comes_twice_and_none_is_one_of_the_package(package: Path, drawn: Path) -> None:
    tasks = [
        json.dumps(json.loads(line)["inputs"], sort_keys=True)
        for place in (package, *(drawn / "packages").iterdir())
        for line in (place / "tasks.jsonl").read_text("utf-8").splitlines()
    ]

    assert len(tasks) == 60
    assert len(set(tasks)) == 60


def test_sets_share_all_but_the_tasks_and_are_verified(package: Path, drawn: Path) -> None:
    place = drawn / "packages" / "fees_draw2"

    for name in SHARED:
        assert (place / name).read_bytes() == (package / name).read_bytes(), name
    done = run("verify", str(place), "--rebuild")
    assert done.exit_code == 0, done.output
    assert "every file is identical to the one that the brief produces" in done.stdout
    assert "## A private test set" in (place / "README.md").read_text("utf-8")


def test_more_tasks_begin_with_those_of_fewer(package: Path, drawn: Path, tmp_path: Path) -> None:
    assert draw(package, tmp_path, "--count", "3", "--seed", "5").exit_code == 0
    few = read_lines(tmp_path)
    # Without a seed, the draw that lies there goes on.
    assert draw(package, tmp_path, "--count", "30").exit_code == 0

    assert few == read_lines(drawn)[:3]
    assert read_lines(tmp_path) == read_lines(drawn)


def test_sets_that_are_there_are_not_drawn_again(
    package: Path, drawn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(drawn, copy)
    (copy / "tasks.jsonl").unlink()

    def refuse(*_given: object) -> None:
        raise AssertionError("a set was drawn again")

    monkeypatch.setattr("sopforge.evaluation.draws.sets._put_set", refuse)
    done = draw(package, copy, "--count", "20")

    assert done.exit_code == 0, done.output
    assert read_lines(copy) == read_lines(drawn)[:20]


def test_without_a_seed_each_draw_has_a_secret_one_that_is_in_no_package(
    package: Path, tmp_path: Path
) -> None:
    for name in ("one", "other"):
        draw(package, tmp_path / name, "--count", "1")

    assert read_lines(tmp_path / "one") != read_lines(tmp_path / "other")
    seed = str(json.loads((tmp_path / "one" / "draw.json").read_text("utf-8"))["seed"])
    files = [path for path in (tmp_path / "one" / "packages").rglob("*") if path.is_file()]
    assert files
    assert all(seed.encode() not in path.read_bytes() for path in files)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--count", "1", "--seed", "6"), "the folder contains a draw of another package"),
        (("--count", "1", "--level", "L1"), "the folder contains a draw of another package"),
        (("--count", "1", "--level", "L9"), "'L9' is not a level"),
        (("--count", "1", "--of", "1.0.0"), "--of does not apply with --count"),
        (("--level", "L1"), "--out and --level do not apply without --count"),
    ],
)
def test_what_does_not_go_together_is_refused(
    package: Path, drawn: Path, options: tuple[str, ...], message: str
) -> None:
    with pytest.raises(MaterialError, match=message):
        CliRunner().invoke(
            app, ["draw", str(package), "--out", str(drawn), *options], catch_exceptions=False
        )


@pytest.fixture
def sides(package: Path, drawn: Path, tmp_path: Path) -> tuple[list[Row], list[Row]]:
    """Return the attempts of the reference at the package, and at both sets of the draw."""
    sets = [str(drawn / "packages" / name) for name in ("fees_draw1", "fees_draw2")]
    for name, places in (("public", [str(package)]), ("private", sets)):
        done = run("evaluate", *places, "--agent", "gold", "--out", str(tmp_path / name))
        assert done.exit_code == 0, done.output
    public, private = (
        list(RunFolder(tmp_path / name, is_read=True).rows.values())
        for name in ("public", "private")
    )
    return public, private


def measure(
    sides: tuple[list[Row], list[Row]], folder: Path, is_right: Callable[[int], bool]
) -> DrawGap:
    """Return the gap of an agent that has some of the private tasks right, by their numbers."""
    private = [
        replace(row, grade=replace(row.grade, is_right=is_right(number)))
        for number, row in enumerate(sides[1])
    ]
    runs = [folder / "public", folder / "private"]
    (found,) = measure_gaps(sides[0], private, runs, [], "generated")
    return found


def test_who_remembers_does_better_on_published_tasks(
    sides: tuple[list[Row], list[Row]], tmp_path: Path
) -> None:
    found = measure(sides, tmp_path, lambda number: number % 2 == 0)

    assert (found.first.share, found.second.share, found.second.of) == (1, 0.5, 40)
    assert found.difference == -0.5
    assert found.interval[0] < -0.5 < found.interval[1] < 0
    assert found.is_beyond_chance
    assert found.floor is None


def test_one_more_error_is_no_gap(sides: tuple[list[Row], list[Row]], tmp_path: Path) -> None:
    found = measure(sides, tmp_path, lambda number: number != 0)

    assert found.interval[0] < 0 < found.interval[1]
    assert not found.is_beyond_chance


def test_the_floor_of_two_runs_is_asked_for(
    sides: tuple[list[Row], list[Row]], tmp_path: Path
) -> None:
    gap = measure(sides, tmp_path, lambda number: number % 2 == 0)

    assert not replace(gap, floor=0.6).is_beyond_chance
    assert replace(gap, floor=0.4).is_beyond_chance


def test_runs_on_two_draws_are_compared(sides: tuple[list[Row], list[Row]], tmp_path: Path) -> None:
    assert len(sides[1]) == 40
    runs = [str(tmp_path / "public"), str(tmp_path / "private")]
    done = run("compare", *runs, "--json")

    assert done.exit_code == 0, done.output
    value = json.loads(done.stdout)
    assert_shaped(value, SHOWN["compare-draws"])
    (gap,) = value["draws"]
    assert (gap["difference"], gap["goals"], gap["is_beyond_chance"]) == (0, [0, 0], False)
    assert "no difference beyond chance" in run("compare", *runs).stdout


def test_runs_of_other_packages_are_not_compared(
    sides: tuple[list[Row], list[Row]], tmp_path: Path
) -> None:
    assert sides[0]
    packages = tmp_path / "private" / "packages.json"
    packages.write_text("{}", "utf-8")
    with pytest.raises(MaterialError, match="no agent worked on two draws"):
        CliRunner().invoke(
            app,
            ["compare", str(tmp_path / "public"), str(tmp_path / "private")],
            catch_exceptions=False,
        )
