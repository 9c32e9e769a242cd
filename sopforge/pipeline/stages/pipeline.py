"""The pipeline: its order, and how far a domain can go on before a person has to decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeAlias

from sopforge.authors.writers.author import Author
from sopforge.authors.writers.choosing import choose_author
from sopforge.extensions import load_extensions
from sopforge.findings import has_errors
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.briefs.earlier_answers import keep_with_answers
from sopforge.pipeline.stages.api import ApiStage
from sopforge.pipeline.stages.building.gate_entry import (
    enter_gate,
    find_or_drop_waiting,
    let_wait_no_more,
    note_ahead,
    note_course,
)
from sopforge.pipeline.stages.building.orders import Order, build_order, build_workspace
from sopforge.pipeline.stages.complexity import ComplexityStage
from sopforge.pipeline.stages.dataset import DatasetStage
from sopforge.pipeline.stages.schema import SchemaStage
from sopforge.pipeline.stages.sop import SopStage
from sopforge.pipeline.stages.stage import Stage, is_stage
from sopforge.pipeline.stages.tools import ToolsStage
from sopforge.pipeline.stages.toolspec import ToolspecStage
from sopforge.pipeline.stages.walk import StageWalk
from sopforge.store.course import Course, load_course
from sopforge.store.log.audit_log import AtGate, AuditLog, GateState
from sopforge.store.versions import DomainStore, Store, Version
from sopforge.store.waiting import Waiting

__all__ = [
    "STAGES",
    "Build",
    "Ending",
    "Order",
    "Progress",
    "Report",
    "StageReport",
    "advance",
    "build_order",
    "build_version",
    "build_workspace",
    "list_approved_versions",
]

STAGES: tuple[Stage, ...] = (
    SchemaStage(),
    SopStage(),
    DatasetStage(),
    ApiStage(),
    ToolspecStage(),
    ToolsStage(),
    ComplexityStage(),
    *load_extensions("stages", is_stage),
)


class Ending(StrEnum):
    """How a run of the pipeline ended."""

    AWAITING_APPROVAL = "AwaitingApproval"
    REJECTED = "Rejected"
    APPROVED = "Approved"


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run ended: the version at the gate, and the stages that it built.

    ``ahead`` are the versions that stand provisionally after that gate, some of them ``built``
    now. ``is_overtaken`` says that somebody decided at the gate while the run went ahead of it.
    """

    ending: Ending
    version: Version
    built: tuple[str, ...]
    ahead: tuple[Version, ...] = ()
    is_overtaken: bool = False


@dataclass(frozen=True, slots=True)
class StageReport:
    """What a run reports of a stage that it came to: the version, and where that stands.

    ``is_built`` says that this run built it; it found it otherwise.
    """

    version: Version
    at_gate: AtGate
    is_built: bool = False


Build: TypeAlias = Callable[[DomainStore, Order], Version]
Report: TypeAlias = Callable[[StageReport], None]


def advance(
    store: Store,
    brief: Brief,
    *,
    approve_clean: bool = False,
    run_ahead: bool = False,
    author: Author | None = None,
    build: Build | None = None,
    report: Report = lambda _: None,
    goes_back: Callable[[str], None] = lambda _: None,
) -> Progress:
    """Take a domain as far as its approvals allow, building only what is missing or stale.

    ``approve_clean`` approves by policy what has no error-level finding. ``run_ahead`` builds the
    stages after a version that waits without errors, provisionally. ``author`` is the one that
    the brief names, where nothing else is said. ``build`` replaces ``build_version``, for a
    scheduler that wraps it; ``report`` hears of each stage, and again only where that comes out
    otherwise after the run went back, of which ``goes_back`` hears why.
    """
    author = author or choose_author(brief, store.objects)
    domain, report = store.get_domain(brief.parts.domain), _News(report)
    brief = keep_with_answers(domain, brief)
    while True:
        run = _Run(store, brief, author, build or build_version)
        ended = _go(run, report, approve_clean=approve_clean, run_ahead=run_ahead)
        if ended is not None:
            return ended
        goes_back(run.explain_going_back())


def _go(run: _Run, report: Report, *, approve_clean: bool, run_ahead: bool) -> Progress | None:
    """Go through the stages; None where a decision that was made meanwhile leads back."""
    for place, stage in enumerate(STAGES):
        version = run.find_or_build_version(stage)
        if stage.name in run.built and not run.is_standing():
            return None  # An approval was withdrawn while the version was built.
        at_gate = run.enter_gate(stage, version, approve_clean=approve_clean)
        report(run.build_report(stage, version, at_gate))
        state = at_gate.state
        if state is GateState.REJECTED:
            return Progress(Ending.REJECTED, version, tuple(run.built))
        if state is not GateState.APPROVED:
            ahead = _Ahead(run, version, report, builds=run_ahead)
            if state is GateState.WAITING and not has_errors(version.manifest.findings):
                ahead.go(STAGES[place + 1 :])
            found, built = tuple(ahead.versions), tuple(run.built)
            return Progress(Ending.AWAITING_APPROVAL, version, built, found, ahead.is_overtaken)
        run.take(version)
    run.log = AuditLog(run.domain).take_snapshot()
    if not run.is_standing():
        return None
    # What has waited all along is of an earlier brief, or its writer died before it took it away.
    let_wait_no_more(run.domain, run.waited)
    return Progress(Ending.APPROVED, run.taken[-1], tuple(run.built))


