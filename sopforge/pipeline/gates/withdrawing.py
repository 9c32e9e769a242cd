"""Taking a decision back: an approval, a request or an edit that no release rests on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sopforge.errors import Fault, StoreError
from sopforge.language.domain.stage_names import STAGE_NAMES
from sopforge.store.course import find_current_version
from sopforge.store.entries import DeciderKind, Decision, Verdict, build_subject, select_standing
from sopforge.store.log.audit_log import AuditLog, SignEntry
from sopforge.store.log.yanks import is_yanked
from sopforge.store.places import store_option
from sopforge.store.versions import Store

_LASTING = frozenset({Verdict.EDIT, Verdict.REQUEST_CHANGES})
"""These count for later versions of the stage too; all others for one version alone."""


def find_withdrawable(store: Store, domain: str, stage: str) -> Decision | None:
    """Return the newest decision on a stage that counts for its version today, or None."""
    found = _select_withdrawable(store, domain, stage, AuditLog(store, domain).list_entries())
    return found[-1] if found else None


def take_decision_back(
    store: Store,
    domain: str,
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
    with store.lock_domain(domain):

        def find(entries: Iterable[Decision]) -> Decision:
            known = list(entries)
            asked = _select_withdrawable(store, domain, stage, known)
            asked = [item for item in asked if entry in {0, item.sequence}]
            last = next((item for item in reversed(known) if item.stage == stage), None)
            # Whoever repeats the command does not mean what was decided before.
            is_done = not entry and last is not None and last.verdict is Verdict.WITHDRAW
            if not asked or is_done or not asked[-1].content.startswith(digest):
                raise StoreError(_make_nothing_fault(store, domain, stage, last, asked))
            return asked[-1]

        found = find(AuditLog(store, domain).list_entries())
        _refuse_released(store, found)

        def refuse(entries: Iterable[Decision]) -> None:
            if find(entries) != found:
                raise StoreError(_make_nothing_fault(store, domain, stage, None, ()))

        made = AuditLog(store, domain).append_entry(
            found.subject,
            Verdict.WITHDRAW,
            by=by,
            kind=DeciderKind.PERSON,
            more={"withdraws": found.sequence, "feedback": reason},
            refuse=refuse,
            sign=sign,
        )
        # What waits there or later was made while the decision counted.
        waiting = store.find_waiting(domain)
        if waiting and STAGE_NAMES.index(waiting.stage) >= STAGE_NAMES.index(stage):
            store.set_waiting(domain, None)
        return found, made


def _select_withdrawable(
    store: Store, domain: str, stage: str, entries: Iterable[Decision]
) -> list[Decision]:
    current = find_current_version(store, domain, stage)
    subject = build_subject(current.manifest) if current else None
    return [
        entry
        for entry in select_standing(entries)
        if entry.stage == stage and (entry.verdict in _LASTING or entry.subject == subject)
    ]


def _refuse_released(store: Store, found: Decision) -> None:
    """Raise where a release was made from what was approved; the release can be yanked."""
    if found.verdict is not Verdict.APPROVE:
        return
    domain, stage = found.domain, found.stage
    for release in store.list_releases(domain):
        if is_yanked(store, domain, release):
            continue
        if store.read_release(domain, release).get("stages", {}).get(stage) == found.content:
            message = f"release {release} was made from {stage} {found.content[:12]}"
            there = store_option(store.place)
            hint = (
                f"take the release back: sopforge yank {domain} {release} --reason TEXT{there};"
                f" or make another one: sopforge regenerate {domain}{there}"
            )
            raise StoreError(Fault("decision-released", message, f"{domain} {stage}", hint))


def _make_nothing_fault(
    store: Store, domain: str, stage: str, last: Decision | None, others: Sequence[Decision]
) -> Fault:
    message = f"no such decision on {stage} counts"
    if last is not None:
        verdict = last.verdict.replace("_", " ")
        message += f"; its newest entry is {last.sequence}: {verdict} of {last.content[:12]}"
        message += f" by {last.by}"
    there = store_option(store.place)
    hint = f"see what was decided with: sopforge status {domain}{there}"
    if others:
        number = others[-1].sequence
        hint = f"to withdraw entry {number}: sopforge withdraw {domain} {stage} --entry {number}"
        hint += there
    return Fault("nothing-to-withdraw", message, f"{domain} {stage}", hint)
