"""Who decided on what a release holds: the audit log that it carries, followed by hashing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sopforge.artifacts.packaging.release import AUDIT_LOG
from sopforge.checks.package.package_provenance import POLICY_APPROVED
from sopforge.pipeline.releases.evidence import (
    StageRecord,
    collect_approvals,
    collect_reviews,
    compute_log_head,
)
from sopforge.pipeline.releases.verifying.claims import Observation, make_wrong_findings
from sopforge.pipeline.releases.verifying.folders import PackageFolder, ReleaseFolder
from sopforge.store.digests import digest_value
from sopforge.store.entries import (
    DRAW_POLICY,
    POLICIES,
    DeciderKind,
    Decision,
    DecisionVerdict,
    name_entry,
    read_chain,
    select_standing,
    select_standing_on,
)
from sopforge.store.log.audit_log import GateState, compute_state_after


def check_chain(release: ReleaseFolder) -> Observation:
    """Follow the entries up to the head that the release pins."""
    entries, _ = read_chain(release.log, AUDIT_LOG.rstrip("/"))
    domain, pin = release.record["domain"], release.record["audit_log"]
    messages, found = list[str](), compute_log_head(release.log)
    if found != pin:
        messages.append(f"the log ends with {found}, but release.json states {pin}")
    if list(release.log) != [name_entry(entry.sequence) for entry in entries]:
        messages.append("some files of the log are not named by their numbers")
    messages += [
        fault for entry in entries for fault in _find_odd_statements(entry, domain, entries)
    ]
    summary = f"{len(entries)} entries, each with the digest of the entry before it"
    return Observation(summary, make_wrong_findings(messages, AUDIT_LOG))


def _find_odd_statements(entry: Decision, domain: str, entries: list[Decision]) -> Iterator[str]:
    """Return what an entry says that no entry of this log can."""
    name = name_entry(entry.sequence)
    if entry.domain != domain:
        yield f"{name} belongs to {entry.domain}, not to {domain}"
    # Names of policies are kept for policies: otherwise one could be shown as a person's approval.
    if (entry.kind is DeciderKind.POLICY) != (entry.by in POLICIES):
        yield f"{name} names {entry.by} as a {entry.kind}"
    if entry.verdict is DecisionVerdict.WITHDRAW and not _is_withdrawal(entry, entries):
        yield f"{name} withdraws a decision that was not made before on the {entry.stage}"
    if entry.carries:
        carried = next((item for item in entries if item.sequence == entry.carries), None)
        if carried is None or _list_carried_values(carried) != _list_carried_values(entry):
            yield f"{name} contains another decision than its name says"


def _is_withdrawal(entry: Decision, entries: list[Decision]) -> bool:
    """Return whether an entry takes back an earlier one on the same version, as a person may."""
    earlier = (item for item in entries[: entry.sequence - 1] if item.sequence == entry.withdraws)
    withdrawn = next(earlier, None)
    is_same = withdrawn is not None and withdrawn.subject == entry.subject
    return is_same and entry.kind is DeciderKind.PERSON


def _list_carried_values(entry: Decision) -> tuple[object, ...]:
    return (entry.stage, entry.content, entry.findings, entry.verdict, entry.by, entry.kind)


def check_approvals(release: ReleaseFolder) -> Observation:
    """Hold what the packages say of approvals, ratings and edits against the log."""
    entries, _ = read_chain(release.log, AUDIT_LOG.rstrip("/"))
    messages = [
        f"{package.name}: {fault}"
        for package in release.packages
        for fault in _find_log_differences(package, entries)
    ]
    return Observation(
        _describe_approvers(release.packages[0]), make_wrong_findings(messages, AUDIT_LOG)
    )


def _describe_approvers(package: PackageFolder) -> str:
    """Return which stages persons approved, and which a policy alone, as a line."""
    stages: dict[str, list[str]] = {}
    for stage, found in package.provenance["approvals"].items():
        persons = [item["by"] for item in found if item["verdict"] != POLICY_APPROVED]
        policy = f"{POLICY_APPROVED} by {found[0]['by']}"
        who = f"by {' and '.join(dict.fromkeys(persons))}" if persons else policy
        stages.setdefault(who, []).append(stage)
    return "; ".join(f"{who}: {', '.join(names)}" for who, names in stages.items())


def _find_log_differences(package: PackageFolder, entries: list[Decision]) -> Iterator[str]:
    subjects = [record.build_subject(stage) for stage, record in package.records.items()]
    provenance = package.provenance
    if provenance["approvals"] != collect_approvals(entries, subjects):
        yield "the approvals in provenance.json differ from those in the log"
    if not _is_as_logged(provenance.get("reviews", {}), collect_reviews(entries, subjects)):
        yield "the ratings and checks in provenance.json differ from those in the log"
    known = package.brief.parts.gates.checklist
    for review in provenance.get("reviews", {}).values():
        unknown = [point for point in review.get("checklist", ()) if point not in known]
        yield from (f"the brief's checklist has no point '{point}'" for point in unknown)
    yield from _find_unapproved_stages(package, entries)
    yield from _find_unlogged_edits(package, provenance, entries)


def _is_as_logged(said: Mapping[str, Any], logged: Mapping[str, Mapping[str, object]]) -> bool:
    """Return whether reviews are those of the log; older packages have no mark of each rater."""
    known = {
        stage: {
            name: part
            for name, part in review.items()
            if name != "marks" or "marks" in said.get(stage, {})
        }
        for stage, review in logged.items()
    }
    return said == known


def _find_unapproved_stages(package: PackageFolder, entries: list[Decision]) -> Iterator[str]:
    """Return the stages that have not as many approvers as the brief asks for."""
    asked: dict[str, StageRecord] = dict(package.records)
    if package.draw:
        drawn = {stage for stage, record in asked.items() if "draw" in record.inputs}
        yield from _find_unallowed_draws(package.records, drawn, entries)
        # Persons approved the versions of the release that it was drawn from, and no other ones.
        asked = dict(package.draw.stages)
    for stage, record in asked.items():
        about = select_standing_on(record.build_subject(stage), entries)
        approvers = package.brief.parts.gates.count_approvers(stage)
        state = compute_state_after(about, approvers)
        if state is not GateState.APPROVED:
            yield f"by the log, the {stage} is {state}; {approvers} must approve it"


def _find_unallowed_draws(
    records: Mapping[str, StageRecord], drawn: set[str], entries: list[Decision]
) -> Iterator[str]:
    """Return the stages that were drawn anew without the policy that may do so."""
    for stage in sorted(drawn):
        subject = records[stage].build_subject(stage)
        deciders = {entry.by for entry in entries if entry.subject == subject}
        if deciders != {DRAW_POLICY}:
            yield (f"the {stage} was drawn again, but {DRAW_POLICY} is not its only approver")


def _find_unlogged_edits(
    package: PackageFolder, provenance: Mapping[str, Any], entries: list[Decision]
) -> Iterator[str]:
    """Return edits that the log does not have, or that stages were not made with."""
    made = {
        (entry.stage, entry.by, entry.edit)
        for entry in select_standing(entries)
        if entry.verdict is DecisionVerdict.EDIT
    }
    by_stage: dict[str, list[str]] = {}
    editors: dict[str, list[str]] = {}
    for item in package.edits:
        by_stage.setdefault(item.stage, []).append(item.edit.digest)
        if item.by not in editors.setdefault(item.stage, []):
            editors[item.stage].append(item.by)
        if (item.stage, item.by, item.edit.digest) not in made:
            yield (
                f"the package has an edit of the {item.stage} by {item.by} that is not in the log"
            )
    if provenance.get("edited", {}) != editors:
        said = provenance.get("edited")
        yield f"provenance.json names {said} as editors, but the edits were made by {editors}"
    for stage, record in package.records.items():
        digests = by_stage.get(stage)
        if record.inputs.get("edits") != (digest_value(digests) if digests else None):
            yield f"the {stage} was made with other edits than those in the package"
