"""An agent gets the same rows in the bare loop, over MCP, and from inspect."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client

from sopforge.evaluation.agents.agent import EvaluatedAgent
from sopforge.evaluation.agents.scripted import make_scripted_agent
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
Script: TypeAlias = Mapping[str, Sequence[tuple[str, Mapping[str, Any]]]]


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
    from tests.servers.inspect_runs import connect, run_inspect

    script = write_script(bare, is_begun=False)
    with serve(folder, tmp_path / "log.jsonl") as url:
        samples = run_inspect(script, connect(url, is_kept=is_kept), tmp_path / "inspect")

    assert grade_log(package, tmp_path / "log.jsonl") == bare
    for sample in samples:
        replies = [said for said in sample.messages if said.role == "tool"]
        assert len(replies) == len(script[sample.id])
        called = [event for event in bare[sample.id].events if isinstance(event, Called)]
        refused = sum(bool(event.reply.refusal) for event in called)
        assert sum(said.error is not None for said in replies) == refused


def test_inspect_gets_the_rows_of_the_bare_loop_over_stdio(
    folder: Path, package: ProvedPackage, bare: dict[str, Done], tmp_path: Path
) -> None:
    from tests.servers.inspect_runs import run_inspect, start

    chosen = dict([max(bare.items(), key=lambda item: item[1].grade.calls)])
    run_inspect(
        write_script(chosen, is_begun=True),
        start(folder, tmp_path / "log.jsonl"),
        tmp_path / "logs",
    )

    assert grade_log(package, tmp_path / "log.jsonl") == chosen
