"""A walk through the stages of a brief: what each is made from are the versions taken before it."""

from __future__ import annotations

from dataclasses import dataclass, field

from sopforge.authors.writers.author import Author
from sopforge.checks.finding_memo import FindingMemo
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.stages.building.orders import Order, build_order, name_files
from sopforge.pipeline.stages.stage import Stage
from sopforge.store.log.audit_log import AtGate, AuditLog, GateState
from sopforge.store.versions import DomainStore, Store, Version
from sopforge.workspace import Workspace


@dataclass(slots=True)
class StageWalk:
    """Goes through the stages in their order, and takes a version of each.

    ``log`` is what was decided, as it stood when the walk began; ``memo`` has what checks found
    since then.
    """

    store: Store
    brief: Brief
    author: Author
    log: AuditLog = field(init=False)
    memo: FindingMemo = field(init=False)
    taken: list[Version] = field(default_factory=list, init=False)
    _workspace: Workspace = field(init=False)
    _unread: list[Version] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.log = AuditLog(self.domain).take_snapshot()
        self.memo = FindingMemo(self.brief)
        self._workspace = Workspace(self.brief, {})

    @property
    def domain(self) -> DomainStore:
        """The domain of the brief."""
        return self.store.get_domain(self.brief.parts.domain)

    def build_order(self, stage: Stage) -> Order:
        """Return what the next version of a stage is to be made from."""
        # Files are read only once a later stage asks for them: most walks end at a gate before.
        for version in self._unread:
            self._workspace = self._workspace.with_files(name_files(version))
        self._unread.clear()
        return build_order(
            self.domain, stage, self._workspace, self.author, log=self.log, memo=self.memo
        )

    def find_version(self, stage: Stage) -> Version | None:
        """Return the version of a stage that what was taken leads to, if there is one."""
        return self.domain.find(stage.name, self.build_order(stage).key)

    def take(self, version: Version) -> None:
        """Have later stages be made from a version."""
        self.taken.append(version)
        self._unread.append(version)

    def compute_gate_state(self, stage: Stage, version: Version) -> GateState:
        """Return where a version stood when the log was read."""
        return self.compute_gate_standing(stage, version).state

    def compute_gate_standing(self, stage: Stage, version: Version) -> AtGate:
        """Return the same with the approvals that it had."""
        return self.log.compute_gate_standing(version, self.count_approvers(stage))

    def count_approvers(self, stage: Stage) -> int:
        """Return how many persons must approve a version of a stage."""
        return self.brief.parts.gates.count_approvers(stage.name)
