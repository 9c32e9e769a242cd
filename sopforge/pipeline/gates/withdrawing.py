"""Taking a decision back: an approval, a request or an edit that no release rests on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sopforge.errors import Fault, StoreError
from sopforge.language.domain.stage_names import STAGE_NAMES
from sopforge.store.course import find_current_version
from sopforge.store.entries import (
    DeciderKind,
    Decision,
    DecisionVerdict,
    build_subject,
    select_standing,
)
from sopforge.store.log.audit_log import AuditLog, SignEntry
from sopforge.store.log.yanks import is_yanked
from sopforge.store.places import store_option
from sopforge.store.versions import DomainStore

_LASTING = frozenset({DecisionVerdict.EDIT, DecisionVerdict.REQUEST_CHANGES})
"""These count for later versions of the stage too; all others for one version alone."""


def find_withdrawable(domain: DomainStore, stage: str) -> Decision | None:
    """Return the newest decision on a stage that counts for its version today, or None."""
    found = _select_withdrawable(domain, stage, AuditLog(domain).list_entries())
    return found[-1] if found else None


def take_decision_back(
    domain: DomainStore,
    *,
    stage: str,
    digest: str,
    by: str,
    entry: int = 0,
    reason: str = "",
    sign: SignEntry | None = None,
) -> tuple[Decision, Decision]:
    """Record that a decision on a stage no longer counts; return it and the record.

    It is the newest, or that with the number ``entry``. ``digest`` may be shortened or empty: it is
    of what the decision was about. The next run comes back to the stage, where no policy approves
    the same content again.

    Raises:
        StoreError: there is no such decision, the newest was withdrawn already and nothing was
            decided since, or a release rests on the approval.
    """
    with domain.lock():

        def find(entries: Iterable[Decision]) -> Decision:
            known = list(entries)
            asked = _select_withdrawable(domain, stage, known)
            asked = [item for item in asked if entry in {0, item.sequence}]
            last = next((item for item in reversed(known) if item.stage == stage), None)
            # Whoever repeats the command does not mean what was decided before.
            is_done = not entry and last is not None and last.verdict is DecisionVerdict.WITHDRAW
            if not asked or is_done or not asked[-1].content.startswith(digest):
                raise StoreError(_make_nothing_fault(domain, stage, last, asked))
            return asked[-1]

        found = find(AuditLog(domain).list_entries())
        _refuse_released(domain, found)

        def refuse(entries: Iterable[Decision]) -> None:
            if find(entries) != found:
                raise StoreError(_make_nothing_fault(domain, stage, None, ()))

        made = AuditLog(domain).append_entry(
            found.subject,
            DecisionVerdict.WITHDRAW,
            by=by,
            kind=DeciderKind.PERSON,
            more={"withdraws": found.sequence, "feedback": reason},
            refuse=refuse,
            sign=sign,
        )
        # What waits there or later was made while the decision counted.
        waiting = domain.find_waiting()
        if waiting and STAGE_NAMES.index(waiting.stage) >= STAGE_NAMES.index(stage):
            domain.set_waiting(None)
        return found, made


def _select_withdrawable(
    domain: DomainStore, stage: str, entries: Iterable[Decision]
) -> list[Decision]:
    current = find_current_version(domain, stage)
    subject = build_subject(current.manifest) if current else None
    return [
        entry
        for entry in select_standing(entries)
        if entry.stage == stage and (entry.verdict in _LASTING or entry.subject == subject)
    ]


def _refuse_released(domain: DomainStore, found: Decision) -> None:
    """Raise where a release was made from what was approved; the release can be yanked."""
    if found.verdict is not DecisionVerdict.APPROVE:
        return
    stage = found.stage
    for release in domain.list_releases():
        if is_yanked(domain, release):
            continue
        if domain.read_release(release).get("stages", {}).get(stage) == found.content:
            message = f"release {release} was made from {stage} {found.content[:12]}"
            there = store_option(domain.place)
            hint = (
                f"take the release back: sopforge yank {domain} {release} --reason TEXT{there};"
                f" or make another one: sopforge regenerate {domain}{there}"
            )
            raise StoreError(Fault("decision-released", message, f"{domain} {stage}", hint))


def _make_nothing_fault(
    domain: DomainStore, stage: str, last: Decision | None, others: Sequence[Decision]
) -> Fault:
    message = f"no such decision on {stage} counts"
    if last is not None:
        verdict = last.verdict.replace("_", " ")
        message += f"; its newest entry is {last.sequence}: {verdict} of {last.content[:12]}"
        message += f" by {last.by}"
    there = store_option(domain.place)
    hint = f"see what was decided with: sopforge status {domain}{there}"
    if others:
        number = others[-1].sequence
        hint = f"to withdraw entry {number}: sopforge withdraw {domain} {stage} --entry {number}"
        hint += there
    return Fault("nothing-to-withdraw", message, f"{domain} {stage}", hint)
