"""An agent that calls the first tool with the task's inputs, and answers with what it returns."""

from __future__ import annotations

import json
from typing import Any

from sopforge.harness.environment.session import Session


def work(session: Session[Any]) -> str:
    """Return the final text."""
    shown = session.observation
    called = session.call(shown.tools[0].name, dict(shown.task.inputs))
    return json.dumps(called.result, default=str)
