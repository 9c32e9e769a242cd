"""Agents that call tools natively: with a cap, with a budget, or with the SOP to look things up in.

The first is the function-calling agent of the SOP-Bench papers (v2, section 4 and appendix A.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from inspect_ai.model import ChatMessageSystem, ChatMessageTool, ChatMessageUser
from inspect_ai.tool import ToolCall, ToolCallError, ToolInfo, ToolParams
from inspect_ai.util import JSONSchema

from sopforge.evaluation.models.desk import Desk
from sopforge.evaluation.models.passages import PassageIndex
from sopforge.evaluation.models.prompts import AgentPrompts
from sopforge.harness.environment.machine import Observation
from sopforge.harness.environment.shown import ShownTool
from sopforge.harness.scoring.trajectories import read_answer

SEARCH, QUERY = "search_procedure", "query"


@dataclass(frozen=True, slots=True)
class FunctionCalling:
    """Calls tools until a message has no call: that one is its answer."""

    prompts: AgentPrompts

    async def solve(self, desk: Desk) -> None:
        """Solve the task of a desk.

        Raises:
            AttemptEndedError: the model may be asked no more, refuses, or its provider fails.
        """
        seen = desk.session.observation
        system = self.prompts.write_system(sop=seen.sop)
        await run_conversation(
            desk, self.prompts, system, [describe_tool(tool) for tool in seen.tools]
        )


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Holds the names of the SOP's sections, and looks up what they say with a tool of its own."""

    prompts: AgentPrompts

    async def solve(self, desk: Desk) -> None:
        """Solve the task of a desk.

        Raises:
            AttemptEndedError: the model may be asked no more, refuses, or its provider fails.
        """
        seen = desk.session.observation
        index, name = PassageIndex(seen.sop), choose_search_name(seen)
        system = self.prompts.write_system(search=name, headings=index.headings)
        tools = [describe_tool(tool) for tool in seen.tools]
        await run_conversation(
            desk, self.prompts, system, [*tools, self.describe_search(name)], index
        )

    def describe_search(self, name: str) -> ToolInfo:
        """Return the tool that looks passages up."""
        query = JSONSchema(type="string", description=self.prompts.write("query"))
        parameters = ToolParams(properties={QUERY: query}, required=[QUERY])
        return ToolInfo(name=name, description=self.prompts.write("search"), parameters=parameters)


async def run_conversation(
    desk: Desk,
    prompts: AgentPrompts,
    system: str,
    tools: Sequence[ToolInfo],
    index: PassageIndex | None = None,
) -> None:
    """Go on asking and calling until a message has no call; the last tool searches the ``index``.

    Raises:
        AttemptEndedError: the model may be asked no more, refuses, or its provider fails.
    """
    task = prompts.write_user(task=desk.session.observation.task.text)
    desk.messages += [ChatMessageSystem(content=system), ChatMessageUser(content=task)]
    search = tools[-1].name if index else ""
    while True:
        output = await desk.ask(tools)
        calls, text = output.message.tool_calls or [], output.completion
        if not calls and (read_answer(text) or not desk.is_heard):
            desk.session.finish(text)
            return
        if not calls:
            desk.messages.append(ChatMessageUser(content=desk.say(text, prompts)))
        elif text.strip():
            desk.session.note(text)
        for call in calls:
            if index and call.function == search:
                found = index.find(str(call.arguments.get(QUERY, ""))) or prompts.write("nothing")
                desk.messages.append(_make_message(call, found))
            else:
                desk.messages.append(await _make_call(desk, call))


def describe_tool(tool: ShownTool) -> ToolInfo:
    """Return a tool as inspect hands it to providers."""
    parameters = ToolParams.model_validate(tool.parameters)
    return ToolInfo(name=tool.name, description=tool.description, parameters=parameters)


def choose_search_name(seen: Observation) -> str:
    """Return a name for the tool that looks passages up, which no tool of the package has."""
    taken = {tool.name for tool in seen.tools}
    name = SEARCH
    while name in taken:
        name += "_"
    return name


async def _make_call(desk: Desk, call: ToolCall) -> ChatMessageTool:
    if call.parse_error is not None:
        # Nothing was called, for nobody knows with what.
        return _make_message(call, call.parse_error, error="parsing")
    reply = await desk.call(call.function, call.arguments)
    return _make_message(call, reply.as_text(), error="unknown" if reply.refusal else None)


def _make_message(
    call: ToolCall, text: str, error: Literal["parsing", "unknown"] | None = None
) -> ChatMessageTool:
    failed = ToolCallError(error, text) if error else None
    return ChatMessageTool(content=text, tool_call_id=call.id, function=call.function, error=failed)
