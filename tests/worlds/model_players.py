"""A language model that is none: it knows the gold calls of each task, and errs where asked to."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sopforge.harness.scoring.trajectories import write_answer
from sopforge.language.domain.tasks import Task
from tests.servers.model_server import Act, Message, Seen


@dataclass(frozen=True)
class Call:
    """A turn that calls a tool."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Text:
    """A turn that says something, the final text as a rule."""

    text: str


@dataclass(frozen=True)
class Ask:
    """A turn that says something to the user."""

    text: str


Play = Sequence[Call | Text | Ask]


def play_gold(task: Task) -> Play:
    """Return the turns of one who makes no mistake."""
    calls = [
        Call(call.tool, json.loads(json.dumps(call.arguments, default=str))) for call in task.calls
    ]
    return [*calls, Text(write_answer(task.outcomes))]


@dataclass
class Player:
    """Answers the requests of model agents, each turn as the play of its task has it.

    ``plays`` are by the text of a task; a conversation's turn is counted by its own messages.
    """

    plays: Mapping[str, Play]
    asked: list[str] = field(default_factory=list)

    def __call__(self, seen: Seen) -> Act:
        """Return the next turn of a conversation."""
        messages = seen.body["messages"]
        text = _read_text(messages[0]["content"])
        turn = sum(message["role"] == "assistant" for message in messages)
        self.asked.append(f"{text[-80:]} {turn}")
        play = self.plays[text]
        move = play[min(turn, len(play) - 1)]
        return _move_natively(move, turn) if seen.body.get("tools") else _move_in_text(move)


def make_player(tasks: Sequence[Task], play: Callable[[Task], Play] = play_gold) -> Player:
    """Return who plays the tasks of a package."""
    return Player({task.text.strip(): play(task) for task in tasks})


def _move_natively(move: Call | Text | Ask, turn: int) -> Message:
    if isinstance(move, Text | Ask):
        return Message([{"type": "text", "text": move.text}])
    used = {
        "type": "tool_use",
        "id": f"call_{turn}",
        "name": move.tool,
        "input": dict(move.arguments),
    }
    return Message([used], "tool_use")


def _move_in_text(move: Call | Text | Ask) -> Message:
    if isinstance(move, Ask):
        text = move.text
    elif isinstance(move, Text):
        text = f"Thought: it is done.\nFinal Answer: {move.text}"
    else:
        text = f"Thought: go on.\nAction: {move.tool}\nAction Input: {json.dumps(move.arguments)}"
    return Message([{"type": "text", "text": text}])


def _read_text(content: Any) -> str:  # noqa: ANN401 - JSON of the API
    if isinstance(content, str):
        return content.strip()
    return "".join(block.get("text", "") for block in content).strip()
