"""Going on after a decision: which domains have something to do, and who starts their next run.

What is to be done follows from the store alone. Whoever starts a run right after a decision spares
a wait; where that fails, the next look at the store finds the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from decimal import Decimal
from typing import Protocol

from sopforge.errors import ContinuationError, Fault, SopForgeError
from sopforge.pipeline.briefs.brief_files import list_kept_versions, load_latest_brief
from sopforge.pipeline.runs.run import RunResult, compute_cost_so_far, is_at_work, run_alone
from sopforge.store.digests import digest_value
from sopforge.store.entries import Decision, DecisionVerdict
from sopforge.store.last_run import CANCELLED, FAILED, NO_RUN, LastRun, RunSettings, load_last_run
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.opening import open_store
from sopforge.store.overview import Next, build_overview
from sopforge.store.places import resolve_place
from sopforge.store.versions import DomainStore, Store

MOST_TRIES = 3
"""So many runs are started for one decision, or one brief, before a person has to."""


@dataclass(frozen=True, slots=True)
class Due:
    """A domain that is to go on, after what, and as what its last run was asked for.

    ``key`` names what there is to act on: who finds the same finds the same key. ``last`` is the
    domain's last run at the time.
    """

    domain: str
    after: str
    key: str
    settings: RunSettings
    last: LastRun = NO_RUN


class Continuation(Protocol):
    """Starts the next run of a domain somewhere else."""

    def start(self, place: str, due: Due) -> str:
        """Start it, once for each key, on the store in a place; return what is to be said of it.

        Raises:
            ContinuationError: nothing was started.
        """

    def get_page_address(self, domain: str) -> str:
        """Return the address of the page that shows a domain's runs, "" where there is none."""


def find_next_run(domain: DomainStore) -> Due:
    """Return what the next run of a domain is, whether or not it has anything to do."""
    before, decisions = (
        load_last_run(domain),
        AuditLog(domain).list_decisions_by_persons(),
    )
    newest, settings = (
        (decisions[-1] if decisions else None),
        _build_next_settings(domain, before),
    )
    return Due(
        domain.name,
        _describe_trigger(newest),
        _make_run_key(domain, newest, before),
        settings,
        before,
    )


def is_overtaken(place: str, due: Due) -> bool:
    """Return whether a run of the domain began since its next run was found.

    That run did what there was to do, or another look at the store finds what is left.
    """
    return load_last_run(open_store(place).get_domain(due.domain)) != due.last


def with_policy(due: Due) -> Due:
    """Return a next run that approves by policy what has no errors, asked for by who starts it."""
    asked = replace(due.settings, approve_clean=True)
    # A key of its own: a plain run for the same decision must not keep it from starting.
    return replace(due, key=f"{due.key}:approve-clean", settings=asked)


def with_budget(due: Due, budget: Decimal) -> Due:
    """Return a next run that may cost so much from now on, whatever is left of its last budget."""
    asked = replace(due.settings, budget=budget)
    return replace(due, key=f"{due.key}:budget-{budget}", settings=asked)


def find_due_run(domain: DomainStore) -> Due | None:
    """Return the next run of a domain that has something to do and that nobody is at, or None.

    It has something to do where its last run was cut off, where its brief was added to since, or
    where persons decided since: nothing waits at a gate, and the newest decision is no rejection.
    """
    before, decisions = (
        load_last_run(domain),
        AuditLog(domain).list_decisions_by_persons(),
    )
    is_cut_off = before.is_unfinished and before.tries < MOST_TRIES
    is_decided = len(decisions) > before.decisions and not _waits(domain)
    is_rejected = bool(decisions) and decisions[-1].verdict is DecisionVerdict.REJECT
    has_something = is_cut_off or _is_added_to(domain, before) or (is_decided and not is_rejected)
    if not has_something or is_at_work(domain):
        return None
    if load_last_run(domain) != before:
        # A run began and ended while this looked: what was found may be done.
        return find_due_run(domain)
    return find_next_run(domain)


def _is_added_to(domain: DomainStore, before: LastRun) -> bool:
    """Return whether a brief was kept that the last run, which has ended, did not have."""
    newest = int(next(reversed(list_kept_versions(domain)), "0"))
    return bool(before.ended) and newest > before.brief > 0


