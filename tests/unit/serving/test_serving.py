"""A package served until its client leaves: what is noted, and what is refused before."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from sopforge.errors import MaterialError, ToolProcessError
from sopforge.evaluation.serving.attempts import Attempts
from sopforge.evaluation.serving.served import Served, read_served
from sopforge.evaluation.serving.serving import Serving
from sopforge.harness.environment.events import read_events
from tests.conftest import Released


@pytest.fixture(scope="module")
def served(released: Released) -> Served:
    """Return the plain package."""
    return read_served(Path(released.published.packages["L0"]))


def work(attempts: Attempts, key: str, task: str) -> None:
    """Begin a task and make a call that is refused."""
    attempts.begin(key, task)
    attempts.call(key, "validateInsurance", {"patient_id": "P1", "share": 0.10})


def test_each_session_is_a_line_of_the_log_at_its_end(served: Served, tmp_path: Path) -> None:
    log, (first, second) = tmp_path / "log.jsonl", list(served.shown.tasks)[:2]
    log.write_text('{"task": "of an earlier run"}\n')
    with Serving(served, seed=7, log=log).open_attempts() as attempts:
        work(attempts, "ada", first)
        work(attempts, "grace", second)
        attempts.answer("grace", "<a>half a character: \ud800, two halves: \ud83d\ude00</a>")
        assert len(log.read_text().splitlines()) == 2

    lines = [json.loads(line) for line in log.read_text().splitlines()][1:]
    assert [(line["task"], line["seed"], line["answer"]) for line in lines] == [
        (second, 7, "<a>half a character: \ufffd, two halves: \U0001f600</a>"),
        (first, 7, None),
    ]
    for line in log.read_text().splitlines()[1:]:
        (event,) = read_events(line[line.index("[") : line.rindex("]") + 1])
        assert getattr(event, "tool", "") == "validateInsurance"


def test_a_task_that_there_is_not_is_named(served: Served) -> None:
    with pytest.raises(MaterialError) as caught, Serving(served, "task-0").open_attempts():
        pass
    (fault,) = caught.value.faults
    known = ", ".join(list(served.shown.tasks)[:3])
    assert fault.message == f"patient_intake has no task 'task-0'; it begins with {known}"


def test_tools_that_do_not_load_are_said_so_before_anybody_connects(
    released: Released, tmp_path: Path
) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(released.published.packages["L0"], folder)
    (folder / "tools.py").write_text("raise RuntimeError('no')\n")

    with pytest.raises(ToolProcessError), Serving(read_served(folder)).open_attempts():
        pass


def test_a_log_that_cannot_be_written_is_said_so_before_anybody_connects(
    served: Served, tmp_path: Path
) -> None:
    log = tmp_path / "no folder" / "log.jsonl"
    with pytest.raises(FileNotFoundError), Serving(served, log=log).open_attempts():
        pass
