"""What holds of a store at any time, whatever was killed in it and whoever worked at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NoReturn

from sopforge.artifacts.packaging.checksums import CHECKSUMS, find_changed_files
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.store.digests import digest_files
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.log.kept_edits import list_edits
from sopforge.store.versions import Store


@dataclass(frozen=True)
class KeptObjects:
    """What a store held at a moment, to be looked at."""

    kept: Mapping[str, bytes]
    place: str = "kept"

    def read(self, name: str) -> bytes | None:
        return self.kept.get(name)

    def list_names(self, prefix: str) -> list[str]:
        start = f"{prefix.rstrip('/')}/" if prefix else ""
        return sorted(name for name in self.kept if name.startswith(start))

    def list_children(self, prefix: str) -> list[str]:
        start = len(prefix.rstrip("/")) + 1 if prefix else 0
        return sorted({name[start:].partition("/")[0] for name in self.list_names(prefix)})

    def create(self, name: str, data: bytes) -> NoReturn:
        self.replace(name, data)

    def create_all(self, prefix: str, files: Mapping[str, bytes], last: str) -> NoReturn:
        self.replace(f"{prefix}/{last}", files[last])

    def replace(self, name: str, data: bytes) -> NoReturn:
        raise AssertionError(f"{name} was to be written: {len(data)} bytes")

    def append(self, name: str, line: bytes) -> NoReturn:
        self.replace(name, line)

    def delete(self, name: str) -> NoReturn:
        self.replace(name, b"")

    def drop_all(self, prefix: str, first: str) -> NoReturn:
        self.replace(f"{prefix}/{first}", b"")

    def drop_left(self, prefix: str, *, is_trial: bool = False) -> NoReturn:
        raise AssertionError(f"{prefix} was to be cleared, as a trial: {is_trial}")

    def map_sizes(self, prefix: str) -> dict[str, int]:
        return {name: len(self.kept[name]) for name in self.list_names(prefix)}

    def hold_lock(self, name: str, *, wait: float | None = None) -> AbstractContextManager[None]:
        raise AssertionError(f"{name} was to be locked within {wait} s")

    def is_locked(self, name: str) -> bool:
        raise AssertionError(f"{name} was to be locked by somebody")

    def note_holder(self, name: str, note: str) -> NoReturn:
        self.replace(name, note.encode())

    def read_holder(self, name: str) -> str | None:
        raise AssertionError(f"{name} was to be locked by somebody")


def broken_promises(store: Store, domain: str) -> list[str]:
    """Return what does not hold in a domain of a store; an error of the store is raised."""
    return [
        *_doubled_decisions(store, domain),
        *_bad_versions(store, domain),
        *_bad_releases(store, domain),
    ]


def _doubled_decisions(store: Store, domain: str) -> Iterator[str]:
    entries = AuditLog(store.get_domain(domain)).list_entries()
    made = Counter((item.stage, item.key, item.content, item.findings, item.by) for item in entries)
    for decision, times in made.items():
        if times > 1:
            yield f"{decision} is in the log {times} times"


def _bad_versions(store: Store, domain: str) -> Iterator[str]:
    for stage in STAGES:
        versions = store.get_domain(domain).list_versions(stage.name)
        if [item.number for item in versions] != list(range(1, len(versions) + 1)):
            yield f"the versions of {stage.name} are not numbered one after another"
        if len({item.manifest.key for item in versions}) < len(versions):
            yield f"{stage.name} has two versions of the same inputs"
        for version in versions:
            if not version.is_intact:
                yield f"the files of {version.name} differ from the stored ones"
        list_edits(store.get_domain(domain), stage.name)  # raises where one is missing


def _bad_releases(store: Store, domain: str) -> Iterator[str]:
    for number in store.get_domain(domain).list_releases():
        files = store.get_domain(domain).read_release_files(number)
        if store.get_domain(domain).read_release(number)["files"] != digest_files(files):
            yield f"release {number} does not hold what it says"
        packages = {name.partition("/")[0] for name in files if name.endswith(CHECKSUMS)}
        if not packages:
            yield f"release {number} has no package"
        for package in packages:
            start = f"{package}/"
            own = {name[len(start) :]: files[name] for name in files if name.startswith(start)}
            yield from (f"release {number}: {name} was changed" for name in find_changed_files(own))
