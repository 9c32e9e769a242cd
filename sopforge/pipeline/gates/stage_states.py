"""Where the stages of a domain stand, also in words: which version counts, and who approved it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sopforge.findings import Severity
from sopforge.language.domain.documents.schema import GatesDocument
from sopforge.pipeline.briefs.brief_files import load_latest_brief
from sopforge.pipeline.gates.gate import find_blocking_stage
from sopforge.store.course import Course, find_current_version, load_course
from sopforge.store.log.audit_log import AtGate, AuditLog, GateState
from sopforge.store.overview import count_severities
from sopforge.store.versions import DomainStore, Version
from sopforge.store.waiting import Waiting
from sopforge.workspace import STAGE_NAMES


@dataclass(frozen=True, slots=True)
class StageState:
    """The version of a stage that counts, and where it stands, also in words.

    ``waits_for`` is the stage that waits before a provisional one, else "". What is not
    ``is_reached`` lies after the stage at which the newest run ended.
    """

    version: Version
    state: GateState
    description: str
    waits_for: str
    is_reached: bool
    is_intact: bool

    @property
    def is_outdated(self) -> bool:
        """Whether it is from before the last change, and not yet looked at again after that."""
        return not self.is_reached and not self.waits_for

    @property
    def findings(self) -> Mapping[Severity, int]:
        """How many findings there are, by severity."""
        return count_severities(self.version.manifest.findings)


def list_stage_states(domain: DomainStore) -> list[StageState]:
    """Return where each stage of a domain stands that has a version that counts."""
    standing = DomainStanding.read(domain, load_latest_brief(domain).parts.gates)
    versions = [find_current_version(domain, stage) for stage in STAGE_NAMES]
    found = [version for version in versions if version is not None]
    return [standing.build_stage_state(item, is_intact=item.is_intact) for item in found]


@dataclass(frozen=True, slots=True)
class DomainStanding:
    """What is read of a domain to see where its versions stand."""

    gates: GatesDocument
    log: AuditLog
    waiting: Waiting | None
    course: Course

    @classmethod
    def read(cls, domain: DomainStore, gates: GatesDocument) -> DomainStanding:
        """Read it; ``gates`` are those that the kept brief asks for.

        Raises:
            StoreError: the audit log is broken, or the store cannot be read.
        """
        return cls(
            gates,
            AuditLog(domain).take_snapshot(),
            domain.find_waiting(),
            load_course(domain),
        )

    def build_stage_state(self, version: Version, *, is_intact: bool) -> StageState:
        """Return where a version stands; whether it ``is_intact`` takes reading all its files."""
        blocking = self._find_blocking_stage(version)
        return StageState(
            version,
            GateState.PROVISIONAL if blocking else self._get_gate_state(version).state,
            self._describe_state(version) if is_intact else "files were changed",
            blocking,
            self._is_reached(version),
            is_intact,
        )

    def _find_blocking_stage(self, version: Version) -> str:
        return find_blocking_stage(self.waiting, version)

    def _get_gate_state(self, version: Version) -> AtGate:
        return self.log.compute_gate_standing(
            version, self.gates.count_approvers(version.manifest.stage)
        )

    def _is_reached(self, version: Version) -> bool:
        return not self.course.versions or self.course.has_come_to(version.manifest.stage)

    def _describe_state(self, version: Version) -> str:
        """Return where a version stands and by whose approvals, in words."""
        own, blocking = self._get_gate_state(version), self._find_blocking_stage(version)
        if blocking:
            reason = f"provisional: {blocking} is not approved"
            return reason if own.state is GateState.WAITING else f"{own.description}; {reason}"
        if self._is_reached(version):
            return own.description
        last = self.course.last
        return f"{own.description}; from before the last change, looked at again after the {last}"
