"""``sopforge compare`` of two files: questions, names that are written and read, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from sopforge.cli.app import app
from sopforge.errors import MaterialError
from tests.unit.cli.test_json import SHOWN, assert_shaped
from tests.worlds.readings import FIXTURES

FIRST, SECOND = str(FIXTURES / "by_dates.yaml"), str(FIXTURES / "by_days.yaml")
NAMES = str(FIXTURES / "names.yaml")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["compare", *arguments])


def changed(folder: Path, change: tuple[str, str] = ("delay >= 11 and", "delay >= 21 and")) -> str:
    """Return the second reading with a misreading in it, or with another change."""
    path = folder / "changed.yaml"
    text = Path(SECOND).read_text("utf-8")
    path.write_text(text.replace(*change), "utf-8")
    return str(path)


def test_readings_that_are_alike_exit_with_0() -> None:
    done = run(FIRST, SECOND, "--names", NAMES)

    assert done.exit_code == 0, done.output
    assert "proved alike" in done.stdout


def test_a_difference_is_asked_about_and_exits_with_1(tmp_path: Path) -> None:
    done = run(FIRST, changed(tmp_path), "--names", NAMES)

    assert done.exit_code == 1, done.output
    assert "1. What is right in this case?" in done.stdout
    assert "days of lateness are more than 10 and" in done.stdout
    assert "at least 21 days" in done.stdout
    assert "It is proved that there is no other difference." in done.stdout


def test_the_value_for_programs_is_of_the_documented_shape(tmp_path: Path) -> None:
    done = run(SECOND, changed(tmp_path, ("delay", "late_by")), "--json")

    assert done.exit_code == 1, done.output
    value = json.loads(done.stdout)
    assert_shaped(value, SHOWN["compare-readings"])
    assert {item["name"] for item in value["open"]} == {"late_by"}
    with_names = json.loads(run(FIRST, changed(tmp_path), "--names", NAMES, "--json").stdout)
    assert_shaped(with_names, SHOWN["compare-readings"])
    assert len(with_names["questions"]) == 1


def test_names_are_written_and_read_again(tmp_path: Path) -> None:
    written, renamed = tmp_path / "names.yaml", changed(tmp_path, ("delay", "late_by"))

    assert run(SECOND, renamed, "--write-names", str(written)).exit_code == 1
    text = written.read_text("utf-8")
    assert "# open: field late_by" in text
    written.write_text(text.replace("fields:\n", "fields:\n  late_by: delay\n"), "utf-8")
    assert run(SECOND, renamed, "--names", str(written)).exit_code == 0


def refused(*arguments: str) -> list[tuple[str, str]]:
    """Return the faults with which a comparison is refused, each with its place."""
    cause = run(*arguments).exception
    assert isinstance(cause, MaterialError)
    return [(fault.code, fault.where.rpartition("/")[2]) for fault in cause.faults]


def test_a_brief_and_a_run_are_refused(tmp_path: Path) -> None:
    folder = str(tmp_path)

    assert refused(FIRST, folder) == refused(folder, FIRST) == [("mixed-comparison", "")]
    assert refused(folder, folder, "--names", NAMES) == [("option-not-applicable", "--names")]


def test_files_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    none, broken = str(tmp_path / "none.yaml"), tmp_path / "broken.yaml"
    broken.write_text("fields: {delay: due_on}\n", "utf-8")

    assert refused(FIRST, none) == [("brief-not-found", "none.yaml")]
    assert refused(FIRST, SECOND, "--names", none) == [("names-not-found", "none.yaml")]
    assert refused(FIRST, SECOND, "--names", str(broken)) == [
        ("type-error", "broken.yaml:1, fields.delay")
    ]
