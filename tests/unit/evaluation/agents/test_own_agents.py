"""Agents of users: what they are given, what they may write, and how they may break."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from sopforge.errors import MaterialError
from sopforge.evaluation.agents.choosing import make_agent
from sopforge.evaluation.agents.own_agents import load_function_agent
from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
from sopforge.evaluation.runs.rows import LOGS, Row, RunFolder
from sopforge.evaluation.runs.running import ask_for, choose_tasks, run_agent
from sopforge.harness.environment.session import Session
from sopforge.harness.grading.grades import Stop
from tests.conftest import Released

FEW = 2
Run = Callable[..., list[Row]]

HEAD = """\
import json, sys
seen = json.loads(input())
def ask(**line):
    print(json.dumps(line), flush=True)
    return json.loads(input())
"""
LOOK = """\
inputs = seen["task"]["inputs"]
names = ["patient_id", "insurance_provider", "policy_number", "group_number"]
names += ["coverage_start_date", "insurance_type"]
reply = ask(tool="validateInsurance", arguments={name: inputs[name] for name in names})
assert "coverage_status" in reply["result"], reply
"""


@pytest.fixture(scope="module")
def package(released: Released) -> ProvedPackage:
    """Return the plain package."""
    return read_proved(Path(released.published.packages["L0"]))


@pytest.fixture
def run(package: ProvedPackage, tmp_path: Path) -> Run:
    """Return what runs a script as an agent, on a few tasks."""

    def run_script(body: str, *, head: str = HEAD, limit: float = 20.0) -> list[Row]:
        script = tmp_path / "agent.py"
        script.write_text(head + dedent(body), encoding="utf-8")
        name = f"command:{shlex.join([sys.executable, '-S', '-E', str(script)])}"
        tasks = choose_tasks(package, FEW, 0)
        agent = make_agent(name, package, limit)
        asked = ask_for(package, tasks, agent.name, 0)
        return run_agent(package, agent, asked, RunFolder(tmp_path / "run"))

    return run_script


def test_a_command_sees_the_task_calls_tools_and_answers(
    run: Run, package: ProvedPackage, tmp_path: Path
) -> None:
    rows = run(
        LOOK
        + """\
        print(json.dumps({"say": "I have seen enough."}), flush=True)
        said = ask(tool="noSuchTool", arguments={})
        assert said["refusal"] == "unknown_tool" and "validateInsurance" in said["message"], said
        assert len(seen["tools"]) == 6 and seen["sop"].startswith("Standard Operating Procedure")
        print(json.dumps({"answer": f"<registration>{seen['task']['id']}</registration>"}))
        """.replace("        ", "")
    )

    assert [(row.stop, row.says) for row in rows] == [(Stop.ANSWER, "")] * FEW
    assert {(row.grade.calls, row.grade.unknown, row.grade.refused) for row in rows} == {(2, 1, 1)}
    logs = [json.loads(line) for line in (tmp_path / "run" / LOGS).read_text().splitlines()]
    assert [log["answer"] for log in logs] == [
        f"<registration>{task}</registration>" for task in choose_tasks(package, FEW, 0)
    ]
    assert logs[0]["events"][1] == {"said": "I have seen enough."}


def test_half_a_character_in_an_answer_leaves_an_answer_that_all_can_read(
    run: Run, tmp_path: Path
) -> None:
    rows = run(
        """print(json.dumps({"answer": "<user_registration>\\ud800</user_registration>"}))"""
    )

    assert [row.stop for row in rows] == [Stop.ANSWER] * FEW
    assert [row.grade.stated for row in rows] == [{"user_registration": "\ufffd"}] * FEW
    logs = [json.loads(line) for line in (tmp_path / "run" / LOGS).read_text().splitlines()]
    said = "<user_registration>\ufffd</user_registration>"
    assert [log["answer"] for log in logs] == [said] * FEW
    again = RunFolder(tmp_path / "run").rows
    assert [again[row.asked.key].grade for row in rows] == [row.grade for row in rows]


def test_nothing_that_a_grader_knows_is_written_to_a_command(
    run: Run, package: ProvedPackage, tmp_path: Path
) -> None:
    run(f"open({str(tmp_path / 'seen.txt')!r}, 'a').write(json.dumps(seen) + chr(10))")

    lines = (tmp_path / "seen.txt").read_text().splitlines()
    assert len(lines) == FEW
    for line in lines:
        seen = json.loads(line)
        assert seen.keys() == {"sop", "tools", "task"}
        task = package.gold[seen["task"]["id"]]
        assert seen["task"] == {"id": task.id, "text": task.text, "inputs": task.inputs}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (
            "print('Let me think.')",
            "answer; of its lines one was refused: this line is no JSON: Let me think.",
        ),
        ("print([1])", "one was refused: the line is no object: [1]"),
        (
            """print('{"say": "Hm.", "tool": "count"}')""",
            '"say" and "answer": {"say": "Hm.", "tool": "count"}',
        ),
        ("print('{}')", 'write one of "tool" with "arguments", "say" and "answer": {}'),
        ("print(json.dumps({'answer': 3}))", '"answer" is no text: {"answer": 3}'),
        ("print(json.dumps({'tool': 'x', 'arguments': [1]}))", '"arguments": [1]'),
        ("sys.exit('no key')", "the command ended without an answer: no key"),
        (
            "raise ExceptionGroup('2 errors', [RuntimeError('no key'), ValueError('no model')])",
            "the command ended without an answer: ValueError: no model",
        ),
        ("", "AgentBrokeError: the command ended without an answer"),
        ("print('x' * 3_000_000)", "the line has more than 1,048,576 bytes: xxx"),
        ("print('[' * 500_000)", "values lie within each other too deeply: [["),
    ],
)
def test_an_agent_that_breaks_is_named_and_the_run_goes_on(run: Run, body: str, says: str) -> None:
    rows = run(body)

    assert [row.stop for row in rows] == [Stop.FAILED] * FEW
    assert all(says in row.says for row in rows), rows[0].says
    assert all(len(row.says) <= 500 for row in rows)
    assert not any(row.grade.is_complete for row in rows)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"tool": "validateInsurance", "arguments": {"patient_id": NaN}}', "NaN is not JSON"),
        ('{"tool": "validateInsurance", "arguments": {"patient_id": 1e999}}', "1e999 is not JSON"),
        ('{"tool": "x", "arguments": {"n": ' + "9" * 5000 + "}}", "too many digits"),
        ('{"tool": "x", "arguments": ' + '{"a":' * 70 + "1" + "}" * 71, "more than 64 deep"),
        ('{"say": "' + "x" * 1_100_000 + '"}', "more than 1,048,576 bytes"),
        ("Let me think.", "this line is no JSON"),
    ],
    ids=["nan", "infinity", "digits", "depth", "length", "prose"],
)
def test_a_line_that_is_none_is_answered_and_the_session_goes_on(
    run: Run, tmp_path: Path, line: str, says: str
) -> None:
    (tmp_path / "line.txt").write_text(line)
    rows = run(
        f"""
        print(open({str(tmp_path / "line.txt")!r}).read(), flush=True)
        reply = json.loads(input())
        assert {says!r} in reply["error"], reply
        sys.stdout.write(chr(0xfeff))
        reply = ask(tool="noSuchTool", arguments={{"text": chr(0xd83d)}})
        assert reply["refusal"] == "unknown_tool", reply
        print(json.dumps({{"answer": "done"}}))
        """
    )

    assert [(row.stop, row.says, row.grade.calls) for row in rows] == [(Stop.ANSWER, "", 1)] * FEW
    log = json.loads((tmp_path / "run" / LOGS).read_text().splitlines()[0])
    assert log["events"][0]["arguments"] == {"text": "\ufffd"}


@pytest.mark.parametrize("head", [HEAD, "import sys\n"], ids=["reads", "never reads"])
def test_an_agent_that_never_answers_is_stopped(run: Run, tmp_path: Path, head: str) -> None:
    begun = time.monotonic()
    rows = run(
        f"""
        import subprocess, time
        subprocess.Popen(["sleep", "60"])
        open({str(tmp_path / "begun.txt")!r}, "a").write("x")
        time.sleep(60)
        """,
        head=head,
        limit=1.0,
    )

    assert [(row.stop, row.says) for row in rows] == [
        (Stop.TOO_SLOW, ("the command did not answer within 1 s"))
    ] * FEW
    assert (tmp_path / "begun.txt").read_text() == "x" * FEW
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize(
    ("ending", "stop"),
    [
        ("time.sleep(60)", Stop.TOO_SLOW),
        ("print(json.dumps({'answer': 'x'}))", Stop.ANSWER),
        ("sys.exit(1)", Stop.FAILED),
    ],
    ids=["too slow", "answer", "failed"],
)
def test_what_comes_of_an_agent_ends_with_it(
    run: Run, tmp_path: Path, ending: str, stop: Stop
) -> None:
    begun, numbers = time.monotonic(), tmp_path / "numbers.txt"
    rows = run(
        f"""
        import subprocess, time
        # The second one has lost its parent, and is of a session of its own.
        quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        command = f"sleep 60 & echo $! >> {numbers}; sleep 60"
        before = open({str(numbers)!r}, "a+").seek(0, 2)
        child = subprocess.Popen(["sh", "-c", command], start_new_session=True, **quiet)
        while open({str(numbers)!r}, "a+").seek(0, 2) == before:
            time.sleep(0.01)
        print(child.pid, file=open({str(numbers)!r}, "a"))
        {ending}
        """,
        limit=2.0,
    )

    assert {row.stop for row in rows} == {stop}
    assert time.monotonic() - begun < 30
    found = numbers.read_text().split()
    assert len(found) == 2 * FEW
    assert not [number for number in found if is_running(number)]


def is_running(number: str) -> bool:
    """Return whether a process is there and has not ended, waited for by nobody."""
    try:
        return b") Z " not in Path("/proc", number, "stat").read_bytes()
    except OSError:
        return False


@dataclass(frozen=True)
class _Odd:
    """An agent whose function does something odd."""

    function: Callable[[Session[Any]], Any]
    name: str = "odd"

    def solve(self, session: Session[Any]) -> None:
        session.finish(self.function(session))


class _UnspeakableError(Exception):
    """An exception that breaks whoever asks what it says."""

    def __str__(self) -> str:
        raise RuntimeError("unspeakable")


def _nest(depth: int) -> Any:  # noqa: ANN401 - nested as deep as asked for
    found: Any = 1
    for _ in range(depth):
        found = {"a": found}
    return found


def _raise(cause: BaseException) -> None:
    raise cause


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda _: 5, id="answers a number"),
        pytest.param(lambda session: session.say(b"x"), id="says bytes"),
        pytest.param(lambda session: session.call("x", {1: "a", "b": 2}), id="a name is no text"),
        pytest.param(lambda session: session.call("x", {"a": _nest(400)}), id="nested deeply"),
        pytest.param(lambda session: session.call("x", {"a": float("nan")}), id="not a number"),
        pytest.param(lambda _: sys.exit(3), id="exits"),
        pytest.param(lambda _: _raise(KeyboardInterrupt()), id="interrupts"),
        pytest.param(lambda _: _raise(BaseException("x")), id="raises the base of all"),
        pytest.param(lambda _: _raise(_UnspeakableError()), id="unspeakable"),
        pytest.param(lambda _: _raise(ValueError("x" * 100_000)), id="says much"),
    ],
)
def test_whatever_a_function_does_counts_at_its_task_alone(
    package: ProvedPackage, tmp_path: Path, function: Callable[[Session[Any]], Any]
) -> None:
    asked = ask_for(package, choose_tasks(package, FEW, 0), "odd", 0)
    rows = run_agent(package, _Odd(function), asked, RunFolder(tmp_path))

    assert [row.stop for row in rows] == [Stop.FAILED] * FEW
    assert all(row.says and len(row.says) <= 500 for row in rows)
    assert len(RunFolder(tmp_path).rows) == FEW


def test_the_user_s_own_interrupt_ends_the_run(package: ProvedPackage, tmp_path: Path) -> None:
    asked = ask_for(package, choose_tasks(package, FEW, 0), "odd", 0)
    agent = _Odd(lambda _: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        run_agent(package, agent, asked, RunFolder(tmp_path))

    assert not RunFolder(tmp_path).rows


def test_a_module_that_exits_as_it_is_imported_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaving_agent.py").write_text("raise SystemExit('no key')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(MaterialError, match="cannot be imported: no key"):
        load_function_agent("leaving", "leaving_agent:solve")


def test_a_command_that_does_not_start_is_said_to(package: ProvedPackage, tmp_path: Path) -> None:
    agent = make_agent("command:/no/such/agent --fast", package, 5.0)
    asked = ask_for(package, choose_tasks(package, 1, 0), agent.name, 0)
    rows = run_agent(package, agent, asked, RunFolder(tmp_path))

    assert rows[0].stop == Stop.FAILED
    assert "the command cannot be started" in rows[0].says


@pytest.mark.parametrize("command", ["", " ", "'unbalanced"])
def test_what_is_no_command_is_named(package: ProvedPackage, command: str) -> None:
    with pytest.raises(MaterialError) as caught:
        make_agent(f"command:{command}", package, 5.0)
    assert caught.value.faults[0].code == "agent-unknown"


def test_a_function_is_given_a_session(
    package: ProvedPackage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_agent.py").write_text(
        "def solve(session):\n"
        "    task = session.observation.task\n"
        "    reply = session.call('noSuchTool', {})\n"
        "    return f'<insurance_validation>{reply.refusal} {task.id}</insurance_validation>'\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    agent = make_agent("python:my_agent:solve", package, 5.0)
    asked = ask_for(package, choose_tasks(package, 2, 0), agent.name, 0)
    rows = run_agent(package, agent, asked, RunFolder(tmp_path / "run"))

    assert [row.grade.stated["insurance_validation"] for row in rows] == [
        f"unknown_tool {row.asked.task}" for row in rows
    ]


@pytest.mark.parametrize("place", ["no_such_module:solve", "json:no_such_function", "json", ":x"])
def test_a_function_that_is_not_there_is_named(package: ProvedPackage, place: str) -> None:
    with pytest.raises(MaterialError) as caught:
        make_agent(f"python:{place}", package, 5.0)
    assert f"'{place}' cannot be imported" in caught.value.faults[0].message
