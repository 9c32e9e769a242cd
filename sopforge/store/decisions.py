"""Decisions at gates: each one a file, each file the next entry of the domain's audit log.

A decision covers the content, the inputs and the findings that were shown. Files are numbered and
each holds the digest of the one before, so that a changed or missing entry shows. An entry is
created only as the next behind all that its writer has read, so that whoever decides at the same
time finds it taken and looks again: nobody decides twice, and no entry is lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sopforge.errors import Fault, StoreError
from sopforge.store.digests import digest_of, digest_text
from sopforge.store.objects import ExistsError, read_text
from sopforge.store.versions import Manifest, Store, Version


class Verdict(StrEnum):
    """What was decided."""

    APPROVE = "approve"
    REQUEST_CHANGES = "request_changes"
    REJECT = "reject"
    EDIT = "edit"


class DeciderKind(StrEnum):
    """Who decided: a person, or a policy that a person chose."""

    PERSON = "person"
    POLICY = "policy"


_ENTRY = re.compile(r"\d{6,}\.json")
POLICY_NAME = "approve-clean"
"""Of the one policy that there is, which no person shares."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a person says with a verdict.

    ``ratings`` are marks from 1 to 10 by their name, ``checked`` the points of a checklist that
    hold, ``edit`` the digest of an edit that goes with it.
    """

    feedback: str = ""
    ratings: Mapping[str, int] = field(default_factory=dict)
    checked: tuple[str, ...] = ()
    edit: str = ""


NO_OPINION = Opinion()


@dataclass(frozen=True, slots=True)
class Decision:
    """An entry of the audit log; ``at`` is UTC, ``previous`` the digest of the entry before.

    ``carries`` is the number of the entry that holds again for the same content from other inputs.
    """

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
    ratings: Mapping[str, int] = field(default_factory=dict)
    checked: tuple[str, ...] = ()
    edit: str = ""
    carries: int = 0


class GateState(StrEnum):
    """Where a version stands at its gate."""

    WAITING = "waiting"
    APPROVED = "approved"
    CHANGES_REQUESTED = "changes requested"
    EDITED = "edited"
    REJECTED = "rejected"


# One of these is enough; the worse first.
_SETTLING = {
    Verdict.REJECT: GateState.REJECTED,
    Verdict.REQUEST_CHANGES: GateState.CHANGES_REQUESTED,
    Verdict.EDIT: GateState.EDITED,
}


class AuditLog:
    """The decisions of one domain, in order."""

    def __init__(self, store: Store, domain: str) -> None:
        self.store = store
        self.domain = domain
        self._objects = store.objects

    def entries(self) -> list[Decision]:
        """Return all decisions.

        Raises:
            StoreError: an entry is missing, cannot be read, or was changed after the next one
                was written.
        """
        return self._read()[0]

    def head(self) -> str:
        """Return the digest of the newest entry, empty if there is none."""
        return self._read()[1]

    def state(self, version: Version, approvers: int = 1) -> GateState:
        """Return the state of a version: approved once as many persons as are asked for approve it.

        A policy's approval is enough where one approver is. One rejection or one request for
        changes settles it otherwise.
        """
        about = _about(version.manifest, self.entries())
        for verdict, state in _SETTLING.items():
            if any(entry.verdict is verdict for entry in about):
                return state
        persons = {entry.by for entry in about if entry.kind is DeciderKind.PERSON}
        is_approved = len(persons) >= approvers or (bool(about) and approvers <= 1)
        return GateState.APPROVED if is_approved else GateState.WAITING

    def approvals(self, version: Version) -> list[Decision]:
        """Return the approvals of a version, oldest first."""
        about = _about(version.manifest, self.entries())
        return [entry for entry in about if entry.verdict is Verdict.APPROVE]

    def decide(
        self,
        version: Version,
        verdict: Verdict,
        by: str,
        kind: DeciderKind,
        opinion: Opinion = NO_OPINION,
    ) -> Decision:
        """Record a decision.

        Raises:
            StoreError: the version does not wait at its gate, or this decider has decided on it.
        """
        return self._record(version.manifest, verdict, by, kind, asdict(opinion))

    def carry(self, version: Version, approval: Decision) -> Decision:
        """Record that an approval holds again: of the same content, made from other inputs.

        Raises:
            StoreError: the version does not wait at its gate, or this decider has decided on it.
        """
        more = {"carries": approval.sequence}
        return self._record(version.manifest, approval.verdict, approval.by, approval.kind, more)

    def _record(
        self,
        manifest: Manifest,
        verdict: Verdict,
        by: str,
        kind: DeciderKind,
        more: Mapping[str, Any],
    ) -> Decision:
        while True:
            entries, head = self._read()
            self._refuse_stale(manifest)
            self._refuse_second(manifest, by, entries)
            decision = Decision(
                sequence=len(entries) + 1,
                previous=head,
                at=datetime.now(UTC).isoformat(timespec="seconds"),
                domain=self.domain,
                stage=manifest.stage,
                key=manifest.key,
                content=manifest.content,
                findings=_findings_digest(manifest),
                verdict=verdict,
                by=by,
                kind=kind,
                **more,
            )
            text = json.dumps(asdict(decision), indent=1, ensure_ascii=False) + "\n"
            try:
                self._objects.create(self._name(decision.sequence), text.encode())
            except ExistsError:
                continue  # Another decided meanwhile: this decision is looked at anew.
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
        return {
            version.manifest.stage: {
                entry.by: entry.kind.value for entry in self.approvals(version)
            }
            for version in versions
        }

    def _read(self) -> tuple[list[Decision], str]:
        """Return all entries, and the digest of the newest."""
        decisions: list[Decision] = []
        previous, folder = "", f"{self.domain}/decisions"
        names = [name for name in self._objects.children(folder) if _ENTRY.fullmatch(name)]
        for number, name in enumerate(names, start=1):
            text = read_text(self._objects, f"{folder}/{name}")
            place = f"{self._objects.place}/{folder}/{name}"
            decision = _read_decision(text, place)
            if decision.sequence != number or decision.previous != previous:
                message = f"entry {number} does not follow the entry before it"
                raise StoreError(Fault("audit-log-broken", message, place, "restore the log"))
            decisions.append(decision)
            previous = digest_text(text)
        return decisions, previous

    def _name(self, sequence: int) -> str:
        return f"{self.domain}/decisions/{sequence:06d}.json"

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


def _read_decision(text: str, place: str) -> Decision:
    try:
        value = json.loads(text)
        verdict, kind = Verdict(value.pop("verdict")), DeciderKind(value.pop("kind"))
        checked = tuple(value.pop("checked", ()))
        return Decision(**value, verdict=verdict, kind=kind, checked=checked)
    except (AttributeError, KeyError, TypeError, ValueError) as cause:
        message = f"the entry is no decision: {cause}"
        fault = Fault("audit-log-broken", message, place, "restore the log")
        raise StoreError(fault) from cause
