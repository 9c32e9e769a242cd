"""What a run says of the stages that it comes to, as it does and at its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sopforge.store.log.decisions import AtGate
    from sopforge.store.versions import Version


class StageLog:
    """Says one line of each stage, with what was ``spent`` on it, and keeps all for the end."""

    def __init__(self, say: Callable[[str], None], spent: Callable[[str], str]) -> None:
        self.reported: list[tuple[Version, AtGate]] = []
        self._say = say
        self._spent = spent
        self._waiting = ""

    def report(self, version: Version, at_gate: AtGate) -> None:
        """Take in where a version stands."""
        from sopforge.runs.run import describe_stage
        from sopforge.store.log.decisions import GateState

        self.reported.append((version, at_gate))
        line, spent = describe_stage(version, at_gate), self._spent(version.manifest.stage)
        if at_gate.state is GateState.WAITING:
            self._waiting = version.manifest.stage
        elif at_gate.state is GateState.PROVISIONAL:
            line = f"{line}: {self._waiting} is not approved"
        self._say(line + (f"; {spent}" if spent else ""))
