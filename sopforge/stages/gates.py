"""What a person can do at a gate: see what waits, and decide on exactly that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sopforge.domain.schema import suggest
from sopforge.errors import Fault, StoreError, raise_gathered
from sopforge.findings import has_errors
from sopforge.stages.briefs import kept_brief
from sopforge.stages.editing import edit_of
from sopforge.store.decisions import (
    NO_OPINION,
    AuditLog,
    DeciderKind,
    Decision,
    GateState,
    Opinion,
    Verdict,
)
from sopforge.store.edits import keep_edit
from sopforge.store.versions import Store, Version


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision, where its version stands now, and how many more persons must approve it."""

    decision: Decision
    state: GateState
    missing: int


def waiting_version(store: Store, domain: str) -> Version | None:
    """Return the version that waits at a gate of the domain, or None."""
    pending = store.pending(domain)
    return store.find(domain, pending["stage"], pending["key"]) if pending else None


def current_version(store: Store, domain: str, stage: str) -> Version | None:
    """Return the version of a stage that counts: the one that waits, else the newest one."""
    waiting = waiting_version(store, domain)
    if waiting is not None and waiting.manifest.stage == stage:
        return waiting
    versions = store.versions(domain, stage)
    return versions[-1] if versions else None


def state_of(store: Store, version: Version) -> GateState:
    """Return where a version stands, with as many approvers as the kept brief asks for."""
    manifest = version.manifest
    approvers = kept_brief(store, manifest.domain).parts.gates.approvers_of(manifest.stage)
    return AuditLog(store, manifest.domain).state(version, approvers)


def told_state(store: Store, version: Version) -> str:
    """Return where a version stands and by whose approvals, in words."""
    manifest, state = version.manifest, state_of(store, version)
    approvals = AuditLog(store, manifest.domain).approvals(version)
    if state is GateState.WAITING and approvals:
        return f"{state}, approved by {', '.join(item.by for item in approvals)} so far"
    if state is GateState.APPROVED and all(item.kind is DeciderKind.POLICY for item in approvals):
        return f"{state} by policy"
    is_carried = state is GateState.APPROVED and all(item.carries for item in approvals)
    return f"{state} before, for the same content" if is_carried else str(state)


def decide(
    store: Store,
    domain: str,
    *,
    stage: str,
    digest: str,
    verdict: Verdict,
    by: str,
    opinion: Opinion = NO_OPINION,
    despite_errors: bool = False,
) -> Decided:
    """Record a person's decision on the version that waits; ``digest`` may be shortened or empty.

    The version waits on while it needs further approvers.

    Raises:
        StoreError: nothing waits, something else waits, or errors were not accepted.
    """
    with store.locked(domain):
        version = expected_version(store, domain, stage, digest)
        _ = version.files  # raises where an artifact was changed since it was shown
        if verdict is Verdict.APPROVE and not despite_errors:
            _refuse_errors(version)
        gates = kept_brief(store, domain).parts.gates
        _refuse_points(opinion.checked, gates.checklist)
        log, approvers = AuditLog(store, domain), gates.approvers_of(stage)
        decision = log.decide(version, verdict, by, DeciderKind.PERSON, opinion)
        state = log.state(version, approvers)
        if state is not GateState.WAITING:
            store.set_pending(domain, None)
        persons = {item.by for item in log.approvals(version) if item.kind is DeciderKind.PERSON}
        return Decided(decision, state, max(0, approvers - len(persons)))


def _refuse_points(checked: Sequence[str], known: Sequence[str]) -> None:
    """Raise for a point that the brief's checklist does not have."""
    faults = [
        Fault(
            "unknown-point",
            f"the brief's checklist has no point '{point}'",
            "--checked",
            suggest(point, list(known)) or f"its points are: {'; '.join(known) or 'none'}",
        )
        for point in checked
        if point not in known
    ]
    raise_gathered(faults)


def _refuse_errors(version: Version) -> None:
    if has_errors(version.manifest.findings):
        message = f"{version.manifest.stage} has findings of level error"
        hint = "mend the brief and generate again, or approve with --despite-errors"
        raise StoreError(Fault("errors-open", message, version.manifest.domain, hint))


def edit(store: Store, domain: str, *, stage: str, digest: str, text: str, by: str) -> Decided:
    """Give a file of the version that waits another text; the next run of the stage has it.

    Raises:
        MaterialError: the stage cannot be edited, or the text cannot be read.
        StoreError: nothing waits, or something else does.
    """
    version = expected_version(store, domain, stage, digest)
    change = edit_of(stage, version.files, text)
    keep_edit(store, domain, change)
    return decide(
        store,
        domain,
        stage=stage,
        digest=version.manifest.content,
        verdict=Verdict.EDIT,
        by=by,
        opinion=Opinion(edit=change.digest),
    )


def expected_version(store: Store, domain: str, stage: str, digest: str) -> Version:
    """Return the version that waits; raises ``StoreError`` where another one is meant."""
    version = waiting_version(store, domain)
    if version is None:
        hint = f"see where it stands with: sopforge status {domain}"
        raise StoreError(Fault("nothing-waits", "nothing waits at a gate", domain, hint))
    manifest = version.manifest
    if manifest.stage != stage or not manifest.content.startswith(digest):
        asked = f"{stage} {digest}".strip()
        message = f"{asked} does not wait; {manifest.stage} {manifest.content[:12]} does"
        hint = "look at what waits, then decide on that"
        raise StoreError(Fault("stale-decision", message, manifest.domain, hint))
    return version
