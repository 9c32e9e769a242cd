"""What ``sopforge evaluate`` prints and leaves."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import Released
from tests.running.commands import Ran, run


def evaluate(*arguments: str | int | Path) -> Ran:
    """Return how the command ended, and what it printed."""
    return run("evaluate", *map(str, arguments))


def test_it_shows_a_line_for_each_package_and_agent(released: Released, tmp_path: Path) -> None:
    plain, hard = (released.published.packages[level] for level in ("L0", "L3"))
    agents = ("--agent", "gold", "--agent", "silent")
    done = evaluate(plain, hard, *agents, "--tasks", 30, "--out", tmp_path / "run")

    assert done.code == 0
    lines = [line.split() for line in done.out.splitlines() if " 30 " in f"{line} "]
    assert [line[:2] for line in lines] == [
        [name, agent]
        for name in ("patient_intake", "patient_intake_l3")
        for agent in ("gold", "silent")
    ]
    # Wilson's interval of 30 of 30 is from 30 / (30 + 1.96 squared) on.
    assert lines[0][3:5] == ["1.000", "[0.886,"]
    assert len((tmp_path / "run" / "rows.jsonl").read_text().splitlines()) == 120


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (["--agent", "glod"], "agent-unknown: --agent: there is no agent 'glod'"),
        (["--agent", "python:no_such:x"], "'no_such:x' cannot be imported"),
    ],
)
def test_bad_input_is_named_and_nothing_is_written(
    released: Released, tmp_path: Path, wrong: list[str], says: str
) -> None:
    done = evaluate(
        released.published.packages["L0"], "--agent", "gold", *wrong, "--out", tmp_path / "run"
    )

    assert done.code == 2
    assert says in done.err
    assert not (tmp_path / "run").exists()


def test_a_folder_that_is_no_package_is_named(tmp_path: Path) -> None:
    done = evaluate(tmp_path, "--agent", "gold", "--out", tmp_path / "run")

    assert done.code == 2
    assert "is not a package" in done.err
    assert not (tmp_path / "run").exists()


def test_two_agents_are_compared_task_by_task(released: Released, tmp_path: Path) -> None:
    agents = ("--agent", "gold", "--agent", "one-mistake:mutant adult_age 17")
    package = released.published.packages["L0"]
    assert evaluate(package, *agents, "--out", tmp_path).code == 0
    done = run("compare", f"{tmp_path}#gold", f"{tmp_path}#one-mistake:mutant adult_age 17")

    assert done.code == 0
    assert "patient_intake: 120 tasks of both" in done.out
    # Of the goals about that age, the tasks at 17 are among those that the mistake spoils.
    assert "adult_age" in done.out or "at -1" in done.out
    assert "McNemar" in done.out


def test_runs_that_cannot_be_compared_are_named(tmp_path: Path) -> None:
    done = run("compare", str(tmp_path), str(tmp_path))

    assert done.code == 2
    assert f"there is no rows.jsonl in {tmp_path}" in done.err.replace("\n", " ")


def test_tools_that_never_answer_are_said_to(released: Released, tmp_path: Path) -> None:
    package = tmp_path / "broken"
    shutil.copytree(released.published.packages["L0"], package)
    (package / "tools.py").write_text("import os\nos._exit(1)\n")
    done = evaluate(package, "--agent", "gold", "--tasks", 2, "--out", tmp_path / "run")

    assert done.code == 0
    assert "calls got no answer" in done.out
