"""An agent gets the same rows in the bare loop, over MCP, and from inspect."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from inspect_ai import Task
from inspect_ai import eval as run_tasks
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageTool,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import (
    MCPServer,
    ToolChoice,
    ToolInfo,
    mcp_connection,
    mcp_server_http,
    mcp_server_stdio,
)
from mcp import Client

from sopforge.evaluation.agents.agent import EvaluatedAgent
from sopforge.evaluation.agents.scripted import make_scripted_agent
from sopforge.evaluation.models.harness import keep_logging
from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
from sopforge.evaluation.runs.rows import LOGS, RunFolder
from sopforge.evaluation.runs.running import ask_for, choose_tasks, run_agent
from sopforge.evaluation.serving.attempts import Attempts
from sopforge.evaluation.serving.over_http import HttpServer
from sopforge.evaluation.serving.served import read_served
from sopforge.evaluation.serving.serving import Serving
from sopforge.harness.environment.events import Called, Event, read_events
from sopforge.harness.environment.session import Session
from sopforge.harness.grading.grades import Attempt, Grade, Stop
from sopforge.harness.scoring.agents import ReferenceAgent
from sopforge.language.logic.tool_calls import Refused
from tests.conftest import Released
from tests.worlds.releases import publish_orders
from tests.worlds.shared_builds import Shared

FEW = 6
Script = Mapping[str, Sequence[tuple[str, Mapping[str, Any]]]]


@dataclass(frozen=True)
class Done:
    """What became of a task: its grade, its events and its answer."""

    grade: Grade
    events: tuple[Event, ...]
    answer: str | None


@pytest.fixture(autouse=True)
def _keep_traces_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Have inspect write what it notes of itself where tests write."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="module", params=["patient_intake", "orders"])
def folder(request: pytest.FixtureRequest, released: Released, shared: Shared) -> Path:
    """Return a package without effects, and one with an action that changes records."""
    if request.param == "orders":
        return publish_orders(shared)
    return Path(released.published.packages["L0"])


@pytest.fixture(scope="module")
def package(folder: Path) -> ProvedPackage:
    """Return both sides of the package."""
    return read_proved(folder)


@pytest.fixture(scope="module")
def bare(package: ProvedPackage, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Done]:
    """Return what the gold agent does in the bare loop."""
    return run_bare(package, make_scripted_agent("gold", package), tmp_path_factory.mktemp("bare"))


def run_bare(package: ProvedPackage, agent: EvaluatedAgent, place: Path) -> dict[str, Done]:
    """Return what became of some tasks."""
    asked = ask_for(package, choose_tasks(package, FEW, 0), agent.name, 0)
    rows = run_agent(package, agent, asked, RunFolder(place))
    logs = (place / LOGS).read_text().splitlines()
    return {
        row.asked.task: Done(row.grade, *read_log(log)) for row, log in zip(rows, logs, strict=True)
    }


def read_log(line: str) -> tuple[tuple[Event, ...], str | None]:
    """Return the events of a line of a log, and its answer."""
    return read_events(line[line.index('"events": ') + 10 : -1]), json.loads(line)["answer"]


@dataclass
class GoldOverMcp:
    """The gold agent as a client: what it is replied, it reads from the texts of the SDK."""

    package: ProvedPackage
    name: str = "gold-over-mcp"
    given: dict[str, Session[Any]] = field(default_factory=dict)

    def solve(self, session: Session[Any]) -> None:
        attempts = Attempts(self.package.shown, lambda *_: session, is_choosing=False)
        with (
            HttpServer(attempts, frozenset()).run_beside() as url,
            start_blocking_portal() as portal,
            portal.wrap_async_context_manager(Client(f"{url}/mine")) as client,
        ):

            def call_tool(tool: str, given: Mapping[str, Any]) -> Mapping[str, object] | Refused:
                reply = portal.call(client.call_tool, tool, dict(given))
                text = getattr(reply.content[0], "text", "")
                if reply.is_error:
                    code, _, words = text.partition(": ")
                    return Refused(code, words)
                found: dict[str, object] = json.loads(text, parse_float=Decimal)
                return found

            task = f"sopforge://tasks/{session.state.task}"
            read = portal.call(client.read_resource, task).contents[0]
            inputs = json.loads(getattr(read, "text", ""))["inputs"]
            done = ReferenceAgent(self.package.graded.model).solve(inputs, call_tool)
            call_tool("answer", {"text": done.answer})


def test_a_client_of_the_sdk_gets_the_rows_of_the_bare_loop(
    package: ProvedPackage, bare: dict[str, Done], tmp_path: Path
) -> None:
    over = run_bare(package, GoldOverMcp(package), tmp_path)

    assert over == bare
    assert all(done.grade.is_right and done.grade.is_gold for done in over.values())
    assert sum(done.grade.calls for done in over.values()) > FEW


def write_script(bare: dict[str, Done], *, is_begun: bool) -> Script:
    """Return the calls of a model for each task: what was done in the bare loop."""
    script = {}
    for task, done in bare.items():
        calls = [
            (event.tool, event.arguments) for event in done.events if isinstance(event, Called)
        ]
        begun = [] if is_begun else [("begin_task", {"task_id": task})]
        script[task] = [*begun, *calls, ("answer", {"text": done.answer})]
    return script


def play(script: Script) -> Model:
    """Return a model that makes the calls of a script, one after the other."""

    def speak(
        messages: list[ChatMessage],
        tools: list[ToolInfo],  # noqa: ARG001 - as inspect calls it
        choice: ToolChoice,  # noqa: ARG001
        config: GenerateConfig,  # noqa: ARG001
    ) -> ModelOutput:
        calls = script[messages[0].text]
        place = sum(isinstance(message, ChatMessageTool) for message in messages)
        if place == len(calls):
            said = ModelOutput.from_content("mockllm/model", "Done.")
        else:
            tool, arguments = calls[place]
            plain = json.loads(json.dumps(dict(arguments), default=float))
            said = ModelOutput.for_tool_call("mockllm/model", tool, plain)
        # Without its usage, the model would ask the network how to count it.
        said.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return said

    return get_model("mockllm/model", custom_outputs=speak, memoize=False)


def run_inspect(script: Script, working: Solver, home: Path) -> list[Any]:
    """Return the samples of a run of inspect, each of which is one task."""
    with keep_logging():
        (log,) = run_tasks(
            Task(dataset=[Sample(input=task, id=task) for task in script], solver=working),
            model=play(script),
            log_dir=str(home),
            display="none",
            ctl_server=False,
            log_realtime=False,
            max_samples=4,
        )
    assert log.status == "success", log.error
    return log.samples or []


@solver
def connect(url: str, *, is_kept: bool) -> Solver:
    """Work at the address of the sample: on one connection, or on a new one for each call."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        server = mcp_server_http(url=f"{url}/{state.sample_id}")
        if is_kept:
            async with mcp_connection(server):
                state.tools = await server.tools()
                return await generate(state)
        state.tools = await server.tools()
        return await generate(state)

    return solve


