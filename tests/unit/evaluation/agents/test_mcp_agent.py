"""Agents of users that are clients over MCP: what they find, and how they may break."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from sopforge.errors import Fault, MaterialError, SandboxError
from sopforge.evaluation.agents import mcp_agent
from sopforge.evaluation.agents.choosing import make_agent
from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
from sopforge.evaluation.runs.rows import LOGS, Row, RunFolder
from sopforge.evaluation.runs.running import ask_for, choose_tasks, run_agent
from sopforge.harness.grading.grades import Stop
from sopforge.sandbox.process import ToolProcess
from tests.conftest import Released

FEW = 3
Run = Callable[..., list[Row]]

# Without the SDK, which takes long to load: a request of the protocol is a line of JSON.
CLIENT = """\
import json, os, sys, urllib.error, urllib.request
URL, TASK = os.environ["SOPFORGE_MCP_URL"], os.environ["SOPFORGE_TASK"]
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}}
def ask(method, url=URL, **params):
    named = {"name": params["name"]} if "name" in params else {}
    head = {"content-type": "application/json", "accept": "application/json, text/event-stream",
            "mcp-protocol-version": "2026-07-28", "mcp-method": method}
    head |= {"mcp-name": params[key] for key in ("name", "uri") if key in params}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
    request = urllib.request.Request(url, json.dumps(body).encode(), head)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["result"]
def call(name, **arguments):
    result = ask("tools/call", name=name, arguments=arguments)
    return result["isError"], result["content"][0]["text"]
