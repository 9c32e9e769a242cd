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
from sopforge.store.versions import DomainStore


@dataclass(frozen=True, slots=True)
class Holdings:
    """What a store holds of a domain; ``digest`` is that of its seal, "" where it has none."""

    digest: str
    briefs: int
    versions: int
    decisions: int
    releases: tuple[str, ...]
    size: int


def list_holdings(domain: DomainStore) -> Holdings:
    """Return what a store holds of a domain, damaged or not."""
    plain = domain.objects.plain
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


def delete_domain(domain: DomainStore, digest: str, *, with_releases: bool) -> Holdings:
    """Delete a domain whose seal has a digest or begins with it, and return what there was.

    Raises:
        StoreError: a run is at work on it, it has releases that are not to go, or it changed.
    """
    _refuse_run(domain)
    with domain.objects.hold_lock(name_run_lock(domain.name), wait=0), domain.lock():
        found = list_holdings(domain)
        refuse_releases(domain, found, with_releases=with_releases)
        if not found.digest.startswith(digest):
            message = f"the domain has changed: its digest is {found.digest[:12] or 'missing'}"
            again = f"sopforge delete {domain}{store_option(domain.place)}"
            hint = f"look at what it holds, then delete it: {again}"
            raise StoreError(Fault("stale-decision", message, domain.name, hint))
        domain.objects.plain.drop_all(domain.name, SEAL)
    return found


def refuse_releases(domain: DomainStore, found: Holdings, *, with_releases: bool) -> None:
    """Raise ``StoreError`` where a domain has releases that nobody asked to delete."""
    if found.releases and not with_releases:
        message = f"'{domain}' has releases: {', '.join(found.releases)}"
        hint = (
            "copy what is still used; to delete them too, add --releases: sopforge delete"
            f" {domain} --releases{store_option(domain.place)}"
        )
        raise StoreError(Fault("domain-released", message, domain.name, hint))


def _refuse_run(domain: DomainStore) -> None:
    run = find_run_at_work(domain)
    if run is not None:
        hint = "wait until it ends, or stop it, then delete the domain"
        raise StoreError(Fault("domain-locked", run.describe(), domain.name, hint))
