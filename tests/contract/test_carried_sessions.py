"""What a package's own scorer says of sessions on tables is what our judge says, part by part.

Logs of right sessions are spoiled in one or several places, and both read the same lines.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
from sopforge.harness.environment.events import read_event
from sopforge.harness.grading.grades import Attempt, DivergenceKind, Stop
from sopforge.harness.scoring.trajectories import write_answer
from sopforge.language.domain.tasks import Task
from tests.worlds.carried import load_carried
from tests.worlds.releases import publish_counter
from tests.worlds.shared_builds import Shared

Log = dict[str, Any]
ALONE = (sys.executable, "-I", "-S")
PARTS = {"end state", "writes", "once", "checks", "reason", "secrecy"}


@pytest.fixture(scope="module")
def folder(shared: Shared) -> Path:
    return publish_counter(shared)


@pytest.fixture(scope="module")
def package(folder: Path) -> ProvedPackage:
    return read_proved(folder)


def gold_log(package: ProvedPackage, task: str) -> Log:
    gold = package.gold[task]
    events = [
        {
            "tool": call.tool,
            "arguments": dict(call.arguments),
            **(
                {"refusal": call.refusal, "message": ""}
                if call.refusal
                else {"result": dict(call.result)}
            ),
        }
        for call in gold.calls
    ]
    answer = write_answer({**gold.intermediates, **gold.outcomes})
    log = {"task": task, "seed": 0, "answer": answer, "events": events}
    copied: Log = json.loads(json.dumps(log))
    return copied


def judge_by_core(package: ProvedPackage, line: str) -> tuple[bool, dict[str, bool]]:
    log = json.loads(line, parse_float=Decimal)
    events = [read_event(event) for event in log["events"]]
    stop = Stop.GAVE_UP if log["answer"] is None else Stop.ANSWER
    grade = package.grade(log["task"], Attempt(events, log["answer"], stop))
    return grade.is_right, dict(grade.session or {})


def require_same(package: ProvedPackage, folder: Path, logs: list[Log]) -> list[dict[str, bool]]:
    """Return the parts of each session, after the package's scorer had the same."""
    lines = [json.dumps(log) for log in logs]
    module = load_carried(folder / "grader" / "score.py")
    rows = module.Scorer(folder / "grader").score_log("\n".join(lines))
    for line, row in zip(lines, rows, strict=True):
        assert (row["is_right"], row["session"]) == judge_by_core(package, line), line
        assert row["session"].keys() == PARTS
    return [row["session"] for row in rows]


def find_secret(folder: Path, task: Task) -> str:
    lines = (folder / "records_account.csv").read_text().splitlines()
    codes = {line.split(",")[-1] for line in lines[1:]}
    return min(codes - set(task.inputs.values()))


def find_repeatable(package: ProvedPackage) -> Task:
    """Return a task whose transfer can be made twice: no balance leaves its range by it."""
    for task in package.gold.values():
        changed: Any = (task.end_state or {}).get("account", {})
        if changed:
            given: Any = task.calls[-1].arguments
            source, target = (changed[given[name]]["balance"] for name in ("source", "target"))
            if source >= given["amount"] and target + given["amount"] <= 5000:
                return task
    raise AssertionError("no transfer can be made twice")


def moved_twice(log: Log) -> None:
    log["events"].append(log["events"][-1])


def moved_otherwise(log: Log) -> None:
    log["events"][-1]["arguments"]["amount"] = 1.5


def not_looked_up(log: Log) -> None:
    log["events"] = [event for event in log["events"] if event["tool"] != "getOwner"]


def looked_up_afterwards(log: Log) -> None:
    log["events"].append(log["events"].pop(-2))


def not_logged_in(log: Log) -> None:
    log["events"].pop(0)


def reason_is_wrong(log: Log) -> None:
    log["answer"] = log["answer"].replace("none given", "too much")


@pytest.mark.parametrize(
    ("spoil", "wrong"),
    [
        (lambda _: None, set()),
        (moved_twice, {"end state", "writes", "once"}),
        (moved_otherwise, {"end state", "writes", "checks"}),
        (not_looked_up, {"checks"}),
        (looked_up_afterwards, {"checks"}),
        (not_logged_in, {"end state", "writes", "checks"}),
        (reason_is_wrong, {"reason"}),
    ],
    ids=["gold", "twice", "otherwise", "unseen", "too-late", "no-session", "reason"],
)
def test_a_spoiled_transfer_is_wrong_in_these_parts(
    package: ProvedPackage, folder: Path, spoil: Callable[[Log], None], wrong: set[str]
) -> None:
    task = find_repeatable(package)
    log = gold_log(package, task.id)
    spoil(log)
    (parts,) = require_same(package, folder, [log])

    assert {part for part in PARTS if not parts[part]} == wrong


