"""What a person can do at a gate: see what waits, and decide on exactly that."""

from __future__ import annotations

from sopforge.errors import Fault, StoreError
from sopforge.findings import has_errors
from sopforge.store.decisions import AuditLog, DeciderKind, Decision, Verdict
from sopforge.store.local import LocalStore, Version


def waiting_version(store: LocalStore, domain: str) -> Version | None:
    """Return the version that waits at a gate of the domain, or None."""
    pending = store.pending(domain)
    return store.find(domain, pending["stage"], pending["key"]) if pending else None


def current_version(store: LocalStore, domain: str, stage: str) -> Version | None:
    """Return the version of a stage that counts: the one that waits, else the newest one."""
    waiting = waiting_version(store, domain)
    if waiting is not None and waiting.manifest.stage == stage:
        return waiting
    versions = store.versions(domain, stage)
    return versions[-1] if versions else None


def decide(
    store: LocalStore,
    domain: str,
    *,
    stage: str,
    digest: str,
    verdict: Verdict,
    by: str,
    feedback: str = "",
    despite_errors: bool = False,
) -> Decision:
    """Record a person's decision on the version that waits; ``digest`` may be shortened or empty.

    Raises:
        StoreError: nothing waits, something else waits, or errors were not accepted.
    """
    with store.locked(domain):
        version = waiting_version(store, domain)
        if version is None:
            hint = f"see where it stands with: sopforge status {domain}"
            raise StoreError(Fault("nothing-waits", "nothing waits at a gate", domain, hint))
        _refuse_other(version, stage, digest)
        _ = version.files  # raises where an artifact was changed since it was shown
        if verdict is Verdict.APPROVE and not despite_errors:
            _refuse_errors(version)
        log = AuditLog(store, domain)
        decision = log.decide(version, verdict, by, DeciderKind.PERSON, feedback)
        store.set_pending(domain, None)
        return decision


def _refuse_other(version: Version, stage: str, digest: str) -> None:
    manifest = version.manifest
    if manifest.stage != stage or not manifest.content.startswith(digest):
        asked = f"{stage} {digest}".strip()
        message = f"{asked} does not wait; {manifest.stage} {manifest.content[:12]} does"
        hint = "look at what waits, then decide on that"
        raise StoreError(Fault("stale-decision", message, manifest.domain, hint))


def _refuse_errors(version: Version) -> None:
    if has_errors(version.manifest.findings):
        message = f"{version.manifest.stage} has findings of level error"
        hint = "mend the brief and generate again, or approve with --despite-errors"
        raise StoreError(Fault("errors-open", message, version.manifest.domain, hint))
