"""The lines of JSON by which programs speak with each other: what an agent writes and reads.

What agents write is read alike by all that serve them, and by the environment that packages
carry, of which the reader comes.
"""

from __future__ import annotations

import json

from sopforge.harness.environment.events import Reply
from sopforge.harness.environment.machine import Observation
from sopforge.session.environment import (
    LONGEST_LINE,
    Act,
    LineError,
    read_act,
    read_object,
    write_json,
)

__all__ = [
    "LONGEST_LINE",
    "Act",
    "LineError",
    "describe_error",
    "describe_observation",
    "describe_reply",
    "read_act",
    "read_object",
]


def describe_error(cause: Exception) -> str:
    """Return what a line is answered that changed nothing."""
    return write_json({"error": str(cause)})


def describe_observation(seen: Observation) -> str:
    """Return what an agent may see when it begins."""
    tools = [
        {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
        for tool in seen.tools
    ]
    task = {"id": seen.task.id, "text": seen.task.text, "inputs": dict(seen.task.inputs)}
    return json.dumps({"sop": seen.sop, "tools": tools, "task": task}, ensure_ascii=False)


def describe_reply(reply: Reply) -> str:
    """Return what a call is answered."""
    return write_json(reply.as_record())
