"""Taking a decision back: an approval, a request or an edit that no release rests on."""

from __future__ import annotations

from collections.abc import Iterable

from sopforge.domain.stage_names import STAGE_NAMES
from sopforge.errors import Fault, StoreError
from sopforge.store.course import find_current_version
from sopforge.store.entries import DeciderKind, Decision, Verdict, build_subject, select_standing
from sopforge.store.log.audit_log import AuditLog, SignEntry
from sopforge.store.places import store_option
from sopforge.store.versions import Store

_LASTING = frozenset({Verdict.EDIT, Verdict.REQUEST_CHANGES})
"""These count for later versions of the stage too; all others for one version alone."""


def find_withdrawable(store: Store, domain: str, stage: str) -> Decision | None:
    """Return the newest decision on a stage that counts for its version today, or None."""
    return _select_newest(store, domain, stage, AuditLog(store, domain).list_entries())


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
    """Record that the newest decision on a stage no longer counts; return it and the record.

    ``digest`` may be shortened or empty: it is of what the decision was about. ``entry`` is the
    number of the decision that was shown, if any was. The next run comes back to the stage, where
    no policy approves the same content again.

    Raises:
        StoreError: nothing was decided on the stage, something else was by now, or a release
            rests on the approval.
    """
    with store.lock_domain(domain):
        found = find_withdrawable(store, domain, stage)
        is_meant = found is not None and entry in {0, found.sequence}
        if found is None or not is_meant or not found.content.startswith(digest):
            raise StoreError(_make_nothing_fault(store, domain, stage, found))
        _refuse_released(store, found)

        def refuse(entries: Iterable[Decision]) -> None:
            if _select_newest(store, domain, stage, entries) != found:
                raise StoreError(_make_nothing_fault(store, domain, stage, None))

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


def _select_newest(
    store: Store, domain: str, stage: str, entries: Iterable[Decision]
) -> Decision | None:
    current = find_current_version(store, domain, stage)
    subject = build_subject(current.manifest) if current else None
    standing = [
        entry
        for entry in select_standing(entries)
        if entry.stage == stage and (entry.verdict in _LASTING or entry.subject == subject)
    ]
    return standing[-1] if standing else None


def _refuse_released(store: Store, found: Decision) -> None:
    """Raise where a release was made from what was approved; the release can be yanked."""
    if found.verdict is not Verdict.APPROVE:
        return
    domain, stage = found.domain, found.stage
    for release in store.list_releases(domain):
        if store.read_release(domain, release).get("stages", {}).get(stage) == found.content:
            message = f"release {release} was made from {stage} {found.content[:12]}"
            there = store_option(store.place)
            hint = (
                f"take the release back: sopforge yank {domain} {release} --reason TEXT{there};"
                f" or make another one: sopforge regenerate {domain}{there}"
            )
            raise StoreError(Fault("decision-released", message, f"{domain} {stage}", hint))


def _make_nothing_fault(store: Store, domain: str, stage: str, found: Decision | None) -> Fault:
    message = f"nothing that was decided on {stage} can be withdrawn"
    if found is not None:
        verdict = found.verdict.replace("_", " ")
        message = f"the newest decision on {stage} is entry {found.sequence}: {verdict} of"
        message += f" {found.content[:12]} by {found.by}"
    hint = f"see what was decided with: sopforge status {domain}{store_option(store.place)}"
    return Fault("nothing-to-withdraw", message, f"{domain} {stage}", hint)
