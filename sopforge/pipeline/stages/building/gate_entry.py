"""Passing a gate: what can be settled without a person is, and what a run came to is noted."""

from __future__ import annotations

from collections.abc import Sequence

from sopforge.errors import StoreError
from sopforge.findings import has_errors
from sopforge.store.course import Course, keep_course, load_course
from sopforge.store.entries import POLICY_NAME, DeciderKind, DecisionVerdict
from sopforge.store.log.audit_log import AtGate, AuditLog, GateState
from sopforge.store.versions import DomainStore, Version
from sopforge.store.waiting import Waiting

_FOR_PERSONS = frozenset({"sop-read", "sop-signed", "sop-added", "feedback-not-applied"})
"""Findings that only a person can settle: no check read what they show, or a person objected."""


def enter_gate(
    domain: DomainStore, version: Version, approvers: int, *, approve_clean: bool
) -> AtGate:
    """Return where a version stands at its gate, at which it waits from now on if it must."""
    findings = version.manifest.findings
    with domain.lock():
        log = AuditLog(domain)
        found = log.compute_gate_standing(version, approvers)
        if found.state is GateState.WAITING:
            # First, for nothing can be decided on what does not wait.
            _let_wait(domain, version)
            _carry(log, version)
            # Where several are to approve, all of them are persons.
            is_free = approve_clean and approvers == 1 and not log.list_approvals(version)
            is_left = any(item.id in _FOR_PERSONS for item in findings)
            is_left = is_left or has_errors(findings) or _is_sent_back(log, version)
            if is_free and not is_left:
                log.append_decision(
                    version, DecisionVerdict.APPROVE, POLICY_NAME, DeciderKind.POLICY
                )
            found = log.compute_gate_standing(version, approvers)
        if found.state is not GateState.WAITING:
            domain.set_waiting(None)
        return found


def find_or_drop_waiting(domain: DomainStore) -> Waiting | None:
    """Return what waits as ``Store.find_waiting`` does; a note that cannot be read is dropped.

    The run that asks for it writes it anew where it comes to a gate.
    """
    try:
        return domain.find_waiting()
    except StoreError:
        with domain.lock():
            domain.set_waiting(None)
        return None


def let_wait_no_more(domain: DomainStore, waited: Waiting | None) -> None:
    """Take from its gate what waited when a run began, unless another run has put something there.

    ``waited`` is what ``Store.find_waiting`` returned.
    """
    if waited:
        with domain.lock():
            if domain.find_waiting() == waited:
                domain.set_waiting(None)


def note_course(domain: DomainStore, version: Version, *, is_last: bool) -> Course:
    """Note that a run came to a version, and whether it ends there; return the whole course."""
    with domain.lock():
        course = load_course(domain).with_version(version, is_last=is_last)
        keep_course(domain, course)
        return course


def note_ahead(domain: DomainStore, waiting: Version, ahead: Sequence[Version]) -> bool:
    """Note what stands provisionally after a version; return whether the version still waits."""
    with domain.lock():
        noted = domain.find_waiting()
        if noted is None or not noted.is_of(waiting.manifest):
            return False
        if noted.ahead != {item.manifest.stage: item.manifest.key for item in ahead}:
            domain.set_waiting(waiting, ahead)
        return True


def _let_wait(domain: DomainStore, version: Version) -> None:
    """Have a version wait at its gate; what stands after it stays noted if it does already."""
    noted = domain.find_waiting()
    if noted is None or not noted.is_of(version.manifest):
        domain.set_waiting(version)


def _is_sent_back(log: AuditLog, version: Version) -> bool:
    """Return whether a person has said of the same content that it is not to stand.

    Nobody says what an edit made that was withdrawn; the same edit again is left to a person too.
    """
    stage, seen = version.manifest.stage, log.take_snapshot()
    standing = {entry.sequence: entry.edit for entry in seen.list_standing(stage) if entry.edit}
    made = [entry for entry in seen.list_objections(stage) if entry.edit]
    withdrawn = {entry.edit for entry in made if entry.sequence not in standing}
    is_same = any(
        entry.content == version.manifest.content for entry in seen.list_objections(stage)
    )
    return is_same or not withdrawn.isdisjoint(standing.values())


def _carry(log: AuditLog, version: Version) -> None:
    """Let the approvals of the same content with the same findings hold again.

    What was approved before a person last objected to something of the stage is decided anew.
    """
    manifest = version.manifest
    objections = log.list_objections(manifest.stage)
    since = objections[-1].sequence if objections else 0
    decided = {entry.by for entry in log.list_approvals(version)}
    for earlier in log.domain.list_versions(manifest.stage):
        shown = earlier.manifest
        # With other findings it is not what they approved, who were shown those.
        if (shown.content, shown.findings) != (manifest.content, manifest.findings):
            continue
        for approval in log.list_approvals(earlier):
            if approval.by not in decided and approval.sequence > since:
                decided.add(approval.by)
                log.renew_approval(version, approval)
