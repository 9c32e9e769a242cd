"""The ReAct agent: turns of thought, action and observation in plain text.

As in the SOP-Bench papers (v2, section 4 and appendix A.2); no tool is called natively.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

from sopforge.evaluation.models.desk import Desk
from sopforge.evaluation.models.prompts import AgentPrompts
from sopforge.harness.environment.events import Called

MARK = "\nObservation:"
"""Where a model that goes on by itself is cut off: what it would observe is not its to write."""
_MARKS = re.compile(r"^[ \t]*\**(Action Input|Action|Final Answer)\**[ \t]*:\**", re.MULTILINE)
_FENCE = re.compile(r"^```\w*\s*|\s*```\s*$")


@dataclass(frozen=True, slots=True)
class Action:
    """A turn that calls a tool."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Final:
    """A turn that ends the case."""

    text: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """A turn that is neither; ``problem`` says what its input is that is no JSON object, if any."""

    problem: str = ""


Turn: TypeAlias = Action | Final | Malformed


@dataclass(frozen=True, slots=True)
class React:
    """Takes turns until one has a final answer; if there are tools, one is called before."""

    prompts: AgentPrompts

    async def solve(self, desk: Desk) -> None:
        """Solve the task of a desk.

        Raises:
            AttemptEndedError: the model may be asked no more, refuses, or its provider fails.
        """
        self.begin(desk)
        while True:
            output = await desk.ask(stops=[MARK])
            text = output.completion.partition(MARK)[0]
            # What it went on to make up itself is not to be read as said before.
            desk.messages[-1] = ChatMessageAssistant(content=text)
            if (answer := await self.take_turn(desk, text)) is not None:
                desk.session.finish(answer)
                return

    def begin(self, desk: Desk) -> None:
        """Put down what the model is given first."""
        seen = desk.session.observation
        tools = [
            {
                "name": tool.name,
                "description": tool.description,
                "schema": json.dumps(tool.parameters),
            }
            for tool in seen.tools
        ]
        system = self.prompts.write_system(sop=seen.sop, tools=tools)
        task = self.prompts.write_user(task=seen.task.text)
        desk.messages += [ChatMessageSystem(content=system), ChatMessageUser(content=task)]

    async def take_turn(self, desk: Desk, text: str) -> str | None:
        """Do what a turn says, and return the final answer once it has one that counts."""
        turn = read_turn(text)
        may_end = not desk.session.observation.tools or _has_called(desk)
        if isinstance(turn, Final) and may_end:
            return turn.text
        if isinstance(turn, Malformed) and not turn.problem and desk.is_heard:
            desk.messages.append(ChatMessageUser(content=desk.say(text, self.prompts)))
            return None
        # Said, and not called or answered: the log has it for whoever reads the attempt.
        desk.session.note(text)
        if isinstance(turn, Action):
            reply = await desk.call(turn.tool, turn.arguments)
            said = self.prompts.write("observation", text=reply.as_text())
        elif isinstance(turn, Final):
            said = self.prompts.write("call_first")
        elif turn.problem:
            said = self.prompts.write("no_json", problem=turn.problem)
        else:
            said = self.prompts.write("no_action")
        desk.messages.append(ChatMessageUser(content=said))
        return None


def read_turn(text: str) -> Turn:
    """Return what a turn says: the first of an action and a final answer that it has."""
    marks = [(found[1], found.start(), found.end()) for found in _MARKS.finditer(text)]
    first = next((mark for mark in marks if mark[0] != "Action Input"), None)
    if first is None:
        return Malformed()
    kind, _, end = first
    if kind == "Final Answer":
        return Final(text[end:].strip())
    after = [mark for mark in marks if mark[1] >= end]
    tool = text[end : after[0][1] if after else len(text)].strip().strip("`*\"' ")
    if not after or after[0][0] != "Action Input":
        return Malformed("there is none")
    stop = after[1][1] if len(after) > 1 else len(text)
    return _read_action(tool, text[after[0][2] : stop])


def _read_action(tool: str, text: str) -> Turn:
    written = _FENCE.sub("", text.strip())
    try:
        # What stands after the object, such as a thought of what it will return, is not read.
        found, _ = json.JSONDecoder(parse_float=Decimal).raw_decode(written)
    except (ValueError, RecursionError) as cause:
        return Malformed(str(cause))
    return Action(tool, found) if isinstance(found, dict) else Malformed("it is another value")


def _has_called(desk: Desk) -> bool:
    return any(isinstance(event, Called) for event in desk.session.state.events)
