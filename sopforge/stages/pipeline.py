"""The pipeline: its order, and how far a domain can go on before a person has to decide."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib.metadata import version as installed
from typing import TypeAlias

from sopforge.authors.author import Author
from sopforge.authors.choosing import author_of
from sopforge.checks.registry import examine, runs_tools
from sopforge.domain.reading import Brief
from sopforge.domain.words import LIBRARY
from sopforge.errors import MaterialError
from sopforge.findings import Finding, has_errors, warning
from sopforge.rendering.source_layout import FORMATTER
from sopforge.sandbox.levels import chosen_level
from sopforge.stages.api import ApiStage
from sopforge.stages.briefs import keep_brief
from sopforge.stages.complexity import ComplexityStage, variants
from sopforge.stages.dataset import DatasetStage
from sopforge.stages.editing import with_edits
from sopforge.stages.repairing import built_and_repaired, unread
from sopforge.stages.schema import SchemaStage
from sopforge.stages.sop import SopStage
from sopforge.stages.stage import Stage
from sopforge.stages.tools import ToolsStage
from sopforge.stages.toolspec import ToolspecStage
from sopforge.store.decisions import POLICY_NAME, AuditLog, DeciderKind, GateState, Verdict
from sopforge.store.digests import digest_files, digest_of
from sopforge.store.edits import Edit, edits_of
from sopforge.store.versions import Manifest, Store, Version
from sopforge.workspace import Workspace

STAGES: tuple[Stage, ...] = (
    SchemaStage(),
    SopStage(),
    DatasetStage(),
    ApiStage(),
    ToolspecStage(),
    ToolsStage(),
    ComplexityStage(),
)


class Ending(StrEnum):
    """How a run of the pipeline ended."""

    AWAITING_APPROVAL = "AwaitingApproval"
    REJECTED = "Rejected"
    APPROVED = "Approved"


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run ended: the version at the gate, and the stages that it built."""

    ending: Ending
    version: Version
    built: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """All that decides one stage version: a stage, its inputs, and who writes."""

    stage: Stage
    workspace: Workspace
    author: Author
    inputs: Mapping[str, str]
    feedback: tuple[str, ...]
    edits: tuple[tuple[str, Edit], ...] = ()

    @property
    def key(self) -> str:
        """The digest of all inputs: equal keys give equal content."""
        return digest_of(self.inputs)


Build: TypeAlias = Callable[[Store, Order], Version]
Report: TypeAlias = Callable[[Version, GateState], None]


def advance(
    store: Store,
    brief: Brief,
    *,
    approve_clean: bool = False,
    author: Author | None = None,
    build: Build | None = None,
    report: Report = lambda version, state: None,  # noqa: ARG005 - says nothing by default
) -> Progress:
    """Take a domain as far as its approvals allow, building only what is missing or stale.

    ``approve_clean`` approves by policy what has no error-level finding. ``author`` is the one
    that the brief names, where nothing else is said. ``build`` replaces ``build_version``, for a
    scheduler that wraps it; ``report`` hears of each stage.
    """
    domain, author = brief.parts.domain, author or author_of(brief, store.objects)
    keep_brief(store, brief)
    built: list[str] = []
    versions: list[Version] = []
    for stage in STAGES:
        order = order_of(store, stage, workspace_of(brief, versions), author)
        version = store.find(domain, stage.name, order.key)
        if version is None:
            version = (build or build_version)(store, order)
            built.append(stage.name)
        approvers = brief.parts.gates.approvers_of(stage.name)
        state = _gate(store, version, approvers, approve_clean=approve_clean)
        report(version, state)
        if state is not GateState.APPROVED:
            ending = Ending.REJECTED if state is GateState.REJECTED else Ending.AWAITING_APPROVAL
            return Progress(ending, version, tuple(built))
        versions.append(version)
    return Progress(Ending.APPROVED, versions[-1], tuple(built))


