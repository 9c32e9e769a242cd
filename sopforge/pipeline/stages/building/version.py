"""Building: one version of a stage is written, edited, checked and stored."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial

from sopforge.checks.finding_memo import FindingMemo
from sopforge.checks.registry import examine, needs_tools
from sopforge.errors import MaterialError
from sopforge.findings import Finding, make_warning_finding
from sopforge.pipeline.stages.building.kept_answers import keep_answers
from sopforge.pipeline.stages.building.kept_models import keep_model
from sopforge.pipeline.stages.building.level_findings import check_levels
from sopforge.pipeline.stages.building.orders import Order
from sopforge.pipeline.stages.building.repair import build_and_repair, make_unreadable_findings
from sopforge.pipeline.stages.building.staleness import explain_staleness, find_replaced_version
from sopforge.pipeline.stages.complexity import ComplexityStage, collect_variants
from sopforge.pipeline.stages.editing.edits import with_edits
from sopforge.pipeline.stages.stage import Stage
from sopforge.progress.tracking import enter_step
from sopforge.sandbox.levels import read_chosen_level
from sopforge.store.digests import digest_files
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.versions import DomainStore, Manifest, Version
from sopforge.workspace import Workspace

RARELY = (100_000, 50, 100)
"""After how many new objects Python looks for garbage, and how often among older ones."""


def build_and_store_version(domain: DomainStore, order: Order) -> Version:
    """Build, check and store one version; nothing is stored if any of it fails."""
    with collect_garbage_rarely():
        return _build_and_store_version(domain, order)


@contextmanager
def collect_garbage_rarely() -> Iterator[None]:
    """Have Python look for cycles of garbage less often: a stage makes millions of small objects.

    To go through those that are kept took a tenth of the time; hardly any of them are in cycles.
    """
    before = gc.get_threshold()
    gc.set_threshold(*RARELY)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _build_and_store_version(domain: DomainStore, order: Order) -> Version:
    started = time.monotonic()
    stage = order.stage
    # Before the work: a run that comes to another version meanwhile changes what counts.
    reasons = _explain_rebuild(domain, order)
    examine_with_memo = partial(examine_stage, memo=order.memo)
    with enter_step(stage.name), keep_answers(domain):
        made = keep_model(order, examine_with_memo) or build_and_repair(
            stage, order.workspace, order.author, examine_with_memo
        )
        files, findings = dict(made.files), list(made.findings)
        if order.edits:
            files, findings = _apply_edits(order, files)
    if _is_open(domain, order):
        findings += _list_unheeded(domain, order, files)
    manifest = Manifest(
        domain=domain.name,
        stage=stage.name,
        key=order.key,
        content=digest_files(files),
        author=_name_author(order),
        inputs=order.inputs,
        findings=tuple(findings),
    )
    # Not in the manifest, which has to be the same whenever the version is made again.
    run: dict[str, object] = {
        "seconds": round(time.monotonic() - started, 3),
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    if reasons:
        run["rebuilt_because"] = reasons
    if made.rounds:
        run["repair_rounds"] = made.rounds
    if needs_tools(_list_checked_stages(stage)):
        run["sandbox"] = read_chosen_level()
    with domain.lock():
        # Another run may have stored it while this one was building.
        found = domain.find(stage.name, order.key)
        return found or domain.save(manifest, files, run)


def _explain_rebuild(domain: DomainStore, order: Order) -> list[str]:
    """Return what changed since the version that an order replaces, nothing for a first one."""
    replaced = find_replaced_version(domain, order.stage.name)
    return explain_staleness(domain, order, replaced) if replaced else []


def _apply_edits(order: Order, written: Mapping[str, str]) -> tuple[dict[str, str], list[Finding]]:
    """Return what the author wrote with people's edits, and what the checks find in that."""
    stage = order.stage
    files, conflicts = with_edits(stage.name, written, order.edits)
    try:
        edited = order.workspace.with_stage(stage.name, files)
        found = examine_stage(stage, edited, order.memo)
    except MaterialError as refused:
        found = make_unreadable_findings(refused)
    return files, [*conflicts, *found]


def _name_author(order: Order) -> str:
    """Return who wrote, with those who edited it."""
    editors = list(dict.fromkeys(by for by, _ in order.edits))
    return order.author.name + (f", edited by {', '.join(editors)}" if editors else "")


def examine_stage(
    stage: Stage, workspace: Workspace, memo: FindingMemo | None = None
) -> list[Finding]:
    """Return what the checks of a stage find, and of the levels what those of all stages find."""
    memo = memo or FindingMemo(workspace.brief)
    own, *earlier = _list_checked_stages(stage)
    findings = examine(own, workspace, memo)
    if earlier:
        findings += check_levels(workspace, collect_variants(workspace), earlier, memo)
    return list(dict.fromkeys(findings))


def _list_checked_stages(stage: Stage) -> list[str]:
    """Return whose checks judge a stage: its own, and of the variants' all that they hold."""
    earlier = stage.needs if isinstance(stage, ComplexityStage) else ()
    return [stage.name, *earlier]


def _list_unheeded(domain: DomainStore, order: Order, files: Mapping[str, str]) -> list[Finding]:
    """Return a finding where a version is what it was before changes were asked for.

    What was asked before a person approved the stage last is settled.
    """
    stage, log = order.stage.name, AuditLog(domain)
    if not log.list_open_feedback(stage):
        return []
    if not order.author.applies_feedback:
        return [_make_not_applied_finding(order)]
    key = log.find_sent_back_key(stage)
    sent_back = domain.find(stage, key) if key else None
    if sent_back is None or sent_back.manifest.content != digest_files(files):
        return []
    return [
        make_warning_finding(
            "feedback-not-applied",
            f"a requested change was not made: {order.feedback[-1]!r}",
            where=stage,
            hint="reword the request, edit the file yourself, or change the rules with regenerate",
        )
    ]


def _is_open(domain: DomainStore, order: Order) -> bool:
    """Return whether changes were asked for of a version made from what this one is made from."""
    stage = order.stage.name
    key = AuditLog(domain).find_sent_back_key(stage) if order.feedback else ""
    sent_back = domain.find(stage, key) if key else None
    given = ("brief", "files")
    return sent_back is not None and all(
        sent_back.manifest.inputs.get(name) == order.inputs.get(name) for name in given
    )


def _make_not_applied_finding(order: Order) -> Finding:
    return make_warning_finding(
        "feedback-not-applied",
        f"the {order.author.name} author cannot carry out requests in words:"
        f" {order.feedback[-1]!r}",
        where=order.stage.name,
        hint="change the brief or its draft, then generate again",
    )
