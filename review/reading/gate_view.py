"""Where versions stand at their gates: who decided what, and how many are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.errors import Fault, StoreError
from sopforge.pipeline.briefs.brief_files import load_latest_brief
from sopforge.pipeline.gates.stage_states import DomainStanding, StageState
from sopforge.store.course import find_current_version
from sopforge.store.entries import DeciderKind, Decision, DecisionVerdict
from sopforge.store.log.audit_log import AuditLog, GateState, select_decisions_on
from sopforge.store.versions import DomainStore, Version
from sopforge.workspace import STAGE_NAMES

Intact: TypeAlias = Callable[[Version], bool]
"""Returns whether the files of a version are those that were stored."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A version at its gate, the decisions on it, and the version that waits in the domain."""

    standing: StageState
    decisions: tuple[Decision, ...]
    approvers: int
    waiting: Version | None

    @property
    def version(self) -> Version:
        """The version that stands there."""
        return self.standing.version

    @property
    def state(self) -> GateState:
        """Where it stands."""
        return self.standing.state

    @property
    def is_open(self) -> bool:
        """Whether this version is the one that waits for a decision."""
        waits = self.waiting is not None and self.waiting.name == self.version.name
        return waits and self.state is GateState.WAITING

    @property
    def approvals(self) -> tuple[Decision, ...]:
        """The approvals, oldest first."""
        return tuple(item for item in self.decisions if item.verdict is DecisionVerdict.APPROVE)

    @property
    def missing(self) -> int:
        """How many more persons must approve."""
        persons = {item.by for item in self.approvals if item.kind is DeciderKind.PERSON}
        return max(0, self.approvers - len(persons))

    @property
    def words(self) -> str:
        """Where the version stands, as a person says it."""
        return self.standing.description

    def has_decided(self, name: str) -> bool:
        """Return whether somebody has decided on this version."""
        return any(item.by == name for item in self.decisions)


@dataclass(frozen=True, slots=True)
class StageRow:
    """A stage of a domain, and its version that counts, if there is one."""

    stage: str
    gate: Gate | None


class GateView:
    """A look at a domain: what is decided, what waits, and which versions count, read once."""

    def __init__(self, domain: DomainStore) -> None:
        self._domain = domain
        self._gates = load_latest_brief(domain).parts.gates
        self._standing = DomainStanding.read(domain, self._gates)
        self._waiting = domain.find_waiting_version()

    def get_gate(self, version: Version, *, is_intact: bool = True) -> Gate:
        """Return where a version stands; whoever shows its files finds out if they are intact."""
        about = select_decisions_on(version.manifest, self._standing.log.list_entries())
        return Gate(
            self._standing.build_stage_state(version, is_intact=is_intact),
            tuple(about),
            self._gates.count_approvers(version.manifest.stage),
            self._waiting,
        )

    def iterate_stages(self, intact: Intact) -> Iterator[StageRow]:
        """Return all stages in order."""
        for stage in STAGE_NAMES:
            version = find_current_version(self._domain, stage)
            gate = None if version is None else self.get_gate(version, is_intact=intact(version))
            yield StageRow(stage, gate)


def read_entry_words(domain: DomainStore, entries: Iterable[Decision]) -> Mapping[int, str]:
    """Return what was said with entries, by their numbers; what is damaged says so itself."""
    log = AuditLog(domain)
    return {entry.sequence: _read_words(log, entry) for entry in entries}


def _read_words(log: AuditLog, entry: Decision) -> str:
    try:
        return log.read_words(entry)
    except StoreError as refused:
        return "; ".join(f"[{fault.message}: {fault.where}]" for fault in refused.faults)


def find_version(domain: DomainStore, stage: str, number: str) -> Version:
    """Return a version by its number, the one that counts where none is given.

    Raises:
        StoreError: there is none.
    """
    if not number:
        found = find_current_version(domain, stage)
    else:
        versions = domain.list_versions(stage)
        found = next((item for item in versions if str(item.number) == number), None)
    if found is None:
        message = f"'{domain}' has no version {number[:12]} of {stage}".replace("  ", " ")
        hint = "open the page of the domain, which lists its stages and versions"
        raise StoreError(Fault("unknown-version", message, domain.name, hint))
    return found
