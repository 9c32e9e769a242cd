"""Users as command lines ask for them, and what is wrong with such a line."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from sopforge.evaluation.figures.manners import count_lacking
from sopforge.evaluation.runs.rows import RunFolder
from tests.running.commands import run
from tests.worlds.foreign import write_parcels
from tests.worlds.releases import publish_counter
from tests.worlds.shared_builds import Shared

OURS = (files("sopforge.harness.users") / "words.yaml").read_text(encoding="utf-8")


@pytest.fixture
def place(shared: Shared) -> str:
    """Return the package of the small counter."""
    return str(publish_counter(shared))


def test_a_run_says_what_is_right_by_manner_and_where_a_manner_has_no_place(
    place: str, tmp_path: Path
) -> None:
    options = "--agent gold --agent believing --user one-message --manner claims"
    done = run("evaluate", place, *options.split(), "--out", str(tmp_path / "run"))

    assert done.code == 0, done.err
    rows = list(RunFolder(tmp_path / "run").rows.values())
    lacking = count_lacking(rows)["claims"]
    said = " ".join(done.out.split())
    assert 0 < lacking < 60
    assert f"gold: right by the user's manner: claims 1.000 of {60 - lacking}, plain" in said
    assert f"believing: right by the user's manner: claims 0.000 of {60 - lacking}, plain" in said
    assert f"{lacking} tasks do not allow a user who claims" in said


def test_a_run_for_programs_has_the_figures_by_manner(place: str, tmp_path: Path) -> None:
    options = "--agent gold --tasks 8 --user turn-by-turn --manner all --json"
    done = run("evaluate", place, *options.split(), "--out", str(tmp_path / "run"))
    plain = run(
        "evaluate", place, *["--agent", "gold", "--tasks", "8", "--json"], "--out", str(tmp_path)
    )

    (record,) = json.loads(done.out)["runs"]
    assert sum(rate["of"] for rate in record["manners"].values()) == 8
    assert {rate["share"] for rate in record["manners"].values()} == {1.0}
    assert json.loads(plain.out)["runs"][0]["manners"] is None
    settings = [row.asked.settings for row in RunFolder(tmp_path / "run").rows.values()]
    assert {json.loads(text)["user"]["mode"] for text in settings} == {"turn-by-turn"}


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ("--user loud", "user-manner-unknown"),
        ("--user one-message --manner shy", "user-manner-unknown"),
        ("--manner claims", "user-not-asked"),
        ("--user-words words.yaml", "user-not-asked"),
        ("--user one-message --user-words none.yaml", "user-words-unreadable"),
        ("--agent first-word", "agent-needs-user"),
    ],
)
def test_a_line_that_asks_for_nobody_is_refused_before_anything_is_written(
    place: str, tmp_path: Path, options: str, code: str
) -> None:
    agent = [] if "--agent" in options else ["--agent", "gold"]
    done = run("evaluate", place, *agent, *options.split(), "--out", str(tmp_path / "run"))

    assert done.code == 2
    assert f"{code}: " in done.err
    assert not (tmp_path / "run").exists()


def test_words_of_ones_own_are_said(place: str, tmp_path: Path) -> None:
    (tmp_path / "words.yaml").write_text(OURS.replace("I have a case for you.", "Good morning."))
    options = "--agent gold --user one-message --user-words"
    named = [*options.split(), str(tmp_path / "words.yaml"), "--out", str(tmp_path / "run")]

    done = run("evaluate", place, *named, "--tasks", "9")

    assert done.code == 0, done.err
    logs = (tmp_path / "run" / "logs.jsonl").read_text()
    assert "Good morning. Carry out" in logs
    assert "I have a case for you" not in logs


def test_a_package_of_others_has_no_user(tmp_path: Path) -> None:
    package = write_parcels(tmp_path)

    done = run("evaluate", str(package), *["--agent", "gold", "--user", "one-message"])

    assert done.code == 2
    assert "user-needs-model: " in done.err
