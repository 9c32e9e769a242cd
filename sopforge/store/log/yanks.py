"""Yanked releases: what somebody took back, and why, as entries of the audit log.

A release's own files are written once; that it should not be used any more stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sopforge.errors import Fault, StoreError
from sopforge.store.digests import digest_text
from sopforge.store.entries import DeciderKind, Decision, DecisionVerdict, Subject
from sopforge.store.log.audit_log import AuditLog, SignEntry
from sopforge.store.objects import read_text
from sopforge.store.places import store_option
from sopforge.store.versions import RELEASE, DomainStore

ABOUT_RELEASE = "release"
"""What stands for a stage in an entry about a release."""


@dataclass(frozen=True, slots=True)
class Yank:
    """That a release was taken back, or given back, by whom, and why."""

    version: str
    by: str
    reason: str
    is_undone: bool


def yank(
    domain: DomainStore,
    version: str,
    *,
    by: str,
    reason: str,
    digest: str = "",
    undo: bool = False,
    sign: SignEntry | None = None,
) -> Decision:
    """Record that a release should not be used any more, or that it may be used again.

    ``digest`` may be shortened or empty: it is that of the release as it was shown.

    Raises:
        StoreError: it is so already, there is no such release, or it has another digest.
    """

    def refuse(entries: Iterable[Decision]) -> None:
        if (version in _find_last_yanks(entries)) != undo:
            said = "is not yanked" if undo else "is already yanked"
            hint = f"list the releases with: sopforge status {domain}{store_option(domain.place)}"
            raise StoreError(
                Fault("nothing-to-yank", f"{domain} {version} {said}", domain.name, hint)
            )

    with domain.lock():
        found = compute_release_digest(domain, version)
        if not found.startswith(digest):
            message = f"the release has changed since it was shown: its digest is {found[:12]}"
            look = f"sopforge verify {domain}@{version}{store_option(domain.place)}"
            hint = f"look at the release, then repeat the command: {look}"
            raise StoreError(Fault("stale-decision", message, f"{domain} {version}", hint))
        return AuditLog(domain).append_entry(
            Subject(ABOUT_RELEASE, version, found),
            DecisionVerdict.UNYANK if undo else DecisionVerdict.YANK,
            by=by,
            kind=DeciderKind.PERSON,
            more={"feedback": reason},
            refuse=refuse,
            sign=sign,
        )


def compute_release_digest(domain: DomainStore, version: str) -> str:
    """Return the digest by which a release is announced: that of ``release.json``.

    Raises:
        StoreError: there is no such release.
    """
    name = f"{domain}/releases/{version}/{RELEASE}"
    if domain.objects.read(name) is None:
        from sopforge.language.domain.documents.schema import suggest  # noqa: PLC0415 - slow to import

        known = domain.objects.list_children(f"{domain}/releases")
        message = (
            f"'{domain}' has no release {version}; its releases are {', '.join(known) or 'none'}"
        )
        hint = suggest(version, known) or "name one of these releases"
        raise StoreError(Fault("unknown-release", message, domain.name, hint))
    return digest_text(read_text(domain.objects, name))


def find_yanked_releases(domain: DomainStore) -> dict[str, Yank]:
    """Return the releases that are yanked, by version."""
    log = AuditLog(domain)
    return {
        version: _read_yank(log, entry)
        for version, entry in _find_last_yanks(log.list_entries()).items()
    }


def is_yanked(domain: DomainStore, version: str) -> bool:
    """Return whether a release is yanked; only what was decided since it was made is read."""
    made_at = str(domain.read_release(version).get("audit_log", ""))
    entries = AuditLog(domain).iterate_newest_first(after=made_at)
    about = (item for item in entries if (item.stage, item.key) == (ABOUT_RELEASE, version))
    newest = next(about, None)
    return newest is not None and newest.verdict is DecisionVerdict.YANK


def describe_releases(domain: DomainStore) -> str:
    """Return the releases of a domain in words, each with the reason why it was yanked, if it was.

    A private test set stands after the release that it was drawn from.
    """
    taken_back, drawn = find_yanked_releases(domain), domain.list_private_releases()
    described = []
    for version in domain.list_releases():
        draws = [item for item in drawn if item.startswith(f"{version}-")]
        for item in (version, *draws):
            found = taken_back.get(item)
            described.append(f"{item} (yanked: {found.reason})" if found else item)
    return ", ".join(described)


def list_yanks_since(domain: DomainStore, head: str) -> list[Yank]:
    """Return what became of releases after the entry of a digest; all where it is none."""
    log, is_after, found = AuditLog(domain), False, list[Decision]()
    texts = [digest_text(text) for text in log.read_entry_texts().values()]
    for digest, entry in zip(texts, log.list_entries(), strict=True):
        if is_after or head not in texts:
            found.append(entry)
        is_after = is_after or digest == head
    last = {entry.key: entry for entry in found if entry.stage == ABOUT_RELEASE}
    return [_read_yank(log, entry) for entry in last.values()]


def _find_last_yanks(entries: Iterable[Decision]) -> Mapping[str, Decision]:
    last = {entry.key: entry for entry in entries if entry.stage == ABOUT_RELEASE}
    return {key: entry for key, entry in last.items() if entry.verdict is DecisionVerdict.YANK}


def _read_yank(log: AuditLog, entry: Decision) -> Yank:
    reason = log.read_words(entry)
    return Yank(entry.key, entry.by, reason, is_undone=entry.verdict is DecisionVerdict.UNYANK)