"""


@pytest.fixture(scope="module")
def package(released: Released) -> ProvedPackage:
    """Return the plain package."""
    return read_proved(Path(released.published.packages["L0"]))


@pytest.fixture
def run(package: ProvedPackage, tmp_path: Path) -> Run:
    """Return what runs a script as an agent, on a few tasks."""

    def run_script(body: str, *, limit: float = 20.0) -> list[Row]:
        script = tmp_path / "client.py"
        script.write_text(CLIENT + dedent(body), encoding="utf-8")
        name = f"mcp:{shlex.join([sys.executable, '-S', '-E', str(script)])}"
        agent = make_agent(name, package, limit)
        folder = RunFolder(tmp_path / "run")
        asked = ask_for(package, choose_tasks(package, FEW, 0), name, 0)
        return run_agent(package, agent, asked, folder)

    return run_script


def test_a_client_sees_its_own_task_calls_tools_and_answers(
    run: Run, package: ProvedPackage, tmp_path: Path
) -> None:
    rows = run(
        """\
        print("what a client prints goes nowhere" * 10_000)
        prompts = ask("prompts/list")["prompts"]
        assert [prompt["name"] for prompt in prompts] == [TASK], prompts
        resources = [found["uri"] for found in ask("resources/list")["resources"]]
        read = [ask("resources/read", uri=uri)["contents"][0]["text"] for uri in resources]
        task = json.loads(read[1])
        tools = [tool["name"] for tool in ask("tools/list")["tools"]]
        assert "answer" in tools and "begin_task" not in tools, tools
        names = ["patient_id", "insurance_provider", "policy_number", "group_number"]
        names += ["coverage_start_date", "insurance_type"]
        is_error, text = call("validateInsurance", **{name: task["inputs"][name] for name in names})
        assert not is_error and "coverage_status" in text, text
        is_error, text = call("noSuchTool")
        assert is_error and text.startswith("unknown_tool: the tools are "), text
        with open("SEEN", "a") as seen:
            seen.write(json.dumps([read[0], task, URL]) + chr(10))
        assert not call("answer", text=f"<registration>{TASK}</registration>")[0]
        assert call("validateInsurance")[1].startswith("task_over: ")
        """.replace("SEEN", str(tmp_path / "seen.txt"))
    )

    assert [(row.stop, row.says) for row in rows] == [(Stop.ANSWER, "")] * FEW
    assert {(row.grade.calls, row.grade.unknown, row.grade.refused) for row in rows} == {(2, 1, 1)}
    tasks = choose_tasks(package, FEW, 0)
    logs = [json.loads(line) for line in (tmp_path / "run" / LOGS).read_text().splitlines()]
    assert [log["answer"] for log in logs] == [
        f"<registration>{task}</registration>" for task in tasks
    ]
    seen = [json.loads(line) for line in (tmp_path / "seen.txt").read_text().splitlines()]
    for (sop, task, _), name in zip(seen, tasks, strict=True):
        shown = package.shown.tasks[name]
        assert sop == package.shown.sop
        assert task == {"id": name, "text": shown.text, "inputs": dict(shown.inputs)}
    assert len({url for _, _, url in seen}) == FEW


def test_a_client_reaches_its_session_past_the_proxy_of_its_machine(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    rows = run('call("answer", text="<registration>x</registration>")')

    assert [(row.stop, row.says) for row in rows] == [(Stop.ANSWER, "")] * FEW


def test_the_address_of_another_task_is_served_no_more(run: Run, tmp_path: Path) -> None:
    rows = run(
        """\
        import pathlib
        kept = pathlib.Path("KEPT")
        others = kept.read_text().split() if kept.exists() else []
        for url in (*others, URL + "x", URL.rpartition("/")[0]):
            try:
                ask("tools/list", url=url)
            except urllib.error.HTTPError as refused:
                assert refused.code == 404, refused
            else:
                sys.exit(f"{url} is served")
        kept.write_text(" ".join([*others, URL]))
        call("answer", text="none")
        """.replace("KEPT", str(tmp_path / "urls.txt"))
    )

    assert [(row.stop, row.says) for row in rows] == [(Stop.ANSWER, "")] * FEW


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("sys.exit('no key')", "AgentBrokeError: the command ended without an answer: no key"),
        ("call('noSuchTool')", "AgentBrokeError: the command ended without an answer"),
        ("call('answer', words=1)", "AgentBrokeError: the command ended without an answer"),
    ],
)
def test_a_client_that_breaks_is_named_and_the_run_goes_on(run: Run, body: str, says: str) -> None:
    rows = run(body)

    assert [(row.stop, row.says) for row in rows] == [(Stop.FAILED, says)] * FEW
    assert not any(row.grade.is_complete for row in rows)


def test_a_client_that_never_answers_is_stopped(run: Run) -> None:
    begun = time.monotonic()
    rows = run(
        """
        import subprocess, time
        call("noSuchTool")
        subprocess.Popen(["sleep", "60"])
        time.sleep(60)
        """,
        limit=1.5,
    )

    assert {(row.stop, row.says) for row in rows} == {
        (Stop.TOO_SLOW, ("the command did not answer within 1.5 s"))
    }
    assert [row.grade.calls for row in rows] == [1] * FEW
    assert time.monotonic() - begun < 30


def test_a_client_that_goes_on_after_its_answer_is_stopped(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_agent, "GRACE", 0.2)
    begun = time.monotonic()
    rows = run("call('answer', text='x')\nimport time\ntime.sleep(60)\n")

    assert [(row.stop, row.says) for row in rows] == [(Stop.ANSWER, "")] * FEW
    assert time.monotonic() - begun < 20


def test_a_machine_that_cannot_confine_tools_ends_the_run(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise SandboxError(Fault("sandbox-too-weak", "no seccomp here"))

    monkeypatch.setattr(ToolProcess, "__enter__", fail)
    with pytest.raises(SandboxError, match="no seccomp here"):
        run("call('validateInsurance')\ncall('answer', text='x')")


@pytest.mark.parametrize("command", ["", " ", "'unbalanced"])
def test_what_is_no_command_is_named(package: ProvedPackage, command: str) -> None:
    with pytest.raises(MaterialError) as caught:
        make_agent(f"mcp:{command}", package, 5.0)
    (fault,) = caught.value.faults
    assert fault.code == "agent-unknown"
    assert '"mcp:python my_client.py"' in fault.hint


def test_a_command_that_does_not_start_is_said_to(package: ProvedPackage, tmp_path: Path) -> None:
    agent = make_agent("mcp:/no/such/client", package, 5.0)
    asked = ask_for(package, choose_tasks(package, 1, 0), agent.name, 0)
    rows = run_agent(package, agent, asked, RunFolder(tmp_path))

    assert rows[0].stop == Stop.FAILED
    assert "the command cannot be started" in rows[0].says
