"""The store in a folder: ``DOMAIN/stages/STAGE/0001/`` versions, decisions, and releases.

A version is a folder written once: ``files/``, ``manifest.json`` (its identity) and ``run.json``
(how long it took; not part of the identity).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from sopforge.errors import Fault, StoreError
from sopforge.findings import Finding, Severity
from sopforge.store.digests import digest_files
from sopforge.store.files import (
    read_folder,
    read_text,
    replace_file,
    write_folder,
)

FORMAT = 1
LOCK_SECONDS = 10
_VERSION = re.compile(r"\d{4}")
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
    """A stored version of a stage's artifact."""

    number: int
    folder: Path
    manifest: Manifest

    @property
    def is_intact(self) -> bool:
        """Whether the files are those that were stored."""
        return self._stored() is not None

    def _stored(self) -> dict[str, str] | None:
        try:
            files = read_folder(self.folder / "files")
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
            raise StoreError(Fault("artifact-changed", message, str(self.folder), hint))
        return files


class LocalStore:
    """Versions and releases below one folder; one writer per domain at a time."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def folder(self, domain: str) -> Path:
        """Return the folder of a domain."""
        return self.root / domain

    @contextmanager
    def locked(self, domain: str) -> Iterator[None]:
        """Hold the domain's lock.

        Raises:
            StoreError: another run holds it for longer than ten seconds.
        """
        folder = self.folder(domain)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(folder / ".lock", timeout=LOCK_SECONDS):
                yield
        except Timeout as cause:
            message = f"another run works on '{domain}'"
            fault = Fault("domain-locked", message, str(folder), "wait for it, then try again")
            raise StoreError(fault) from cause

    def domains(self) -> list[str]:
        """Return the names of all domains that have a version."""
        return sorted(path.parent.name for path in self.root.glob("*/stages"))

    def versions(self, domain: str, stage: str) -> list[Version]:
        """Return a stage's versions, oldest first."""
        folder = self.folder(domain) / "stages" / stage
        numbers = sorted(path for path in folder.glob("[0-9]*") if _VERSION.fullmatch(path.name))
        return [_read_version(path) for path in numbers]

    def find(self, domain: str, stage: str, key: str) -> Version | None:
        """Return the version that was made from the inputs of ``key``."""
        found = [version for version in self.versions(domain, stage) if version.manifest.key == key]
        return found[-1] if found else None

    def save(
        self, manifest: Manifest, files: Mapping[str, str], run: Mapping[str, object]
    ) -> Version:
        """Store a new version; call it under the domain's lock."""
        folder = self.folder(manifest.domain) / "stages" / manifest.stage
        number = (
            max(
                (version.number for version in self.versions(manifest.domain, manifest.stage)),
                default=0,
            )
            + 1
        )
        target = folder / f"{number:04d}"
        write_folder(
            target,
            {
                **{f"files/{name}": text for name, text in files.items()},
                "manifest.json": _json({"format": FORMAT, **asdict(manifest)}),
                "run.json": _json(run),
            },
        )
        return _read_version(target)

    def pending(self, domain: str) -> Mapping[str, str]:
        """Return stage, key and content of the version that waits at a gate, or nothing."""
        path = self.folder(domain) / "pending.json"
        if not path.exists():
            return {}
        found = _read_json(path, "generate again to have it written anew")
        return found if set(found) >= {"stage", "key", "content"} else {}

    def set_pending(self, domain: str, version: Version | None) -> None:
        """Say which version waits at a gate, or that none does."""
        path = self.folder(domain) / "pending.json"
        if version is None:
            path.unlink(missing_ok=True)
            return
        manifest = version.manifest
        value = {"stage": manifest.stage, "key": manifest.key, "content": manifest.content}
        replace_file(path, _json(value))

    def releases(self, domain: str) -> list[Path]:
        """Return the release folders, oldest first."""
        names = (self.folder(domain) / "releases").glob("[0-9]*")
        folders = [path for path in names if _RELEASE.fullmatch(path.name)]
        return sorted(folders, key=lambda path: tuple(map(int, path.name.split("."))))


def _read_version(folder: Path) -> Version:
    path = folder / "manifest.json"
    value = _read_json(path, "restore it, or delete the version's folder and generate again")
    if value.pop("format", None) != FORMAT:
        message = f"the version was written in a format other than {FORMAT}"
        raise StoreError(
            Fault("store-format", message, str(path), "use the SOPForge that wrote it")
        )
    try:
        findings = tuple(_read_finding(item) for item in value.pop("findings"))
        manifest = Manifest(**value, findings=findings)
    except (KeyError, TypeError, ValueError) as cause:
        raise _damaged(path, f"it is not what was written: {cause}", "restore it") from cause
    return Version(int(folder.name), folder, manifest)


def _read_json(path: Path, hint: str) -> dict[str, Any]:
    try:
        value = json.loads(read_text(path))
    except (ValueError, FileNotFoundError) as cause:
        raise _damaged(path, str(cause), hint) from cause
    if not isinstance(value, dict):
        raise _damaged(path, "it holds no object", hint)
    return value


def _damaged(path: Path, message: str, hint: str) -> StoreError:
    return StoreError(Fault("store-damaged", message, str(path), hint))


def _read_finding(value: Mapping[str, Any]) -> Finding:
    return Finding(**{**value, "severity": Severity(value["severity"])})


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, default=str) + "\n"
