"""One run of a domain, whoever starts it: alone at its domain, and noted for the next one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from sopforge.authors.providers.ledger import read_events
from sopforge.authors.providers.selection import name_ledger
from sopforge.authors.providers.totals import compute_totals
from sopforge.authors.providers.watching import Watch, ignore_event
from sopforge.authors.writers.choosing import choose_author
from sopforge.authors.writers.long_briefs import check_brief_length
from sopforge.authors.writers.personal_data import check_personal_data
from sopforge.checks.schema.brief_language import find_other_language
from sopforge.errors import MaterialError, SopForgeError, StoreError
from sopforge.findings import Finding, format_finding_count, has_errors
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.briefs.earlier_answers import keep_with_answers
from sopforge.pipeline.runs.at_work import name_run_lock, note_run
from sopforge.pipeline.runs.call_log import read_noted_calls, refuse_changed_calls
from sopforge.pipeline.stages.pipeline import (
    Build,
    Ending,
    Progress,
    Report,
    StageReport,
    advance,
    build_version,
)
from sopforge.store.last_run import (
    CANCELLED,
    FAILED,
    PUBLISHED,
    LastRun,
    RunSettings,
    keep_last_run,
    load_last_run,
)
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.versions import DomainStore, Store
from sopforge.workspace import STAGE_NAMES

if TYPE_CHECKING:
    from sopforge.pipeline.releases.publishing import Published

PATIENCE_SECONDS = 3600.0
_LOCKED = "domain-locked"
# What may be gone when the same run is started again.
_TRANSIENT = {
    _LOCKED,
    "lock-lost",
    "model-unavailable",
    "prefect-unavailable",
    "store-unusable",
    "worker-killed",
    "written-meanwhile",
}


@contextmanager
def lock_run(domain: DomainStore, waits: Callable[[], None]) -> Iterator[None]:
    """Keep other runs of the domain out; where one is at work, say so and wait for its end.

    A second run finds what the first has built, so that nothing is built, asked or paid twice. A
    run whose process died keeps nobody out.

    Raises:
        StoreError: the other run is still at work after an hour.
    """
    with ExitStack() as held:
        try:
            # Not waiting yet, so that a wait is announced only where there is one.
            held.enter_context(_lock(domain, wait=0))
        except StoreError as refused:
            if not _is_locked(refused):
                raise
            waits()
            held.enter_context(_lock(domain, wait=PATIENCE_SECONDS))
        yield


def is_at_work(domain: DomainStore) -> bool:
    """Return whether a run of the domain is at work, and has not died."""
    return domain.objects.is_locked(name_run_lock(domain.name))


@dataclass(frozen=True, slots=True)
class RunResult:
    """How the run of a brief ended, and the release where it was asked for one and came so far."""

    brief: Brief
    progress: Progress
    published: Published | None = None

    @property
    def ending(self) -> str:
        """The ending in one word."""
        return PUBLISHED if self.published else self.progress.ending.value


def _publish_release(store: Store, brief: Brief) -> Published:
    from sopforge.pipeline.releases.publishing import publish  # noqa: PLC0415 - slow to import

    return publish(store, brief)


@dataclass(frozen=True, slots=True)
class RunHooks:
    """How a run does its work, for a scheduler that wraps it, and who hears of it.

    ``waits`` hears that another run is at work, and ``surround`` is entered with the brief for as
    long as this one is. ``build`` replaces ``build_version`` and ``release`` replaces ``publish``;
    ``report`` hears of each stage, ``goes_back`` why a run goes through them again, ``watch`` of
    each call of a language model.
    """

    waits: Callable[[], None] = lambda: None
    surround: Callable[[Brief], AbstractContextManager[object]] = nullcontext

    build: Build = build_version
    release: Callable[[Store, Brief], Published] = _publish_release
    report: Report = lambda _: None
    goes_back: Callable[[str], None] = lambda _: None
    watch: Watch = ignore_event


def run_alone(
    domain: DomainStore,
    brief: Callable[[], Brief],
    settings: Callable[[], RunSettings],
    hooks: RunHooks | None = None,
) -> RunResult:
    """Take a domain's brief as far as its approvals allow, once no other run of it is at work.

    Brief and settings are asked for then, for the other run may change them. Raises as ``run``.
    """
    hooks = hooks or RunHooks()
    with lock_run(domain, hooks.waits):
        loaded = brief()
        with hooks.surround(loaded):
            return run(domain.store, loaded, settings(), hooks)


def run(
    store: Store, brief: Brief, settings: RunSettings, hooks: RunHooks | None = None
) -> RunResult:
    """Take a brief as far as its approvals allow, and note for the next run how it was done.

    Call it within ``lock_run``.

    Raises:
        MaterialError: something in the brief cannot be used; the place is in the brief's own file.
        StoreError: something in the domain does not fit its seal; nothing is built then.
    """
    domain = store.get_domain(brief.parts.domain)
    domain.require_intact_seal()
    brief = keep_with_answers(domain, brief)
    begun = _begin(domain, settings, brief.kept)
    try:
        with note_run(domain):
            ran = _run_stages(store, brief, settings, hooks or RunHooks())
    except Exception as stopped:
        # A run without its end counts as one that was cut off, which another goes on with: so does
        # one that was interrupted, for an interrupt is no Exception.
        with suppress(StoreError):
            # Where not even that can be noted, what stopped the run is still what is reported.
            if not is_transient(stopped):
                _note_end(domain, begun, FAILED)
        if isinstance(stopped, MaterialError):
            placed = [replace(one, where=brief.locate_finding(one.where)) for one in stopped.faults]
            raise MaterialError(*placed) from stopped
        raise
    _note_end(domain, begun, ran.ending)
    return ran


def _run_stages(store: Store, brief: Brief, settings: RunSettings, hooks: RunHooks) -> RunResult:
    prices = Path(settings.prices) if settings.prices else None
    author = choose_author(brief, store.objects, settings.budget, prices=prices, watch=hooks.watch)
    progress = advance(
        store,
        brief,
        approve_clean=settings.approve_clean,
        run_ahead=settings.run_ahead,
        author=author,
        build=hooks.build,
        report=hooks.report,
        goes_back=hooks.goes_back,
    )
    is_released = settings.publish and progress.ending is Ending.APPROVED
    return RunResult(brief, progress, hooks.release(store, brief) if is_released else None)


def is_transient(error: BaseException) -> bool:
    """Return whether trying again may help: where the machine or a service failed.

    It does not where the material is at fault, or this program, which stay as they are.
    """
    if isinstance(error, SopForgeError):
        return all(fault.code in _TRANSIENT for fault in error.faults)
    return isinstance(error, OSError | MemoryError)


def note_cancelled(domain: DomainStore) -> None:
    """Note that a person stopped the run at work on purpose: no sweep goes on with it.

    Call it within ``lock_run``.
    """
    noted = load_last_run(domain)
    if noted.is_unfinished:
        _note_end(domain, noted, CANCELLED)


def find_brief_warnings(brief: Brief) -> list[Finding]:
    """Return what is to be known of a brief before a language model is sent it."""
    if brief.parts.writer.name == "offline":
        return []
    # Of a brief with a model, the schema says it.
    others = find_other_language(brief.document.value) if brief.built is None else []
    return [*others, *check_personal_data(brief), *check_brief_length(brief)]


def describe_stage(report: StageReport) -> str:
    """Return one line on a stage that a run came to, with why it was rebuilt, if it was."""
    version, manifest = report.version, report.version.manifest
    place = f"{STAGE_NAMES.index(manifest.stage) + 1}/{len(STAGE_NAMES)}"
    line = f"{place} {manifest.stage:<11} version {version.number}  {manifest.content[:12]}"
    line += f"  {format_finding_count(manifest.findings)}, {report.at_gate.description}"
    reasons = version.rebuild_reasons if report.is_built else ()
    return f"{line}; rebuilt: {'; '.join(reasons)}" if reasons else line


def describe_end(progress: Progress, published: Published | None = None) -> str:
    """Return one line on how a run ended."""
    manifest, number = progress.version.manifest, progress.version.number
    what = f"{manifest.stage} version {number} {manifest.content[:12]}"
    match progress.ending:
        case Ending.AWAITING_APPROVAL:
            errors = " and has errors" if has_errors(manifest.findings) else ""
            return f"{what} waits at its gate{errors}"
        case Ending.REJECTED:
            return f"{what} was rejected"
        case Ending.APPROVED if published is not None:
            return f"published {published.version} in {published.place}"
        case Ending.APPROVED:
            return "all stages are approved"


def compute_cost_so_far(domain: DomainStore) -> Decimal:
    """Return what all calls for a domain cost at most, as far as it is known, in US dollars."""
    return compute_totals(read_events(domain.objects, name_ledger(domain.name))).highest_cost


def _begin(domain: DomainStore, settings: RunSettings, brief: int) -> LastRun:
    """Note that a run is at work.

    Raises:
        StoreError: what the log of calls held when the last run was noted was changed.
    """
    refuse_changed_calls(domain)
    before, decisions = (
        load_last_run(domain),
        AuditLog(domain).list_decisions_by_persons(),
    )
    # A run without its end was cut off, and this is one more try at the same.
    tries, calls = 1 if before.ended else before.tries + 1, read_noted_calls(domain)
    begun = LastRun(
        settings,
        compute_cost_so_far(domain),
        len(decisions),
        tries,
        brief=brief,
        calls=calls,
    )
    keep_last_run(domain, begun)
    return begun


def _note_end(domain: DomainStore, begun: LastRun, ending: str) -> None:
    """Note that a run came to an end."""
    ended = replace(begun, ended=ending, calls=read_noted_calls(domain))
    keep_last_run(domain, ended)


def _lock(domain: DomainStore, wait: float) -> AbstractContextManager[None]:
    return domain.objects.hold_lock(name_run_lock(domain.name), wait=wait)


def _is_locked(refused: StoreError) -> bool:
    return [fault.code for fault in refused.faults] == [_LOCKED]
