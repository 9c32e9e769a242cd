"""Versions without the work: a build that writes what it was made from, and finds what it is given.

Which versions are built, found and decided on follows from inputs alone, so that tests of it need
neither the solver nor the sandbox.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sopforge.findings import Finding
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.gates.gate import Decided, decide, require_waiting_version
from sopforge.pipeline.stages.building.orders import Order
from sopforge.pipeline.stages.editing.edits import EDITABLE
from sopforge.pipeline.stages.pipeline import Progress, advance
from sopforge.store.digests import digest_files
from sopforge.store.entries import DeciderKind, DecisionVerdict
from sopforge.store.log.audit_log import NO_OPINION, AuditLog, GateState, Opinion, SignEntry
from sopforge.store.versions import DomainStore, Manifest, Store, Version
from tests.worlds.small_models import changed

REFUND = (Path(__file__).parents[1] / "briefs" / "refund.yaml").read_text(encoding="utf-8")
LONGER = ("value: 30,", "value: 31,")
_SHOWN = ("stage", "brief", "files", "feedback", "edits")


@dataclass
class QuickBuild:
    """Builds in no time; ``findings`` are what the checks of a stage find."""

    findings: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict)

    def __call__(self, domain: DomainStore, order: Order) -> Version:
        stage = order.stage.name
        text = "".join(f"{name}: {order.inputs.get(name, '')}\n" for name in _SHOWN)
        files = {EDITABLE.get(stage, "made.txt"): text}
        content, found = digest_files(files), self.findings.get(stage, ())
        made = Manifest(domain.name, stage, order.key, content, "offline", order.inputs, found)
        return domain.save(made, files, {})


def refund(*changes: tuple[str, str]) -> Brief:
    """Return the brief of the refunds, with changes."""
    return read_brief(changed(REFUND, *changes), "refund.yaml")


def go(
    store: Store,
    brief: Brief | None = None,
    *,
    approve_clean: bool = False,
    run_ahead: bool = False,
    build: QuickBuild | None = None,
) -> Progress:
    """Take the refunds as far as their approvals allow."""
    return advance(
        store,
        brief or refund(),
        approve_clean=approve_clean,
        run_ahead=run_ahead,
        build=build or QuickBuild(),
    )


def settle(
    store: Store,
    stage: str,
    verdict: DecisionVerdict = DecisionVerdict.APPROVE,
    *,
    by: str = "ada",
    opinion: Opinion = NO_OPINION,
    sign: SignEntry | None = None,
    domain: str = "refund",
) -> Decided:
    """Decide on a stage of the refunds; changes are asked for as of what a model wrote."""
    there = store.get_domain(domain)
    if verdict is DecisionVerdict.REQUEST_CHANGES:
        version = require_waiting_version(there, stage, "")
        made = AuditLog(there).append_decision(version, verdict, by, DeciderKind.PERSON, opinion)
        there.set_waiting(None)
        return Decided(made, GateState.CHANGES_REQUESTED, 0)
    return decide(there, stage=stage, digest="", verdict=verdict, by=by, opinion=opinion, sign=sign)


def approve_to(store: Store, stage: str, brief: Brief | None = None) -> Progress:
    """Approve whatever waits until a stage does, and return where that run ended."""
    ended = go(store, brief)
    while ended.version.manifest.stage != stage:
        settle(store, ended.version.manifest.stage)
        ended = go(store, brief)
    return ended
