"""Published packages run and score sessions in a Python that has nothing but its own library."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
from sopforge.harness.environment.events import Called, read_event
from sopforge.harness.environment.lines import describe_reply
from sopforge.harness.environment.session import open_session
from sopforge.harness.grading.grades import Attempt, Stop
from sopforge.harness.layers.desk import open_desk
from sopforge.harness.layers.working import LayeredAgent
from sopforge.harness.scoring.trajectories import write_answer
from sopforge.sandbox.answers import as_text
from tests.conftest import Released
from tests.worlds.releases import publish_counter, publish_orders, publish_with_dials
from tests.worlds.shared_builds import Shared

ALONE = (sys.executable, "-I", "-S")
WRONG = "<nothing>at all</nothing>"
Line = dict[str, Any]


def run_alone(*words: str | Path, said: str = "") -> list[Line]:
    """Return what a program of a package prints."""
    done = subprocess.run(
        [*ALONE, *map(str, words)],
        input=said,
        capture_output=True,
        encoding="utf-8",
        cwd="/",
        env={},
        check=True,
    )
    assert not done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def talk(home: Path, log: Path, task: str, seed: int, lines: list[Line]) -> list[Line]:
    """Return what the lines of an agent are answered in a session of a task."""
    asked = ("--task", task, "--seed", str(seed), "--log", log)
    said = "".join(f"{json.dumps(line)}\n" for line in lines)
    seen, *heard = run_alone(home / "environment.py", *asked, said=said)
    assert seen["task"]["id"] == task
    return heard


def list_gold_lines(package: ProvedPackage, task: str) -> list[Line]:
    """Return the gold calls of a plain task as an agent writes them."""
    calls = package.gold[task].calls
    text = json.dumps([{"tool": c.tool, "arguments": dict(c.arguments)} for c in calls])
    return list(json.loads(text))


def drop_words(reply: Line) -> Line:
    """Return a reply without the words of a refusal, which the tools choose."""
    return {name: value for name, value in reply.items() if name != "message"}


@pytest.fixture(params=["plain", "with actions", "with tables"])
def folder(request: pytest.FixtureRequest, released: Released, shared: Shared) -> Path:
    """Return the package of a domain of each kind."""
    return {
        "plain": lambda: Path(released.published.packages["L0"]),
        "with actions": lambda: publish_orders(shared),
        "with tables": lambda: publish_counter(shared),
    }[request.param]()


def test_the_program_is_not_found_there() -> None:
    done = subprocess.run([*ALONE, "-c", "import sopforge"], capture_output=True, check=False)

    assert b"No module named 'sopforge'" in done.stderr


def test_a_right_and_a_wrong_session_are_run_and_scored(folder: Path, tmp_path: Path) -> None:
    package, log = read_proved(folder), tmp_path / "log.jsonl"
    home = shutil.copytree(folder, tmp_path / "package")
    task = max(package.gold.values(), key=lambda task: len(task.calls))
    gold = list_gold_lines(package, task.id)
    right = write_answer({**task.intermediates, **task.outcomes})
    wanted = [
        {"refusal": call.refusal} if call.refusal else {"result": call.result}
        for call in task.calls
    ]

    for seed, answer in enumerate([right, WRONG]):
        heard = talk(home, log, task.id, seed, [*gold, {"say": "Grüße \u2028"}, {"answer": answer}])
        assert [drop_words(reply) for reply in heard] == wanted
    *rows, summary = run_alone(home / "grader" / "score.py", log)

    assert [(row["is_right"], row["is_gold"]) for row in rows] == [(True, True), (False, True)]
    assert (summary["tasks"], summary["sessions"], summary["TSR"]) == (1, 2, 0.5)


def test_a_right_and_a_wrong_session_of_a_queue_with_dials(shared: Shared, tmp_path: Path) -> None:
    folder, log = publish_with_dials(shared), tmp_path / "log.jsonl"
    package = read_proved(folder)
    home = shutil.copytree(folder, tmp_path / "package")
    task = next(iter(package.shown.tasks))
    session = open_session(package.cases.environment, task)
    answer = LayeredAgent(package.model).work(open_desk(session))
    called = [event for event in session.state.events if isinstance(event, Called)]
    calls: list[Line] = [
        {"tool": event.tool, "arguments": json.loads(as_text(event.arguments))} for event in called
    ]
    first = next(line for line in calls if line["tool"] == "fileCase")
    spoiled = {**first, "arguments": {"statement": WRONG}}

    heard = talk(home, log, task, 0, [*calls, {"answer": answer}])
    wrong = [spoiled if line is first else line for line in calls]
    talk(home, log, task, 1, [*wrong, {"answer": answer}])

    replies = [drop_words(json.loads(describe_reply(event.reply))) for event in called]
    assert list(map(drop_words, heard)) == replies
    verdicts = []
    for line in log.read_text("utf-8").splitlines():
        logged = json.loads(line, parse_float=Decimal)
        events = [read_event(event) for event in logged["events"]]
        verdicts.append(package.grade(task, Attempt(events, logged["answer"], Stop.ANSWER)))
    assert [grade.is_right for grade in verdicts] == [True, False]
    assert [grade.cases for grade in verdicts] == [(True,) * 4, (False, True, True, True)]


def test_the_plain_tasks_of_a_level_with_dials_are_scored(shared: Shared, tmp_path: Path) -> None:
    folder, log = publish_with_dials(shared), tmp_path / "log.jsonl"
    package = read_proved(folder)
    task = next(iter(package.gold.values()))
    events = [
        {**line, **({"refusal": call.refusal} if call.refusal else {"result": {}})}
        for line, call in zip(list_gold_lines(package, task.id), task.calls, strict=True)
    ]
    right = write_answer({**task.intermediates, **task.outcomes})
    log.write_text(
        "".join(
            f"{json.dumps({'task': task.id, 'seed': n, 'answer': text, 'events': events})}\n"
            for n, text in enumerate([right, WRONG])
        )
    )

    *rows, _ = run_alone(folder / "grader" / "score.py", log)

    assert [row["is_right"] for row in rows] == [True, False]