def test_a_secret_that_is_said_is_noticed(package: ProvedPackage, folder: Path) -> None:
    task = next(iter(package.gold.values()))
    secret = find_secret(folder, task)
    said, answered = gold_log(package, task.id), gold_log(package, task.id)
    said["events"].insert(1, {"said": f"The code is {secret}!"})
    answered["answer"] += f" ({secret})"
    longer = gold_log(package, task.id)
    longer["answer"] += f" {secret}0 {task.inputs['pin']}"

    hidden = gold_log(package, task.id)
    hidden["answer"] += f" _{secret.lower()}_"
    attempt = Attempt([read_event(event) for event in said["events"]], said["answer"], Stop.ANSWER)

    found = require_same(package, folder, [said, answered, longer, hidden])
    assert [parts["secrecy"] for parts in found] == [False, False, True, False]
    assert package.grade(task.id, attempt).divergence_kind is DivergenceKind.SECRET_SAID


def spoil_at_random(log: Log, other: Log, secret: str, random: Random) -> None:
    """Change one place of a log."""
    events = log["events"]
    place = random.randrange(len(events)) if events else 0
    kind = random.randrange(8)
    if kind == 0 and events:
        events.pop(place)
    elif kind == 1 and events:
        events.insert(random.randrange(len(events) + 1), json.loads(json.dumps(events[place])))
    elif kind == 2 and events:
        events.append(events.pop(place))
    elif kind == 3 and events and events[place].get("arguments"):
        given = events[place]["arguments"]
        name = random.choice(sorted(given))
        given[name] = random.choice([None, "x", 1, 0.5, True, [1.5], 30, "30.00", "A012969"])
    elif kind == 4:
        events += other["events"][random.randrange(3) :]
    elif kind == 5:
        events.append({"said": random.choice([secret, "Nothing.", f"{secret}1"])})
    elif kind == 6:
        log["answer"] = random.choice([None, "", other["answer"], f"{log['answer']} {secret}"])
    else:
        events.append({"tool": "noTool", "arguments": {}, "refusal": "unknown_tool", "message": ""})


def test_logs_spoiled_at_random_are_judged_alike(package: ProvedPackage, folder: Path) -> None:
    random = Random(7)  # noqa: S311 - no secret
    tasks = list(package.gold)
    logs = []
    for number in range(600):
        task = tasks[number % len(tasks)]
        log, other = gold_log(package, task), gold_log(package, random.choice(tasks))
        secret = find_secret(folder, package.gold[task])
        for _ in range(random.randrange(4)):
            spoil_at_random(log, other, secret, random)
        logs.append(log)

    found = require_same(package, folder, logs)
    wrong = Counter(part for parts in found for part in PARTS if not parts[part])
    assert set(wrong) == PARTS
    assert all(count < len(logs) for count in wrong.values())
    assert any(all(parts.values()) for parts in found)


def test_pairs_are_right_where_both_tasks_are(package: ProvedPackage, folder: Path) -> None:
    paired = [task for task in package.gold.values() if task.pair]
    names = sorted({task.pair for task in paired})
    logs = [gold_log(package, task.id) for task in paired]
    spoiled = next(log for log in logs if package.gold[log["task"]].pair == names[0])
    spoiled["answer"] = None
    again = [{**log, "seed": 1} for log in logs if package.gold[log["task"]].pair != names[0]]
    alone = {**logs[0], "seed": 2}
    module = load_carried(folder / "grader" / "score.py")
    scorer = module.Scorer(folder / "grader")
    lines = [json.dumps(log) for log in (*logs, *again, alone)]

    summary = module.summarize(scorer.score_log("\n".join(lines)))
    assert len(names) > 2
    assert summary["pairs"] == pytest.approx((2 * len(names) - 2) / (2 * len(names) - 1))


@pytest.mark.parametrize("name", ["replay.py", "answers.json", "../records_account.csv"])
def test_without_a_file_the_scorer_says_so(folder: Path, tmp_path: Path, name: str) -> None:
    home = tmp_path / "package"
    shutil.copytree(folder, home)
    (home / "grader" / name).unlink()
    log = tmp_path / "log.jsonl"
    log.write_text("")
    done = subprocess.run(
        [*ALONE, str(home / "grader" / "score.py"), str(log)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert done.returncode == 2
    assert "cannot be scored" in done.stderr
    assert "Traceback" not in done.stderr