def list_approved_versions(store: Store, brief: Brief) -> tuple[Version, ...]:
    """Return the approved versions for a brief, in order, up to the first gate not passed."""
    walk = StageWalk(store, brief, choose_author(brief, store.objects))
    for stage in STAGES:
        version = walk.find_version(stage)
        if version is None or walk.compute_gate_state(stage, version) is not GateState.APPROVED:
            break
        walk.take(version)
    return tuple(walk.taken)


def build_version(domain: DomainStore, order: Order) -> Version:
    """Build, check and store one version; nothing is stored if any of it fails."""
    # The solver, tables and the sandbox are loaded by who builds, and by no run that only looks.
    from sopforge.pipeline.stages.building.version import build_and_store_version

    return build_and_store_version(domain, order)


@dataclass(slots=True)
class _News:
    """Reports a stage again only where it is not as it was reported before."""

    report: Report
    known: dict[str, StageReport] = field(default_factory=dict)

    def __call__(self, stage: StageReport) -> None:
        name = stage.version.manifest.stage
        before = self.known.get(name)
        if before is not None and before.version == stage.version:
            # Built by this run, before it went back.
            stage = replace(stage, is_built=before.is_built or stage.is_built)
        if stage != before:
            self.known[name] = stage
            self.report(stage)


@dataclass(slots=True)
class _Run(StageWalk):
    """A walk that builds what is missing, and passes gates.

    What was decided is read once, and again after a build, which may have taken an hour.
    """

    build: Build
    course: Course = field(init=False)
    waited: Waiting | None = field(init=False)
    built: list[str] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        # By name: a dataclass with slots is a new class, which super() does not know.
        StageWalk.__post_init__(self)
        self.course = load_course(self.domain)
        self.waited = find_or_drop_waiting(self.domain)

    def find_or_build_version(self, stage: Stage) -> Version:
        """Return the version of a stage that what was taken leads to; it is built if need be."""
        order = self.build_order(stage)
        found = self.domain.find(stage.name, order.key)
        if found is not None:
            return found
        made = self.build(self.domain, order)
        self.built.append(stage.name)
        self.log = AuditLog(self.domain).take_snapshot()
        return made

    def is_standing(self) -> bool:
        """Return whether all that was taken is still approved, as the log was read last."""
        return self.find_fallen() is None

    def find_fallen(self) -> Version | None:
        """Return the first version that was taken and is not approved any more."""
        for stage, version in zip(STAGES, self.taken, strict=False):
            if self.compute_gate_state(stage, version) is not GateState.APPROVED:
                return version
        return None

    def explain_going_back(self) -> str:
        """Return one line on why the run goes through the stages again."""
        fallen = self.find_fallen()
        if fallen is None:
            return "a decision was made meanwhile; the run goes through the stages again"
        what = f"{fallen.manifest.stage} version {fallen.number}"
        return f"{what} is not approved any more; the run goes back to it"

    def build_report(self, stage: Stage, version: Version, at_gate: AtGate) -> StageReport:
        """Return what is reported of a stage's version."""
        return StageReport(version, at_gate, is_built=stage.name in self.built)

    def enter_gate(self, stage: Stage, version: Version, *, approve_clean: bool) -> AtGate:
        """Return where a version stands at its gate, and note that the run came to it."""
        found = self.compute_gate_standing(stage, version)
        if found.state is not GateState.APPROVED:
            approvers = self.count_approvers(stage)
            found = enter_gate(self.domain, version, approvers, approve_clean=approve_clean)
        is_last = found.state is not GateState.APPROVED or stage is STAGES[-1]
        if self.course.with_version(version, is_last=is_last) != self.course:
            self.course = note_course(self.domain, version, is_last=is_last)
        return found


@dataclass(slots=True)
class _Ahead:
    """A walk past a version that waits: on what was built before, or, if it ``builds``, to the end.

    It ends at a version that nobody would approve as it is, or whose files were changed.
    """

    run: _Run
    waiting: Version
    report: Report
    builds: bool
    versions: list[Version] = field(default_factory=list)
    is_overtaken: bool = False

    def go(self, stages: tuple[Stage, ...]) -> None:
        """Go on through the stages after the version, and note what stands there."""
        self.run.take(self.waiting)
        for stage in stages:
            version = (
                self.run.find_or_build_version(stage)
                if self.builds
                else self.run.find_version(stage)
            )
            if version is None:
                break
            self.versions.append(version)
            if stage.name in self.run.built and not self._is_noted():
                return
            if self.builds:
                provisional = AtGate(GateState.PROVISIONAL)
                self.report(self.run.build_report(stage, version, provisional))
            if self._is_hopeless(stage, version):
                break
            self.run.take(version)
        self._is_noted()

    def _is_noted(self) -> bool:
        self.is_overtaken = not note_ahead(self.run.domain, self.waiting, self.versions)
        return not self.is_overtaken

    def _is_hopeless(self, stage: Stage, version: Version) -> bool:
        state = self.run.compute_gate_state(stage, version)
        has_faults = has_errors(version.manifest.findings) and state is not GateState.APPROVED
        return has_faults or state is GateState.REJECTED or not version.is_intact
