"""What a run says of the stages that it comes to, as it does and at its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sopforge.stages.pipeline import StageReport


class StageLog:
    """Says one line of each stage, with what was ``spent`` on it, and keeps all for the end."""

    def __init__(self, say: Callable[[str], None], spent: Callable[[str], str]) -> None:
        self.reported: list[StageReport] = []
        self._say = say
        self._spent = spent
        self._waiting = ""

    def report(self, stage: StageReport) -> None:
        """Take in where a version stands."""
        from sopforge.runs.run import describe_stage
        from sopforge.store.log.audit_log import GateState

        self.reported.append(stage)
        name, state = stage.version.manifest.stage, stage.at_gate.state
        line, spent = describe_stage(stage), self._spent(name)
        if state is GateState.WAITING:
            self._waiting = name
        elif state is GateState.PROVISIONAL:
            line = f"{line}: {self._waiting} is not approved"
        self._say(line + (f"; {spent}" if spent else ""))