@contextmanager
def serve(folder: Path, log: Path) -> Iterator[str]:
    """Serve a package, of which the sessions are logged."""
    served = read_served(folder)
    with (
        Serving(served, log=log).open_attempts() as attempts,
        HttpServer(attempts, served.read_only).run_beside() as url,
    ):
        yield url


def grade_log(package: ProvedPackage, log: Path) -> dict[str, Done]:
    """Return what became of the tasks of a log."""
    found = {}
    for line in log.read_text().splitlines():
        task = json.loads(line)["task"]
        events, answer = read_log(line)
        stop = Stop.GAVE_UP if answer is None else Stop.ANSWER
        found[task] = Done(package.grade(task, Attempt(events, answer, stop)), events, answer)
    return found


@pytest.mark.parametrize("is_kept", [True, False], ids=["one connection", "one for each call"])
def test_inspect_gets_the_rows_of_the_bare_loop_over_http(
    folder: Path, package: ProvedPackage, bare: dict[str, Done], tmp_path: Path, *, is_kept: bool
) -> None:
    script = write_script(bare, is_begun=False)
    with serve(folder, tmp_path / "log.jsonl") as url:
        samples = run_inspect(script, connect(url, is_kept=is_kept), tmp_path / "inspect")

    assert grade_log(package, tmp_path / "log.jsonl") == bare
    for sample in samples:
        replies = [said for said in sample.messages if isinstance(said, ChatMessageTool)]
        assert len(replies) == len(script[sample.id])
        called = [event for event in bare[sample.id].events if isinstance(event, Called)]
        refused = sum(bool(event.reply.refusal) for event in called)
        assert sum(said.error is not None for said in replies) == refused


@solver
def start(folder: Path, log: Path) -> Solver:
    """Work with a server of the sample's own, on standard input and output."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        given = ["mcp", str(folder), "--task", str(state.sample_id), "--log", str(log)]
        source = "from sopforge.cli import main; main()"
        server: MCPServer = mcp_server_stdio(command=sys.executable, args=["-c", source, *given])
        async with mcp_connection(server):
            state.tools = await server.tools()
            return await generate(state)

    return solve


def test_inspect_gets_the_rows_of_the_bare_loop_over_stdio(
    folder: Path, package: ProvedPackage, bare: dict[str, Done], tmp_path: Path
) -> None:
    chosen = dict([max(bare.items(), key=lambda item: item[1].grade.calls)])
    run_inspect(
        write_script(chosen, is_begun=True),
        start(folder, tmp_path / "log.jsonl"),
        tmp_path / "logs",
    )

    assert grade_log(package, tmp_path / "log.jsonl") == chosen
