"""The store: versions of artifacts, what waits at a gate, and releases, in a folder or a bucket.

``DOMAIN/stages/STAGE/0001/`` is a version, written once: ``files/``, ``run.json`` (how long it
took, which is no part of its identity) and at last ``manifest.json``, without which there is no
version. ``DOMAIN/releases/1.0.0/`` is a release, of which ``release.json`` is written last.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from typing import Any

from sopforge.errors import Fault, StoreError
from sopforge.findings import Finding, Severity
from sopforge.store.digests import digest_files
from sopforge.store.objects import Objects, damaged, read_text

FORMAT = 1
MANIFEST = "manifest.json"
RELEASE = "release.json"
_FILES = "files/"
_VERSION = re.compile(r"\d{4,}")
_RELEASE = re.compile(r"\d+\.\d+\.\d+")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a version is: its inputs' digest (``key``), its content's digest, and its findings."""

    domain: str
    stage: str
    key: str
    content: str
    author: str
    inputs: Mapping[str, str]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Version:
    """A stored version of a stage's artifact; ``name`` is where it is below the store."""

    number: int
    name: str
    manifest: Manifest
    objects: Objects = field(repr=False, compare=False)

    @property
    def place(self) -> str:
        """Where it is, as a person writes it."""
        return f"{self.objects.place}/{self.name}"

    @property
    def is_intact(self) -> bool:
        """Whether the files are those that were stored."""
        return self._stored() is not None

    def _stored(self) -> dict[str, str] | None:
        start = f"{self.name}/{_FILES}"
        names = self.objects.names(start)
        try:
            files = {
                name[len(start) :]: (self.objects.read(name) or b"").decode() for name in names
            }
        except UnicodeDecodeError:
            return None
        return files if digest_files(files) == self.manifest.content else None

    @property
    def files(self) -> dict[str, str]:
        """The artifact's files; raises ``StoreError`` where they are not what was stored."""
        files = self._stored()
        if files is None:
            hint = "restore the files, or delete the version's folder and generate again"
            message = "the files are not those that were stored"
            raise StoreError(Fault("artifact-changed", message, self.place, hint))
        return files


class Store:
    """Versions and releases in one place; one writer per domain at a time."""

    def __init__(self, objects: Objects) -> None:
        self.objects = objects
        self._read: dict[str, Manifest] = {}

    @property
    def place(self) -> str:
        """Where it is, as a person writes it."""
        return self.objects.place

    def locked(self, domain: str) -> AbstractContextManager[None]:
        """Hold the domain's lock; raises ``StoreError`` where another run holds it for too long."""
        return self.objects.locked(domain)

    def domains(self) -> list[str]:
        """Return the names of all domains that have a version."""
        found = self.objects.children("")
        return [name for name in found if self.objects.children(f"{name}/stages")]

    def versions(self, domain: str, stage: str) -> list[Version]:
        """Return a stage's versions, oldest first."""
        folder = f"{domain}/stages/{stage}"
        names = [name for name in self.objects.children(folder) if _VERSION.fullmatch(name)]
        found = (self._version(f"{folder}/{name}") for name in sorted(names, key=int))
        return [version for version in found if version is not None]

    def find(self, domain: str, stage: str, key: str) -> Version | None:
        """Return the version that was made from the inputs of ``key``."""
        found = [version for version in self.versions(domain, stage) if version.manifest.key == key]
        return found[-1] if found else None

    def save(
        self, manifest: Manifest, files: Mapping[str, str], run: Mapping[str, object]
    ) -> Version:
        """Store a new version; call it under the domain's lock."""
        versions = self.versions(manifest.domain, manifest.stage)
        number = max((version.number for version in versions), default=0) + 1
        name = f"{manifest.domain}/stages/{manifest.stage}/{number:04d}"
        parts = {
            **{f"{_FILES}{file}": text.encode() for file, text in files.items()},
            "run.json": _json(run).encode(),
            MANIFEST: _json({"format": FORMAT, **asdict(manifest)}).encode(),
        }
        self.objects.create_all(name, parts, last=MANIFEST)
        return Version(number, name, manifest, self.objects)

    def pending(self, domain: str) -> Mapping[str, str]:
        """Return stage, key and content of the version that waits at a gate, or nothing."""
        name = f"{domain}/pending.json"
        if self.objects.read(name) is None:
            return {}
        found = self._json(name, "generate again to have it written anew")
        return found if set(found) >= {"stage", "key", "content"} else {}

    def set_pending(self, domain: str, version: Version | None) -> None:
        """Say which version waits at a gate, or that none does."""
        name = f"{domain}/pending.json"
        if version is None:
            self.objects.delete(name)
            return
        manifest = version.manifest
        value = {"stage": manifest.stage, "key": manifest.key, "content": manifest.content}
        self.objects.replace(name, _json(value).encode())

    def releases(self, domain: str) -> list[str]:
        """Return the versions of all releases, oldest first."""
        found = self.objects.children(f"{domain}/releases")
        names = [name for name in found if _RELEASE.fullmatch(name)]
        return sorted(names, key=lambda name: tuple(map(int, name.split("."))))

    def release(self, domain: str, version: str) -> Mapping[str, Any]:
        """Return what a release says of itself."""
        return self._json(f"{domain}/releases/{version}/{RELEASE}", "restore it")

    def release_files(self, domain: str, version: str) -> dict[str, bytes]:
        """Return the files of a release's packages by their names below it."""
        start = f"{domain}/releases/{version}/"
        names = [name[len(start) :] for name in self.objects.names(start)]
        return {name: self.objects.read(start + name) or b"" for name in names if name != RELEASE}

    def save_release(
        self, domain: str, version: str, files: Mapping[str, bytes], record: Mapping[str, object]
    ) -> None:
        """Store a new release; call it under the domain's lock."""
        parts = {**files, RELEASE: _json(record).encode()}
        self.objects.create_all(f"{domain}/releases/{version}", parts, last=RELEASE)

    def _version(self, name: str) -> Version | None:
        """Return a version; nothing where its writer died, or is still at it."""
        if name not in self._read:
            if self.objects.read(f"{name}/{MANIFEST}") is None:
                return None
            self._read[name] = self._manifest(name)
        number = int(name.rpartition("/")[2])
        return Version(number, name, self._read[name], self.objects)

    def _manifest(self, name: str) -> Manifest:
        path = f"{name}/{MANIFEST}"
        hint = "restore it, or delete the version's folder and generate again"
        value = self._json(path, hint)
        if value.pop("format", None) != FORMAT:
            message = f"the version was written in a format other than {FORMAT}"
            hint = "use the SOPForge that wrote it"
            raise StoreError(Fault("store-format", message, f"{self.place}/{path}", hint))
        try:
            findings = tuple(_read_finding(item) for item in value.pop("findings"))
            return Manifest(**value, findings=findings)
        except (KeyError, TypeError, ValueError) as cause:
            raise damaged(self.objects, path, f"it is not what was written: {cause}") from cause

    def _json(self, name: str, hint: str) -> dict[str, Any]:
        try:
            value = json.loads(read_text(self.objects, name))
        except ValueError as cause:
            raise damaged(self.objects, name, str(cause), hint) from cause
        if not isinstance(value, dict):
            raise damaged(self.objects, name, "it holds no object", hint)
        return value


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, default=str) + "\n"


def _read_finding(value: Mapping[str, Any]) -> Finding:
    return Finding(**{**value, "severity": Severity(value["severity"])})