def approved_versions(store: Store, brief: Brief) -> tuple[Version, ...]:
    """Return the approved versions for a brief, in order, up to the first gate not passed."""
    versions: tuple[Version, ...] = ()
    log, author = AuditLog(store, brief.parts.domain), author_of(brief, store.objects)
    for stage in STAGES:
        order = order_of(store, stage, workspace_of(brief, versions), author)
        version = store.find(brief.parts.domain, stage.name, order.key)
        approvers = brief.parts.gates.approvers_of(stage.name)
        if version is None or log.state(version, approvers) is not GateState.APPROVED:
            break
        versions = (*versions, version)
    return versions


def workspace_of(brief: Brief, versions: Iterable[Version]) -> Workspace:
    """Return the workspace with the files of the given versions."""
    return Workspace(
        brief,
        {
            f"{version.manifest.stage}/{name}": text
            for version in versions
            for name, text in version.files.items()
        },
    )


def order_of(store: Store, stage: Stage, workspace: Workspace, author: Author) -> Order:
    """Return what decides a stage's version, given the files of the stages before it."""
    brief = workspace.brief
    needed = {
        name: text
        for name, text in workspace.files.items()
        if name.partition("/")[0] in stage.needs
    }
    log = AuditLog(store, brief.parts.domain)
    feedback = log.feedback(stage.name)
    before, added = _basis(store, log, stage, brief, author)
    writer = author.for_stage(stage.name, (*feedback, *added), before)
    edits = tuple(edits_of(store, brief.parts.domain, stage.name))
    inputs = {
        "stage": stage.name,
        "revision": str(stage.revision),
        "sopforge": installed("sopforge"),
        "solver": installed("z3-solver"),
        "learner": installed("scikit-learn"),
        "words": installed(LIBRARY),
        "layout": installed(FORMATTER),
        "author": writer.identity,
        "brief": digest_of(stage.brief_part(brief)),
        "files": digest_files(needed),
        "feedback": digest_of(feedback),
        **({"before": digest_files(before)} if before else {}),
        **({"edits": digest_of([edit.digest for _, edit in edits])} if edits else {}),
    }
    return Order(stage, Workspace(brief, needed), writer, inputs, feedback, edits)


def _basis(
    store: Store, log: AuditLog, stage: Stage, brief: Brief, author: Author
) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """Return the files that are to be changed rather than written anew, and what was added since.

    They are those of which changes were asked for last, or, where context was added to the prose
    that the stage is written from, those that were approved without it.
    """
    if not author.applies_feedback:
        return {}, ()
    key = log.sent_back(stage.name)
    sent_back = store.find(log.domain, stage.name, key) if key else None
    part = digest_of(stage.brief_part(brief))
    if sent_back is None or sent_back.manifest.inputs["brief"] != part:
        approved = _approved_before(store, log, stage, brief)
        if approved is not None:
            return approved.files, brief.parts.context[-1:]
    return (sent_back.files if sent_back else {}), ()


def _approved_before(store: Store, log: AuditLog, stage: Stage, brief: Brief) -> Version | None:
    """Return what was approved before the last context was added, if the stage is made of prose.

    It is known by the brief alone: an edit or feedback since then makes no other basis.
    """
    if stage.needs or brief.built is not None or not brief.parts.context:
        return None
    parts = brief.parts.model_copy(update={"context": brief.parts.context[:-1]})
    part = digest_of(stage.brief_part(replace(brief, parts=parts)))
    approvers = brief.parts.gates.approvers_of(stage.name)
    approved = [
        version
        for version in store.versions(log.domain, stage.name)
        if version.manifest.inputs["brief"] == part
        and log.state(version, approvers) is GateState.APPROVED
    ]
    return approved[-1] if approved else None


