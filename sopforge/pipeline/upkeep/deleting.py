"""Deleting a domain: all that a store holds of it, at once, and nothing of any other.

Its seal goes first: a process that dies in between leaves a domain that no command uses, and that
is deleted by the same command again.
"""

from __future__ import annotations

from dataclasses import dataclass

from sopforge.errors import Fault, StoreError
from sopforge.language.domain.stage_names import STAGE_NAMES
from sopforge.pipeline.runs.at_work import find_run_at_work, name_run_lock
from sopforge.store.digests import digest_bytes
from sopforge.store.places import store_option
from sopforge.store.sealing.seals import SEAL
from sopforge.store.versions import Store


@dataclass(frozen=True, slots=True)
class Holdings:
    """What a store holds of a domain; ``digest`` is that of its seal, "" where it has none."""

    digest: str
    briefs: int
    versions: int
    decisions: int
    releases: tuple[str, ...]
    size: int


def list_holdings(store: Store, domain: str) -> Holdings:
    """Return what a store holds of a domain, damaged or not."""
    plain = store.objects.plain
    seal = plain.read(f"{domain}/{SEAL}")

    def count(folder: str) -> int:
        return len(plain.list_children(f"{domain}/{folder}"))

    return Holdings(
        digest_bytes(seal) if seal is not None else "",
        count("briefs"),
        sum(count(f"stages/{stage}") for stage in STAGE_NAMES),
        count("decisions"),
        tuple(plain.list_children(f"{domain}/releases")),
        sum(plain.map_sizes(f"{domain}/").values()),
    )


def delete_domain(store: Store, domain: str, digest: str, *, with_releases: bool) -> Holdings:
    """Delete a domain whose seal has a digest or begins with it, and return what there was.

    Raises:
        StoreError: a run is at work on it, it has releases that are not to go, or it changed.
    """
    _refuse_run(store, domain)
    with store.objects.hold_lock(name_run_lock(domain), wait=0), store.lock_domain(domain):
        found = list_holdings(store, domain)
        refuse_releases(store, domain, found, with_releases=with_releases)
        if not found.digest.startswith(digest):
            message = f"the domain has changed: its digest is {found.digest[:12] or 'missing'}"
            again = f"sopforge delete {domain}{store_option(store.place)}"
            hint = f"look at what it holds, then delete it: {again}"
            raise StoreError(Fault("stale-decision", message, domain, hint))
        store.objects.plain.drop_all(domain, SEAL)
    return found


def refuse_releases(store: Store, domain: str, found: Holdings, *, with_releases: bool) -> None:
    """Raise ``StoreError`` where a domain has releases that nobody asked to delete."""
    if found.releases and not with_releases:
        message = f"'{domain}' has releases: {', '.join(found.releases)}"
        hint = (
            "copy what is still used; to delete them too, add --releases: sopforge delete"
            f" {domain} --releases{store_option(store.place)}"
        )
        raise StoreError(Fault("domain-released", message, domain, hint))


def _refuse_run(store: Store, domain: str) -> None:
    run = find_run_at_work(store, domain)
    if run is not None:
        hint = "wait until it ends, or stop it, then delete the domain"
        raise StoreError(Fault("domain-locked", run.describe(), domain, hint))
