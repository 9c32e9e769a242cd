"""Clearing a store of what nothing needs: versions that led nowhere, what killed processes left.

A version is kept as long as there is one of the ``REASONS``. Briefs, decisions, edits, releases and
logs are always kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TypeAlias

from sopforge.authors.providers.ledger import read_events
from sopforge.authors.providers.selection import RECORDS, name_ledger
from sopforge.authors.writers.choosing import choose_author
from sopforge.errors import Fault, SopForgeError
from sopforge.pipeline.briefs.brief_files import BRIEF, load_latest_brief
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.pipeline.stages.walk import StageWalk
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.objects import Objects
from sopforge.store.versions import MANIFEST, RELEASE, DomainStore, Store, Version

Identity: TypeAlias = tuple[str, str, str]
"""Stage, key and content; empty where any will do."""


class UnneededKind(StrEnum):
    """What can be cleared away."""

    VERSION = "version"
    UNFINISHED = "unfinished"
    LEFT = "left by a killed process"
    ANSWER = "answer of a language model"


@dataclass(frozen=True, slots=True)
class Unneeded:
    """Something that nothing needs: its name below the store, and how many bytes it takes."""

    kind: UnneededKind
    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Survey:
    """What a store can be cleared of, and why some domains are left alone."""

    found: tuple[Unneeded, ...]
    faults: tuple[Fault, ...]


def survey(store: Store, domains: Iterable[str], *, is_trial: bool) -> Survey:
    """Drop what nothing needs of some domains; a trial drops nothing.

    A domain that is damaged is left as it is, for what it needs cannot be determined.
    """
    found: list[Unneeded] = []
    faults: list[Fault] = []
    for domain in domains:
        try:
            find = find_unneeded if is_trial else clear
            found += find(store.get_domain(domain))
        except SopForgeError as refused:
            faults += refused.faults
    return Survey(tuple(found), tuple(faults))


def find_unneeded(domain: DomainStore) -> list[Unneeded]:
    """Return what of a domain nothing needs.

    Raises:
        SopForgeError: the domain is damaged, so that it cannot be determined.
    """
    names = find_needed_versions(domain)
    gone = [item.name for item in _list_versions(domain) if item.name not in names]
    kinds = dict.fromkeys(gone, UnneededKind.VERSION)
    kinds |= dict.fromkeys(
        (name for name, _ in _iterate_unfinished(domain)), UnneededKind.UNFINISHED
    )
    return [
        Unneeded(kind, name, _compute_size(domain.objects, name)) for name, kind in kinds.items()
    ]


def clear(domain: DomainStore) -> list[Unneeded]:
    """Drop what of a domain nothing needs, and return it.

    Raises:
        SopForgeError: the domain is damaged, or another run is working on it.
    """
    with domain.lock():
        # Looked for again below the lock: since a person said yes to the trial, a run may have made
        # use of what was listed.
        found = find_unneeded(domain)
        names = {item.name for item in found}
        for version in _list_versions(domain):
            if version.name in names:
                domain.store.drop(version)
        for name, last in _iterate_unfinished(domain):
            domain.objects.drop_all(name, first=last)
    return found


def drop_leftovers(store: Store, prefix: str, *, is_trial: bool) -> list[Unneeded]:
    """Drop, except on trial, what killed processes left below a prefix, and return it."""
    found = store.objects.drop_left(prefix, is_trial=is_trial)
    return [Unneeded(UnneededKind.LEFT, name, size) for name, size in found.items()]


def drop_unused_answers(objects: Objects, *, is_trial: bool) -> list[Unneeded]:
    """Drop, except on trial, the answers on record that no log of calls mentions."""
    # The answers first: one that comes meanwhile was mentioned before it was asked for.
    kept, asked = objects.map_sizes(RECORDS.rstrip("/")), set(_iterate_asked_keys(objects))
    found = [
        Unneeded(UnneededKind.ANSWER, name, size)
        for name, size in kept.items()
        if PurePosixPath(name).stem not in asked
    ]
    for item in found if not is_trial else ():
        objects.delete(item.name)
    return found


def find_needed_versions(domain: DomainStore) -> set[str]:
    """Return the names of the versions of a domain for which there is a reason to keep them.

    Raises:
        SopForgeError: the domain is damaged, so that it cannot be determined.
    """
    kept = {identity for reason in REASONS for identity in reason(domain)}
    return {item.name for item in _list_versions(domain) if kept & set(_iterate_identities(item))}


def iterate_decided(domain: DomainStore) -> Iterator[Identity]:
    """Yield all on which somebody decided: the audit log speaks of them."""
    for entry in AuditLog(domain).list_entries():
        yield entry.stage, entry.key, entry.content


def iterate_released(domain: DomainStore) -> Iterator[Identity]:
    """Yield what releases were made from: the next one is compared with it."""
    for release in domain.list_releases():
        for stage, content in domain.read_release(release).get("stages", {}).items():
            yield stage, "", content


def iterate_waiting(domain: DomainStore) -> Iterator[Identity]:
    """Yield all that ``pending.json`` names, by whatever it names it."""
    noted = domain.find_waiting()
    for key in noted.keys.values() if noted else ():
        yield "", key, ""
    if noted:
        yield "", "", noted.content


def iterate_brief_versions(domain: DomainStore) -> Iterator[Identity]:
    """Yield what the newest brief leads to: the next run finds it there."""
    brief = load_latest_brief(domain)
    walk = StageWalk(domain.store, brief, choose_author(brief, domain.objects))
    for stage in STAGES:
        version = walk.find_version(stage)
        if version is None:
            return
        yield stage.name, version.manifest.key, version.manifest.content
        walk.take(version)


Reason: TypeAlias = Callable[[DomainStore], Iterable[Identity]]
REASONS: tuple[Reason, ...] = (
    iterate_decided,
    iterate_released,
    iterate_waiting,
    iterate_brief_versions,
)
"""Each says which versions of a domain are to be kept."""


def _iterate_identities(version: Version) -> Iterator[Identity]:
    """Yield each identity by which a reason may name a version."""
    manifest = version.manifest
    stage, key, content = manifest.stage, manifest.key, manifest.content
    yield from ((stage, key, content), (stage, "", content), ("", key, ""), ("", "", content))


def _list_versions(domain: DomainStore) -> list[Version]:
    stages = domain.objects.list_children(f"{domain}/stages")
    return [version for stage in stages for version in domain.list_versions(stage)]


def _iterate_unfinished(domain: DomainStore) -> Iterator[tuple[str, str]]:
    """Yield the names of what was never finished, each with the file that would have ended it."""
    objects = domain.objects
    folders = {f"{domain}/briefs": BRIEF, f"{domain}/releases": RELEASE}
    stages = objects.list_children(f"{domain}/stages")
    folders |= {f"{domain}/stages/{stage}": MANIFEST for stage in stages}
    for folder, last in folders.items():
        for name in objects.list_children(folder):
            if name[0].isdecimal() and objects.read(f"{folder}/{name}/{last}") is None:
                yield f"{folder}/{name}", last


def _iterate_asked_keys(objects: Objects) -> Iterator[str]:
    """Yield the keys of all questions that a log of calls mentions, of whatever domain."""
    for domain in objects.list_children(""):
        for event in read_events(objects, name_ledger(domain)):
            yield str(event.get("key", ""))


def _compute_size(objects: Objects, name: str) -> int:
    return sum(objects.map_sizes(name).values())
