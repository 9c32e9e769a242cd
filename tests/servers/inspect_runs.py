"""Runs of inspect whose model makes the calls of a script, at servers of packages over MCP."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

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

from sopforge.evaluation.models.harness import keep_logging

Script: TypeAlias = Mapping[str, Sequence[tuple[str, Mapping[str, Any]]]]


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
