"""The lines of JSON by which programs speak with each other: what an agent reads."""

from __future__ import annotations

import json

from sopforge.harness.environment.events import Reply
from sopforge.harness.environment.machine import Observation
from sopforge.session.environment import write_json


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
