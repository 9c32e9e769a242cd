"""What a run says of the stages that it comes to, as it does and at its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sopforge.pipeline.stages.pipeline import StageReport


class StageLog:
    """Says one line of each stage, with what was ``spent`` on it, and keeps all for the end."""

    def __init__(self, say: Callable[[str], None], spent: Callable[[str], str]) -> None:
        self._by_stage: dict[str, StageReport] = {}
        self._say = say
        self._spent = spent
        self._waiting = ""

    @property
    def reported(self) -> list[StageReport]:
        """The stages that the run came to, each as it came out last."""
        return list(self._by_stage.values())

    def go_back(self, why: str) -> None:
        """Say why the run goes through stages again."""
        self._say(why)

    def report(self, stage: StageReport) -> None:
        """Take in where a version stands."""
        from sopforge.pipeline.runs.run import describe_stage
        from sopforge.store.log.audit_log import GateState
        from sopforge.workspace import STAGE_NAMES

        name, state = stage.version.manifest.stage, stage.at_gate.state
        # Of a run that went back, what came later the first time counts no more.
        before = STAGE_NAMES[: STAGE_NAMES.index(name)]
        kept = {other: found for other, found in self._by_stage.items() if other in before}
        self._by_stage = {**kept, name: stage}
        line, spent = describe_stage(stage), self._spent(name)
        if state is GateState.WAITING:
            self._waiting = name
        elif state is GateState.PROVISIONAL:
            line = f"{line}: {self._waiting} is not approved"
        self._say(line + (f"; {spent}" if spent else ""))