def _waits(domain: DomainStore) -> bool:
    """Return whether a version waits that is not settled: its decider may have died there."""
    return domain.find_waiting() is not None and build_overview(domain).is_waiting


@dataclass(frozen=True, slots=True)
class DueRuns:
    """What a look at all domains of a store found: those to go on with, and those with faults.

    ``left`` are those that only a person goes on with, each with the reason.
    """

    due: tuple[Due, ...]
    faults: Mapping[str, tuple[Fault, ...]]
    left: Mapping[str, str] = field(default_factory=dict)

    def map_runs(self, change: Callable[[Due], Due]) -> DueRuns:
        """Return the same with each next run changed."""
        return replace(self, due=tuple(map(change, self.due)))


def find_due_runs(store: Store) -> DueRuns:
    """Look for domains that have something to do; what is wrong with one stops no other."""
    due, faults, left = list[Due](), dict[str, tuple[Fault, ...]](), dict[str, str]()
    for domain in list_begun_domains(store):
        try:
            found = find_due_run(store.get_domain(domain))
            reason = "" if found else explain_left_to_person(store.get_domain(domain))
        except SopForgeError as refused:
            faults[domain] = refused.faults
            continue
        due += [found] if found else []
        left |= {domain: reason} if reason else {}
    return DueRuns(tuple(due), faults, left)


_LEFT = {FAILED: "its last run failed", CANCELLED: "its last run was cancelled"}


def explain_left_to_person(domain: DomainStore) -> str:
    """Return why a domain that is not at its end is left to a person, "" where it is not."""
    before = load_last_run(domain)
    is_given_up = before.is_unfinished and before.tries >= MOST_TRIES
    why = _LEFT.get(before.ended, f"its last {MOST_TRIES} runs were cut off" if is_given_up else "")
    if not why or is_at_work(domain):
        return ""
    there = build_overview(domain)
    return "" if there.is_waiting or there.next in {Next.NOTHING, Next.FIX} else why


@dataclass(frozen=True, slots=True)
class Start:
    """What was said of a run that was to be started; with faults, none was."""

    domain: str
    message: str = ""
    faults: tuple[Fault, ...] = ()


def start_all(place: str, dues: Iterable[Due], continuation: Continuation) -> Iterator[Start]:
    """Have each run started on the store in a place; one that is not stops no other."""
    for due in dues:
        try:
            yield Start(due.domain, continuation.start(place, due))
        except ContinuationError as refused:
            yield Start(due.domain, faults=refused.faults)


def continue_here(domain: DomainStore) -> RunResult:
    """Go on with a domain in this process, from its kept brief, as its last run was asked for."""
    return run_alone(
        domain, lambda: load_latest_brief(domain), lambda: find_next_run(domain).settings
    )


def list_begun_domains(store: Store) -> list[str]:
    """Return the names of all domains of which a brief is kept, though nothing may be made yet."""
    return [
        name
        for name in store.objects.list_children("")
        if list_kept_versions(store.get_domain(name))
    ]


def _describe_trigger(newest: Decision | None) -> str:
    if newest is None:
        return "its brief"
    return f"{newest.stage}, {newest.verdict.replace('_', ' ')} by {newest.by}"


def _make_run_key(domain: DomainStore, newest: Decision | None, before: LastRun) -> str:
    """Return what names a run: what it acts on, and how many began for that and were cut off."""
    # A run is started once for each name: one that was cut off needs another to go on.
    tries = 0 if before.ended else before.tries
    # A store that was made anew, or another one, has decisions of the same numbers on the same
    # content: the place and the time of the decision distinguish them. A brief that was added
    # to since is something else to act on.
    place = resolve_place(domain.place)
    briefs = list_kept_versions(domain)
    whose = digest_value([place, asdict(newest) if newest else None, briefs])[:12]
    if newest is None:
        return f"{domain}:brief:{whose}:{tries}"
    return f"{domain}:{newest.stage}:{newest.content[:12]}:{newest.sequence}:{whose}:{tries}"


def _build_next_settings(domain: DomainStore, before: LastRun) -> RunSettings:
    """Return what the last run was asked for, with what is left of its budget."""
    settings = before.settings
    if settings.budget is None:
        return settings
    spent = compute_cost_so_far(domain) - before.spent
    return replace(settings, budget=max(Decimal(0), settings.budget - spent))
