"""Who decided on what a release holds: the audit log that it carries, followed by hashing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sopforge.checks.package.package_provenance import POLICY_APPROVED
from sopforge.packaging.release import AUDIT_LOG
from sopforge.releases.evidence import (
    StageRecord,
    approvals_told,
    log_head,
    reviews_told,
)
from sopforge.releases.verifying.claims import Observation, found_wrong
from sopforge.releases.verifying.folders import PackageFolder, ReleaseFolder
from sopforge.store.digests import digest_of
from sopforge.store.entries import (
    DRAW_POLICY,
    POLICIES,
    DeciderKind,
    Decision,
    Verdict,
    entry_name,
    read_chain,
)
from sopforge.store.log.decisions import GateState, state_after


def chained(release: ReleaseFolder) -> Observation:
    """Follow the entries up to the head that the release pins."""
    entries, _ = read_chain(release.log, AUDIT_LOG.rstrip("/"))
    domain, pin = release.record["domain"], release.record["audit_log"]
    messages, found = list[str](), log_head(release.log)
    if found != pin:
        messages.append(f"the log ends in {found}, but release.json pins {pin}")
    if list(release.log) != [entry_name(entry.sequence) for entry in entries]:
        messages.append("files of the log are not named by their numbers")
    messages += [fault for entry in entries for fault in _odd(entry, domain, entries)]
    told = f"{len(entries)} entries, each with the digest of the one before"
    return Observation(told, found_wrong(messages, AUDIT_LOG))


def _odd(entry: Decision, domain: str, entries: list[Decision]) -> Iterator[str]:
    """Return what an entry says that no entry of this log can."""
    name = entry_name(entry.sequence)
    if entry.domain != domain:
        yield f"{name} is of {entry.domain}, not of {domain}"
    if (entry.kind is DeciderKind.POLICY) != (entry.by in POLICIES):
        yield f"{name} shows {entry.by} as a {entry.kind}"
    if entry.carries:
        carried = next((item for item in entries if item.sequence == entry.carries), None)
        if carried is None or _carried(carried) != _carried(entry):
            yield f"{name} carries another decision than it is"


def _carried(entry: Decision) -> tuple[object, ...]:
    return (entry.stage, entry.content, entry.findings, entry.verdict, entry.by, entry.kind)


def approved(release: ReleaseFolder) -> Observation:
    """Hold what the packages say of approvals, ratings and edits against the log."""
    entries, _ = read_chain(release.log, AUDIT_LOG.rstrip("/"))
    messages = [
        f"{package.name}: {fault}"
        for package in release.packages
        for fault in _at_odds(package, entries)
    ]
    return Observation(_approvers(release.packages[0]), found_wrong(messages, AUDIT_LOG))


def _approvers(package: PackageFolder) -> str:
    """Return which stages persons approved, and which a policy alone, as a line."""
    stages: dict[str, list[str]] = {}
    for stage, found in package.provenance["approvals"].items():
        persons = [item["by"] for item in found if item["verdict"] != POLICY_APPROVED]
        policy = f"{POLICY_APPROVED} by {found[0]['by']}"
        who = f"by {' and '.join(dict.fromkeys(persons))}" if persons else policy
        stages.setdefault(who, []).append(stage)
    return "; ".join(f"{who}: {', '.join(names)}" for who, names in stages.items())


def _at_odds(package: PackageFolder, entries: list[Decision]) -> Iterator[str]:
    subjects = [record.subject(stage) for stage, record in package.records.items()]
    told = package.provenance
    if told["approvals"] != approvals_told(entries, subjects):
        yield "the approvals in provenance.json are not those of the log"
    if told.get("reviews", {}) != reviews_told(entries, subjects):
        yield "the ratings and checks in provenance.json are not those of the log"
    known = package.brief.parts.gates.checklist
    for review in told.get("reviews", {}).values():
        unknown = [point for point in review.get("checklist", ()) if point not in known]
        yield from (f"the brief's checklist has no point '{point}'" for point in unknown)
    yield from _unapproved(package, entries)
    yield from _unedited(package, told, entries)


def _unapproved(package: PackageFolder, entries: list[Decision]) -> Iterator[str]:
    """Return the stages that have not as many approvers as the brief asks for."""
    asked: dict[str, StageRecord] = dict(package.records)
    if package.draw:
        drawn = {stage for stage, record in asked.items() if "draw" in record.inputs}
        yield from _undrawn(package.records, drawn, entries)
        asked = dict(package.draw.stages)
    for stage, record in asked.items():
        about = [entry for entry in entries if entry.subject == record.subject(stage)]
        approvers = package.brief.parts.gates.approvers_of(stage)
        state = state_after(about, approvers)
        if state is not GateState.APPROVED:
            yield f"the {stage} is {state} by the log, which asks for {approvers} to approve it"


def _undrawn(
    records: Mapping[str, StageRecord], drawn: set[str], entries: list[Decision]
) -> Iterator[str]:
    """Return the stages that were drawn anew without the policy that may do so."""
    for stage in sorted(drawn):
        subject = records[stage].subject(stage)
        deciders = {entry.by for entry in entries if entry.subject == subject}
        if deciders != {DRAW_POLICY}:
            yield f"the {stage} was drawn anew, and not approved by {DRAW_POLICY} alone"


def _unedited(
    package: PackageFolder, told: Mapping[str, Any], entries: list[Decision]
) -> Iterator[str]:
    """Return edits that the log does not have, or that stages were not made with."""
    made = {
        (entry.stage, entry.by, entry.edit) for entry in entries if entry.verdict is Verdict.EDIT
    }
    by_stage: dict[str, list[str]] = {}
    editors: dict[str, list[str]] = {}
    for item in package.edits:
        by_stage.setdefault(item.stage, []).append(item.edit.digest)
        if item.by not in editors.setdefault(item.stage, []):
            editors[item.stage].append(item.by)
        if (item.stage, item.by, item.edit.digest) not in made:
            yield f"the log has no edit of {item.stage} by {item.by} as the package has it"
    if told.get("edited", {}) != editors:
        yield f"provenance.json says edited by {told.get('edited')}, the edits are by {editors}"
    for stage, record in package.records.items():
        digests = by_stage.get(stage)
        if record.inputs.get("edits") != (digest_of(digests) if digests else None):
            yield f"the {stage} was made with other edits than the package has"