def build_version(store: Store, order: Order) -> Version:
    """Build, check and store one version; nothing is stored if any of it fails."""
    started = time.monotonic()
    stage, brief = order.stage, order.workspace.brief
    made = built_and_repaired(stage, order.workspace, order.author, _examined)
    files, findings = dict(made.files), list(made.findings)
    if order.edits:
        files, findings = _edited(order, files)
    if order.feedback and not order.author.applies_feedback:
        findings.append(_not_applied(order))
    manifest = Manifest(
        domain=brief.parts.domain,
        stage=stage.name,
        key=order.key,
        content=digest_files(files),
        author=_author(order),
        inputs=order.inputs,
        findings=tuple(findings),
    )
    run: dict[str, object] = {"seconds": round(time.monotonic() - started, 3)}
    if made.rounds:
        run["repair_rounds"] = made.rounds
    if runs_tools(_checked_stages(stage)):
        run["sandbox"] = chosen_level()
    with store.locked(brief.parts.domain):
        found = store.find(brief.parts.domain, stage.name, order.key)
        return found or store.save(manifest, files, run)


def _edited(order: Order, written: Mapping[str, str]) -> tuple[dict[str, str], list[Finding]]:
    """Return what the author wrote with people's edits, and what the checks find in that."""
    stage = order.stage
    files, conflicts = with_edits(stage.name, written, order.edits)
    named = {f"{stage.name}/{name}": text for name, text in files.items()}
    try:
        found = _examined(stage, order.workspace.with_files(named))
    except MaterialError as refused:
        found = unread(refused)
    return files, [*conflicts, *found]


def _author(order: Order) -> str:
    """Return who wrote, with those who edited it."""
    editors = list(dict.fromkeys(by for by, _ in order.edits))
    return order.author.name + (f", edited by {', '.join(editors)}" if editors else "")


def _examined(stage: Stage, workspace: Workspace) -> list[Finding]:
    own, *earlier = _checked_stages(stage)
    findings = examine(own, workspace)
    for level, variant in variants(workspace).items() if earlier else ():
        for name in earlier:
            found = examine(name, variant, plain=workspace)
            findings += [_at(level, item) for item in found]
    return list(dict.fromkeys(findings))


def _checked_stages(stage: Stage) -> list[str]:
    """Return whose checks judge a stage: its own, and of the variants' all that they hold."""
    earlier = STAGES[:-1] if isinstance(stage, ComplexityStage) else ()
    return [stage.name, *(item.name for item in earlier)]


def _at(level: str, finding: Finding) -> Finding:
    where = f"{level}, {finding.where}" if finding.where else level
    return Finding(
        finding.id, finding.severity, finding.message, where, finding.evidence, finding.hint
    )


def _not_applied(order: Order) -> Finding:
    return warning(
        "feedback-not-applied",
        f"the {order.author.name} author cannot apply words: {order.feedback[-1]!r}",
        where=order.stage.name,
        hint="change the brief or its draft, then generate again",
    )


def _gate(store: Store, version: Version, approvers: int, *, approve_clean: bool) -> GateState:
    """Return where a version stands; what can be settled without a person is."""
    domain, findings = version.manifest.domain, version.manifest.findings
    with store.locked(domain):
        log = AuditLog(store, domain)
        state = log.state(version, approvers)
        if state is GateState.APPROVED:
            return state
        store.set_pending(domain, version)
        if state is GateState.WAITING:
            _carry(store, log, version)
            is_free = approve_clean and approvers == 1 and not log.approvals(version)
            if is_free and not has_errors(findings):
                log.decide(version, Verdict.APPROVE, POLICY_NAME, DeciderKind.POLICY)
            state = log.state(version, approvers)
        if state is GateState.APPROVED:
            store.set_pending(domain, None)
        return state


def _carry(store: Store, log: AuditLog, version: Version) -> None:
    """Let the approvals of the same content with the same findings hold again."""
    manifest = version.manifest
    decided = {entry.by for entry in log.approvals(version)}
    for earlier in store.versions(manifest.domain, manifest.stage):
        shown = earlier.manifest
        if (shown.content, shown.findings) != (manifest.content, manifest.findings):
            continue
        for approval in log.approvals(earlier):
            if approval.by not in decided:
                decided.add(approval.by)
                log.carry(version, approval)
