"""What a person can do at a gate: see what waits, and decide on exactly that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sopforge.errors import Fault, MaterialError, StoreError, raise_gathered
from sopforge.findings import has_errors
from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.stage_names import STAGE_NAMES
from sopforge.pipeline.briefs.brief_files import load_latest_brief
from sopforge.pipeline.gates.heeding import make_unheeded_fault
from sopforge.pipeline.stages.editing.edits import build_edit
from sopforge.store.entries import DeciderKind, Decision, DecisionVerdict
from sopforge.store.log.audit_log import NO_OPINION, AuditLog, GateState, Opinion, SignEntry
from sopforge.store.log.kept_edits import LineReading, keep_edit
from sopforge.store.places import store_option
from sopforge.store.versions import DomainStore, Manifest, Version
from sopforge.store.waiting import Waiting


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision, where its version stands now, and how many more persons must approve it.

    ``is_signed`` says whether it was signed as it was made, ``open_requests`` how many requests
    for changes nobody had settled by then.
    """

    decision: Decision
    state: GateState
    missing: int
    is_signed: bool = False
    open_requests: int = 0


def derive_state(domain: DomainStore, version: Version) -> GateState:
    """Return where a version stands, with as many approvers as the kept brief asks for."""
    if find_blocking_stage(domain.find_waiting(), version):
        return GateState.PROVISIONAL
    gates = load_latest_brief(domain).parts.gates
    approvers = gates.count_approvers(version.manifest.stage)
    return AuditLog(domain).compute_gate_state(version, approvers)


def find_blocking_stage(waiting: Waiting | None, version: Version) -> str:
    """Return the stage that waits before a provisional version, "" where it is none."""
    return waiting.stage if waiting and waiting.is_before(version.manifest) else ""


def decide(
    domain: DomainStore,
    *,
    stage: str,
    digest: str,
    verdict: DecisionVerdict,
    by: str,
    opinion: Opinion = NO_OPINION,
    despite_errors: bool = False,
    sign: SignEntry | None = None,
) -> Decided:
    """Record a person's decision on the version that waits; ``digest`` may be shortened or empty.

    The version waits on while it needs further approvers.

    Raises:
        MaterialError: the words have characters that nobody sees, or ask for changes of a stage
            that no words change.
        SshKeygenError: it is to be signed, and cannot be; nothing is recorded.
        StoreError: nothing waits, something else waits, errors were not accepted, or a file of the
            domain does not fit its seal.
    """
    with domain.lock():
        version = require_waiting_version(domain, stage, digest)
        _ = version.files  # raises where an artifact was changed since it was shown
        if verdict is DecisionVerdict.APPROVE and not despite_errors:
            _refuse_errors(version, domain.place)
        if verdict is DecisionVerdict.REQUEST_CHANGES:
            refuse_unheeded_words(domain, version)
        gates = load_latest_brief(domain).parts.gates
        _refuse_points(opinion.checked, gates.checklist)
        log, approvers = AuditLog(domain), gates.count_approvers(stage)
        if log.compute_gate_state(version, approvers) is not GateState.WAITING:
            # Whoever settled it died before the version was taken from the gate.
            domain.set_waiting(None)
            raise StoreError(_make_nothing_waits_fault(domain, stage))
        # Before it is recorded, for an approval settles requests.
        requests = len(log.list_open_feedback(stage))
        decision = log.append_decision(version, verdict, by, DeciderKind.PERSON, opinion, sign=sign)
        state = log.compute_gate_state(version, approvers)
        # After the entry, for that decides. A process that dies in between leaves a note that is
        # late; what was settled cannot be decided on, whatever the note says.
        if state is not GateState.WAITING:
            domain.set_waiting(None)
        persons = {
            item.by for item in log.list_approvals(version) if item.kind is DeciderKind.PERSON
        }
        missing, is_signed = max(0, approvers - len(persons)), sign is not None
        return Decided(decision, state, missing, is_signed, requests)


def refuse_unheeded_words(domain: DomainStore, version: Version) -> None:
    """Raise ``MaterialError`` for a version of a stage that no words change."""
    if not version.manifest.heeds_words:
        brief = load_latest_brief(domain)
        raise MaterialError(make_unheeded_fault(brief, version.manifest.stage, domain.place))


