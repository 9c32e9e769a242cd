"""Decisions at gates: each one a file, each file the next entry of the domain's audit log.

A decision covers the content, the inputs and the findings that were shown. Files are numbered and
each holds the digest of the one before, so that a changed or missing entry shows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from sopforge.errors import Fault, StoreError
from sopforge.store.digests import digest_of, digest_text
from sopforge.store.files import read_text, write_exclusively
from sopforge.store.local import LocalStore, Manifest, Version


class Verdict(StrEnum):
    """What was decided."""

    APPROVE = "approve"
    REQUEST_CHANGES = "request_changes"
    REJECT = "reject"


class DeciderKind(StrEnum):
    """Who decided: a person, or a policy that a person chose."""

    PERSON = "person"
    POLICY = "policy"


POLICY_NAME = "approve-clean"
"""Of the one policy that there is, which no person shares."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An entry of the audit log; ``at`` is UTC, ``previous`` the digest of the entry before."""

    sequence: int
    previous: str
    at: str
    domain: str
    stage: str
    key: str
    content: str
    findings: str
    verdict: Verdict
    by: str
    kind: DeciderKind
    feedback: str = ""


class GateState(StrEnum):
    """Where a version stands at its gate."""

    WAITING = "waiting"
    APPROVED = "approved"
    CHANGES_REQUESTED = "changes requested"
    REJECTED = "rejected"


_STATES = {
    Verdict.APPROVE: GateState.APPROVED,
    Verdict.REQUEST_CHANGES: GateState.CHANGES_REQUESTED,
    Verdict.REJECT: GateState.REJECTED,
}


class AuditLog:
    """The decisions of one domain, in order."""

    def __init__(self, store: LocalStore, domain: str) -> None:
        self.store = store
        self.domain = domain
        self.folder = store.folder(domain) / "decisions"

    def entries(self) -> list[Decision]:
        """Return all decisions.

        Raises:
            StoreError: an entry is missing, cannot be read, or was changed after the next one
                was written.
        """
        decisions, previous = [], ""
        for number, path in enumerate(sorted(self.folder.glob("[0-9]*.json")), start=1):
            text = read_text(path)
            decision = _read_decision(text, path)
            if decision.sequence != number or decision.previous != previous:
                message = f"entry {number} does not follow the entry before it"
                raise StoreError(Fault("audit-log-broken", message, str(path), "restore the log"))
            decisions.append(decision)
            previous = digest_text(text)
        return decisions

    def head(self) -> str:
        """Return the digest of the newest entry, empty if there is none."""
        paths = sorted(self.folder.glob("[0-9]*.json"))
        return digest_text(read_text(paths[-1])) if paths else ""

    def state(self, version: Version) -> GateState:
        """Return the state of a version: the newest decision about it counts."""
        about = _about(version.manifest, self.entries())
        return _STATES[about[-1].verdict] if about else GateState.WAITING

    def decide(
        self, version: Version, verdict: Verdict, by: str, kind: DeciderKind, feedback: str = ""
    ) -> Decision:
        """Record a decision; the caller holds the domain's lock.

        Raises:
            StoreError: the version does not wait at its gate, or this decider has decided on it.
        """
        entries, manifest = self.entries(), version.manifest
        self._refuse_stale(manifest)
        self._refuse_second(manifest, by, entries)
        decision = Decision(
            sequence=len(entries) + 1,
            previous=self.head(),
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            domain=self.domain,
            stage=manifest.stage,
            key=manifest.key,
            content=manifest.content,
            findings=_findings_digest(manifest),
            verdict=verdict,
            by=by,
            kind=kind,
            feedback=feedback,
        )
        text = json.dumps(asdict(decision), indent=1, ensure_ascii=False) + "\n"
        write_exclusively(self._path(decision.sequence), text)
        return decision

    def feedback(self, stage: str) -> tuple[str, ...]:
        """Return what was asked to change in a stage, oldest first."""
        asked = [entry for entry in self.entries() if entry.verdict is Verdict.REQUEST_CHANGES]
        return tuple(entry.feedback for entry in asked if entry.stage == stage)

    def sent_back(self, stage: str) -> str:
        """Return the key of the version of which changes were asked for last, "" if of none."""
        asked = [entry for entry in self.entries() if entry.verdict is Verdict.REQUEST_CHANGES]
        keys = [entry.key for entry in asked if entry.stage == stage]
        return keys[-1] if keys else ""

    def summary(self, versions: Iterable[Version]) -> dict[str, dict[str, str]]:
        """Return who approved each version, by stage; a policy is never shown as a person."""
        entries = self.entries()
        approvals = {
            version.manifest.stage: [
                entry
                for entry in _about(version.manifest, entries)
                if entry.verdict is Verdict.APPROVE
            ]
            for version in versions
        }
        return {
            stage: {entry.by: entry.kind.value for entry in about}
            for stage, about in approvals.items()
        }

    def _path(self, sequence: int) -> Path:
        return self.folder / f"{sequence:06d}.json"

    def _refuse_stale(self, manifest: Manifest) -> None:
        pending = self.store.pending(self.domain)
        if (pending.get("key"), pending.get("content")) != (manifest.key, manifest.content):
            message = f"{manifest.stage} {manifest.content[:12]} does not wait at its gate"
            hint = f"see what waits with: sopforge status {self.domain}"
            raise StoreError(Fault("stale-decision", message, self.domain, hint))

    def _refuse_second(self, manifest: Manifest, by: str, entries: Iterable[Decision]) -> None:
        if any(entry.by == by for entry in _about(manifest, entries)):
            message = f"{by} has already decided on {manifest.stage} {manifest.content[:12]}"
            raise StoreError(Fault("second-decision", message, self.domain))


def _about(manifest: Manifest, entries: Iterable[Decision]) -> list[Decision]:
    identity = manifest.stage, manifest.key, manifest.content, _findings_digest(manifest)
    return [
        entry
        for entry in entries
        if (entry.stage, entry.key, entry.content, entry.findings) == identity
    ]


def _findings_digest(manifest: Manifest) -> str:
    return digest_of([finding.as_record() for finding in manifest.findings])


def _read_decision(text: str, path: Path) -> Decision:
    try:
        value = json.loads(text)
        verdict, kind = Verdict(value.pop("verdict")), DeciderKind(value.pop("kind"))
        return Decision(**value, verdict=verdict, kind=kind)
    except (AttributeError, KeyError, TypeError, ValueError) as cause:
        message = f"the entry is no decision: {cause}"
        fault = Fault("audit-log-broken", message, str(path), "restore the log")
        raise StoreError(fault) from cause
