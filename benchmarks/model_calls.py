"""What a model's reply costs this process: the bare SDK, inspect alone, and our agents on it."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from anthropic import AsyncAnthropic
from inspect_ai import Task as InspectTask
from inspect_ai import eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, GenerateConfig, execute_tools, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolDef, ToolParams
from rich.table import Table

from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.session import Session, open_session
from tests.running.commands import run
from tests.servers.model_server import model_server
from tests.worlds.model_players import make_player

MODEL, AT_ONCE = "claude-test-1", 10
CONFIG = GenerateConfig(temperature=0.5, max_tokens=8000, max_connections=AT_ONCE)


def model_calls(place: Path) -> Table:
    """Return the CPU of a reply in this process, tools and provider in others, at ten at once."""
    package = read_proved(place)
    tasks = list(package.shown.tasks)
    shown = Table(title="a model's reply", box=None, title_justify="left")
    for column in ("loop", "replies", "CPU ms a reply", "beside inspect alone"):
        shown.add_column(column, justify="right")
    seeds = count()
    with _serve(place), TemporaryDirectory() as out:
        runs: Sequence[tuple[str, Callable[[], None]]] = (
            ("bare SDK", lambda: _run_bare(package, tasks)),
            ("inspect alone", lambda: _run_inspect(package, tasks, out)),
            # Another seed each time: what has a row is not run again.
            ("function-calling", lambda: _run_ours(place, f"{out}/ours", next(seeds))),
        )
        # Each first run pays for what is imported and opened once.
        for _, run in runs:
            run()
        replies = sum(len(task.calls) + 1 for task in package.graded.tasks)
        took = {name: _measure(run) / replies * 1000 for name, run in runs}
    for name, cost in took.items():
        beside = f"{cost - took['inspect alone']:+.1f} ms"
        shown.add_row(name, str(replies), f"{cost:.1f}", beside)
    return shown


def _measure(run: Callable[[], None]) -> float:
    started = time.process_time()
    run()
    return time.process_time() - started


@contextmanager
def _serve(place: Path) -> Iterator[None]:
    """Have a process of its own play the model."""
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_play, args=(place, there))
    server.start()
    os.environ["ANTHROPIC_BASE_URL"] = here.recv()
    os.environ["ANTHROPIC_API_KEY"] = "unused"
    try:
        yield
    finally:
        here.send("end")
        server.join()


def _play(place: Path, line: Connection) -> None:
    with model_server() as server:
        server.answer = make_player(read_proved(place).graded.tasks)
        line.send(server.url)
        line.recv()


def _run_bare(package: ProvedPackage, tasks: Sequence[str]) -> None:
    shown = package.shown
    tools = [
        {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
        for tool in shown.tools
    ]

    async def solve(client: AsyncAnthropic, session: Session[Any]) -> None:
        text = session.observation.task.text
        messages: list[Any] = [{"role": "user", "content": text}]
        while session.state.answer is None:
            reply = await client.messages.create(
                model=MODEL,
                max_tokens=CONFIG.max_tokens or 0,
                system=shown.sop,
                messages=messages,
                tools=tools,  # type: ignore[arg-type] # JSON as published
            )
            messages.append({"role": "assistant", "content": reply.content})
            used = [block for block in reply.content if block.type == "tool_use"]
            if not used:
                session.finish("".join(b.text for b in reply.content if b.type == "text"))
            results = [
                {
                    "type": "tool_result",
                    "tool_use_id": block.id,
                    "content": session.call(
                        block.name, cast("dict[str, Any]", block.input)
                    ).as_text(),
                }
                for block in used
            ]
            messages.append({"role": "user", "content": results})

    async def solve_all(environment: Environment[Any]) -> None:
        places = asyncio.Semaphore(AT_ONCE)
        async with AsyncAnthropic() as client:

            async def solve_one(task: str) -> None:
                async with places:
                    await solve(client, open_session(environment, task))

            await asyncio.gather(*(solve_one(task) for task in tasks))

    with package.open_environment() as environment:
        asyncio.run(solve_all(environment))


def _run_inspect(package: ProvedPackage, tasks: Sequence[str], out: str) -> None:
    """Run what a user of inspect would write: its own tools, its own loop, its own log."""
    shown = package.shown

    def make_tools(session: Session[Any]) -> list[Tool]:
        def make(name: str) -> Callable[..., Any]:
            async def execute(**given: Any) -> str:  # noqa: ANN401 - as inspect wants it
                return session.call(name, given).as_text()

            return execute

        return [
            ToolDef(
                make(tool.name),
                name=tool.name,
                description=tool.description,
                parameters=ToolParams.model_validate(tool.parameters),
            ).as_tool()
            for tool in shown.tools
        ]

    @solver
    def work(environment: Environment[Any]) -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 - protocol
            session = open_session(environment, str(state.sample_id))
            tools, model = make_tools(session), get_model()
            state.messages.insert(0, ChatMessageSystem(content=shown.sop))
            while session.state.answer is None:
                output = await model.generate(state.messages, tools=tools, config=CONFIG)
                state.messages.append(output.message)
                if not output.message.tool_calls:
                    session.finish(output.completion)
                    break
                done = await execute_tools(state.messages, tools)
                state.messages += done.messages
            return state

        return solve

    samples = [Sample(id=task, input=shown.tasks[task].text) for task in tasks]
    with package.open_environment() as environment:
        evaluate(
            InspectTask(dataset=MemoryDataset(samples), solver=work(environment)),
            model=get_model(f"anthropic/{MODEL}", memoize=False),
            display="none",
            log_dir=out,
            log_level="error",
            log_realtime=False,
            ctl_server=False,
            max_samples=AT_ONCE,
            max_connections=AT_ONCE,
        )


def _run_ours(place: Path, out: str, seed: int) -> None:
    options = f"--agent function-calling --model anthropic/{MODEL} --concurrency {AT_ONCE}"
    named = ["--seed", str(seed), "--out", out]
    done = run("evaluate", str(place), *options.split(), *named)
    if done.code:
        raise RuntimeError(done.err)