def _refuse_points(checked: Sequence[str], known: Sequence[str]) -> None:
    """Raise for a point that the brief's checklist does not have."""
    faults = [
        Fault(
            "unknown-point",
            f"the brief's checklist has no point '{point}'",
            "--checked",
            suggest(point, list(known)) or f"the points are: {'; '.join(known) or 'none'}",
        )
        for point in checked
        if point not in known
    ]
    raise_gathered(faults)


def _refuse_errors(version: Version, place: str) -> None:
    manifest = version.manifest
    if has_errors(manifest.findings):
        message = f"the {manifest.stage} has findings of level error"
        again = f"sopforge approve {manifest.domain} {manifest.stage} --despite-errors"
        hint = (
            "correct the brief and generate again, or approve it anyway:"
            f" {again}{store_option(place)}"
        )
        raise StoreError(Fault("errors-open", message, manifest.domain, hint))


def edit(
    domain: DomainStore,
    *,
    stage: str,
    digest: str,
    text: str,
    by: str,
    sign: SignEntry | None = None,
    readings: Sequence[LineReading] = (),
) -> Decided:
    """Give a file of the version that waits another text; the next run of the stage has it.

    ``readings`` says of new lines of an SOP what a language model reads them as.

    Raises:
        MaterialError: the stage cannot be edited, or the text cannot be read.
        StoreError: nothing waits, or something else does.
    """
    version = require_waiting_version(domain, stage, digest)
    change = build_edit(stage, version.files, text, readings)
    # Before the entry that names it. Where no entry follows, nobody reads it.
    keep_edit(domain, change)
    return decide(
        domain,
        stage=stage,
        # By the whole digest: something else may wait by the time that the lock is had.
        digest=version.manifest.content,
        verdict=DecisionVerdict.EDIT,
        by=by,
        opinion=Opinion(edit=change.digest),
        sign=sign,
    )


def require_waiting_version(domain: DomainStore, stage: str, digest: str) -> Version:
    """Return the version that waits; raises ``StoreError`` where another one is meant."""
    version = domain.find_waiting_version()
    if version is None:
        raise StoreError(_make_nothing_waits_fault(domain, stage))
    manifest = version.manifest
    waiting = domain.find_waiting()
    if waiting and stage in waiting.ahead:
        raise StoreError(_make_provisional_fault(stage, manifest))
    if stage not in STAGE_NAMES:
        message, known = f"there is no stage '{stage}'", ", ".join(STAGE_NAMES)
        hint = suggest(stage, list(STAGE_NAMES)) or f"the stages are {known}"
        raise StoreError(Fault("unknown-stage", message, domain.name, hint))
    if manifest.stage != stage or not manifest.content.startswith(digest):
        asked = f"{stage} {digest}".strip()
        message = f"{asked} is not waiting; {manifest.stage} {manifest.content[:12]} is"
        show = f"sopforge show {domain} {manifest.stage}{store_option(domain.place)}"
        hint = f"look at the version that waits, then decide on it: {show}"
        raise StoreError(Fault("stale-decision", message, manifest.domain, hint))
    return version


def _make_provisional_fault(stage: str, waiting: Manifest) -> Fault:
    """Return the fault of deciding on what stands after a version that waits."""
    message = (
        f"{stage} is provisional: it was built before {waiting.stage}, which still waits,"
        " was approved"
    )
    hint = f"decide on {waiting.stage} {waiting.content[:12]} first, then generate again"
    return Fault("provisional-decision", message, waiting.domain, hint)


def _make_nothing_waits_fault(domain: DomainStore, stage: str) -> Fault:
    """Return the fault that says so, and what was decided on the stage at last."""
    message = "nothing waits at a gate"
    decided = [item for item in AuditLog(domain).list_entries() if item.stage == stage]
    if decided:
        last = decided[-1]
        verdict = last.verdict.replace("_", " ")
        message += (
            f"; the last decision on {stage} {last.content[:12]} was made by {last.by}: {verdict}"
        )
    there = store_option(domain.place)
    hint = f"see the state of the domain with: sopforge status {domain}{there}"
    if decided and decided[-1].verdict is DecisionVerdict.APPROVE:
        back = f"sopforge withdraw {domain} {stage}{there}"
        hint = f"to decide again, first withdraw that decision: {back}; or {hint}"
    return Fault("nothing-waits", message, domain.name, hint)
