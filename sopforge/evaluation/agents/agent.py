"""What an agent is to an evaluation: whatever works in a session."""

from __future__ import annotations

from typing import Any, Protocol

from sopforge.harness.environment.session import Session
from sopforge.harness.grading.grades import Stop


class AttemptEndedError(Exception):
    """An attempt came to an end without the agent's final text."""

    def __init__(self, stop: Stop, says: str) -> None:
        super().__init__(says)
        self.stop = stop


class EvaluatedAgent(Protocol):
    """Works in a session until it gives its final text, or gives up."""

    @property
    def name(self) -> str:
        """The name by which it was asked for."""

    def solve(self, session: Session[Any]) -> None:
        """Solve the task of a session."""
