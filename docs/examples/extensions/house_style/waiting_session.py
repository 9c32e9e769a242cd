"""Sessions in which each call is answered only once it was made often enough.

Packages carry this file as it is: it needs Python's standard library alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

WAIT = "please_wait"


class Layer:
    """Keeps how often each call was made."""

    def __init__(self, data: Mapping[str, Any], write: Callable[[Any], str]) -> None:
        self.dose = data["dose"]
        self.write = write

    def find_inner(self, task: str) -> str:
        """Return the task that a task is without the layer."""
        return task

    def begin(self, task: str) -> dict[str, int]:  # noqa: ARG002 - it is the same for all
        """Return what it keeps before the first call of a session: no call was made."""
        return {}

    def answer(
        self, kept: Mapping[str, int], tool: str, given: Mapping[str, Any], call: Callable[..., Any]
    ) -> tuple[dict[str, int], Any]:
        """Return what it keeps after a call, and the reply: a result, or a code with its words."""
        name = f"{tool} {self.write(given)}"
        made = kept.get(name, 0)
        after = {**kept, name: made + 1}
        if made < self.dose:
            return after, (None, WAIT, "make the same call again")
        return after, call(tool, given)
