"""What ``sopforge evaluate`` prints and leaves."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import Released
from tests.running.commands import Ran, run
from tests.worlds.foreign import MAPPING, write_parcels


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
    assert "patient_intake: 120 tasks in both runs" in done.out
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
    with (package / "tools.py").open("a") as tools:
        tools.write(
            "\nimport os\n\nPatientIntakeManager.process_tool_call = lambda *_: os._exit(1)\n"
        )
    done = evaluate(package, "--agent", "gold", "--tasks", 2, "--out", tmp_path / "run")

    assert done.code == 0
    assert "calls got no answer" in done.out
    assert "tools.py do not match SHA256SUMS" in " ".join(done.err.split())


def test_tools_that_do_not_load_end_the_command(released: Released, tmp_path: Path) -> None:
    package = tmp_path / "broken"
    shutil.copytree(released.published.packages["L0"], package)
    (package / "tools.py").write_text("import os\nos._exit(1)\n")
    done = evaluate(package, "--agent", "gold", "--tasks", 2, "--out", tmp_path / "run")

    assert done.code == 2
    assert "tools.py" in done.err
    assert "Traceback" not in done.err


def test_packages_of_others_are_evaluated_with_what_was_assumed(tmp_path: Path) -> None:
    package = write_parcels(tmp_path / "parcels")
    done = evaluate(package, "--agent", "gold", "--agent", "one-letter", "--out", tmp_path / "run")

    assert done.code == 0
    assert "SOP-Bench compatible" in done.out
    assert "parcels: 'fee' is compared as a number with 2 decimal places." in done.out
    lines = [line.split() for line in done.out.splitlines() if line.startswith("parcels ")]
    # No calls are expected, so that nothing is said of them; the peer's matcher says something.
    assert [line[1:3] + line[-2:] for line in lines] == [
        ["gold", "4", "-", "1.000"],
        ["one-letter", "4", "-", "0.000"],
    ]


def test_a_mapping_is_read_for_a_package_of_others(tmp_path: Path) -> None:
    package = write_parcels(tmp_path / "parcels")
    mapping = tmp_path / "mapping.yaml"
    mapping.write_text(MAPPING)
    arguments = ("--agent", "gold", "--mapping", mapping, "--out", tmp_path / "run", "--json")
    done = evaluate(package, *arguments)

    assert done.code == 0
    (made,) = json.loads(done.out)["runs"]
    assert made["gold_calls"] == 1.0
    assert made["compatible"] == 0.75
    assert made["assumptions"] == [
        "1 of 4 answers in 'decision' are blank: 'undecided' is right there"
    ]


@pytest.mark.parametrize(
    ("text", "agent", "says"),
    [
        ("outcomes:\n  verdict: {type: label}\n", "gold", "mapping.yaml:2, outcomes.verdict: the"),
        (
            "outcomes:\n  depot: {type: number}\n",
            "gold",
            "outcomes.depot: the answer of task 0 is 'Nord'",
        ),
        ("outcome: {}\n", "gold", "mapping.yaml:1, outcome: there is no field 'outcome'"),
        ("missing: none\n", "one-mistake:mutant x", "agent-needs-model"),
        (None, "gold", "mapping-not-found"),
    ],
)
def test_a_mapping_that_does_not_fit_ends_the_command(
    tmp_path: Path, text: str | None, agent: str, says: str
) -> None:
    package = write_parcels(tmp_path / "parcels")
    mapping = tmp_path / "mapping.yaml"
    if text is not None:
        mapping.write_text(text)
    done = evaluate(package, "--agent", agent, "--mapping", mapping, "--out", tmp_path / "run")

    assert done.code == 2
    assert says in done.err.replace("\n", " ")
    assert not (tmp_path / "run").exists()
