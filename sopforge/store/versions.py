"""The store: versions of artifacts, what waits at a gate, and releases, in a folder or a bucket.

``DOMAIN/stages/STAGE/0001/`` is a version, written once: ``files/``, ``run.json`` (why it was
built, and how long it took, which is no part of its identity) and at last ``manifest.json``,
without which there is no version. ``DOMAIN/releases/1.0.0/`` is a release, of which
``release.json`` is written last.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from sopforge.errors import Fault, StoreError
from sopforge.findings import Finding, Severity
from sopforge.store.digests import digest_files, digest_value
from sopforge.store.format import mark_format
from sopforge.store.objects import Objects, make_damage_error, read_text
from sopforge.store.sealing.sealed_objects import SealedObjects
from sopforge.store.sealing.seals import WAITING
from sopforge.store.waiting import Waiting, build_waiting, read_waiting

FORMAT = 1
"""Of manifests."""
MANIFEST = "manifest.json"
RUN = "run.json"
RELEASE = "release.json"
RELEASE_SIGNATURE = f"{RELEASE}.sig"
_FILES = "files/"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,47}")
# ASCII, for int reads the digits of other scripts as well: one version would have many names.
_VERSION = re.compile(r"\d{4,}", re.ASCII)
_RELEASE = re.compile(r"\d+\.\d+\.\d+", re.ASCII)
_PRIVATE = re.compile(r"(\d+\.\d+\.\d+)-private\.(\d+)", re.ASCII)


def is_name(text: str) -> bool:
    """Return whether a text can be the name of a domain or a stage; a path cannot."""
    return _NAME.fullmatch(text) is not None


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

    @property
    def is_edited(self) -> bool:
        """Whether people edited what its author wrote."""
        return "edits" in self.inputs

    @property
    def heeds_words(self) -> bool:
        """Whether a language model wrote it, and so can be asked in words for changes."""
        return self.author.partition(",")[0] != "offline"


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
        return self._read_stored_files() is not None

    def list_files(self) -> list[str]:
        """Return the names of its files, whatever they hold."""
        start = f"{self.name}/{_FILES}"
        return [name[len(start) :] for name in self.objects.list_names(start)]

    def _read_stored_files(self) -> dict[str, str] | None:
        start = f"{self.name}/{_FILES}"
        try:
            files = {
                name: (self.objects.read(start + name) or b"").decode()
                for name in self.list_files()
            }
            return files if digest_files(files) == self.manifest.content else None
        except UnicodeError:  # of a text, or of a name that no text can hold
            return None

    @property
    def files(self) -> dict[str, str]:
        """The artifact's files; raises ``StoreError`` where they are not what was stored."""
        files = self._read_stored_files()
        if files is None:
            hint = "restore the files, or delete the version's folder and generate again"
            message = "the files differ from the stored ones"
            raise StoreError(Fault("artifact-changed", message, self.place, hint))
        return files

    @property
    def run_record(self) -> Mapping[str, Any]:
        """What the run noted that built it; empty where it noted nothing that can be read."""
        data = self.objects.read(f"{self.name}/{RUN}")
        try:
            value = json.loads(data or b"{}")
        except ValueError:
            return {}  # It is no part of the version, which is whole without it.
        return value if isinstance(value, dict) else {}

    @property
    def rebuild_reasons(self) -> tuple[str, ...]:
        """Which inputs changed since the version that it was built in place of.

        Empty for the first version of a stage, and where its run did not note it.
        """
        reasons = self.run_record.get("rebuilt_because", [])
        return tuple(map(str, reasons)) if isinstance(reasons, list) else ()


class Store:
    """Versions and releases in one place, under seals; one writer per domain at a time."""

    def __init__(self, objects: Objects) -> None:
        self.objects = SealedObjects(objects)
        self._read: dict[str, Manifest] = {}
        self._is_marked = False

    @property
    def place(self) -> str:
        """Where it is, as a person writes it."""
        return self.objects.place

    @contextmanager
    def lock_domain(self, domain: str) -> Iterator[None]:
        """Hold the domain's lock, as everybody does who writes to the domain.

        Raises:
            StoreError: another run holds it for too long, or the store is in another format.
        """
        if not self._is_marked:
            mark_format(self.objects)
            self._is_marked = True
        with self.objects.hold_lock(domain):
            yield

    def require_intact_seal(self, domain: str) -> None:
        """Raise ``StoreError`` where a file of a domain does not fit its seal.

        Whoever decides, builds or publishes asks this first: what they do rests on all of it.
        Files that a run rebuilds identically block nobody.
        """
        faults = self.objects.find_faults(domain, is_made_again=True)
        if faults:
            raise StoreError(*dict.fromkeys(faults))

    def list_domains(self) -> list[str]:
        """Return the names of all domains that have a version."""
        found = self.objects.list_children("")
        named = [name for name in found if is_name(name)]
        return [name for name in named if self.objects.list_children(f"{name}/stages")]

    def list_version_names(self, domain: str, stage: str) -> list[str]:
        """Return where a stage's versions are, oldest first; one that was not finished, too."""
        if not is_name(domain) or not is_name(stage):
            return []  # A path would lead elsewhere.
        folder = f"{domain}/stages/{stage}"
        names = [name for name in self.objects.list_children(folder) if _VERSION.fullmatch(name)]
        return [f"{folder}/{name}" for name in sorted(names, key=int)]

    def list_versions(self, domain: str, stage: str) -> list[Version]:
        """Return a stage's versions, oldest first."""
        found = (self.find_version(name) for name in self.list_version_names(domain, stage))
        return [version for version in found if version is not None]

    def find(self, domain: str, stage: str, key: str) -> Version | None:
        """Return the version that was made from the inputs of ``key``."""
        found = [
            version for version in self.list_versions(domain, stage) if version.manifest.key == key
        ]
        return found[-1] if found else None

    def save(
        self, manifest: Manifest, files: Mapping[str, str], run: Mapping[str, object]
    ) -> Version:
        """Store a new version; call it under the domain's lock."""
        # Without those that nobody finished: `create_all` clears one away and gives its number
        # again.
        versions = self.list_versions(manifest.domain, manifest.stage)
        number = max((version.number for version in versions), default=0) + 1
        name = f"{manifest.domain}/stages/{manifest.stage}/{number:04d}"
        parts = {
            **{f"{_FILES}{file}": text.encode() for file, text in files.items()},
            RUN: _render_json(run).encode(),
            MANIFEST: _render_json(_add_digest(asdict(manifest))).encode(),
        }
        self.objects.create_all(name, parts, last=MANIFEST)
        return Version(number, name, manifest, self.objects)

    def drop(self, version: Version) -> None:
        """Drop a version, its manifest first; call it under the domain's lock."""
        self.objects.drop_all(version.name, first=MANIFEST)
        self._read.pop(version.name, None)

    def find_waiting(self, domain: str) -> Waiting | None:
        """Return what waits at a gate of a domain, None where nothing does.

        Raises:
            StoreError: what is noted of it cannot be read.
        """
        name = f"{domain}/{WAITING}"
        data, hint = self.objects.read(name), "generate again to rewrite it"
        if data is None:
            return None
        try:
            return read_waiting(self._parse_json(name, data, hint))
        except ValueError as cause:
            raise make_damage_error(self.objects, name, str(cause), hint) from cause

    def set_waiting(
        self, domain: str, version: Version | None, ahead: Iterable[Version] = ()
    ) -> None:
        """Note which version waits at a gate, or that none does, and what is built ahead of it."""
        name = f"{domain}/{WAITING}"
        if version is None:
            self.objects.delete(name)
            return
        waiting = build_waiting(version.manifest, (item.manifest for item in ahead))
        self.objects.replace(name, _render_json(waiting.as_record()).encode())

    def list_releases(self, domain: str) -> list[str]:
        """Return the versions of all releases but private test sets, oldest first."""
        names = [name for name in self._list_complete_releases(domain) if _RELEASE.fullmatch(name)]
        return sorted(names, key=lambda name: tuple(map(int, name.split("."))))

    def list_private_releases(self, domain: str) -> list[str]:
        """Return the versions of all private test sets, those of a release in their order."""
        numbered = (_PRIVATE.fullmatch(name) for name in self._list_complete_releases(domain))
        names = {item[0]: (item[1], int(item[2])) for item in numbered if item}
        return sorted(names, key=lambda name: names[name])

    def _list_complete_releases(self, domain: str) -> list[str]:
        """Return the names of releases that are whole.

        Of one whose writer died in a bucket, files may be there, and no record.
        """
        folder = f"{domain}/releases"
        found = self.objects.list_children(folder)
        return [name for name in found if self.objects.read(f"{folder}/{name}/{RELEASE}")]

    def read_release(self, domain: str, version: str) -> Mapping[str, Any]:
        """Return what a release says of itself; ``stages`` are contents by stage, if it has any."""
        name = f"{domain}/releases/{version}/{RELEASE}"
        found = self._read_json(name, "restore it from a copy")
        stages = found.get("stages", {})
        if not _is_texts(stages):
            raise make_damage_error(
                self.objects, name, "its stages are not listed as digests by name"
            )
        return found

    def read_release_files(self, domain: str, version: str) -> dict[str, bytes]:
        """Return the files of a release's packages by their names below it."""
        # Neither is among the files that the record holds a digest of: one is the record, and the
        # other comes after it.
        start, own = f"{domain}/releases/{version}/", (RELEASE, RELEASE_SIGNATURE)
        names = [name[len(start) :] for name in self.objects.list_names(start)]
        return {name: self.objects.read(start + name) or b"" for name in names if name not in own}

    def save_release(
        self, domain: str, version: str, files: Mapping[str, bytes], record: Mapping[str, object]
    ) -> None:
        """Store a new release; call it under the domain's lock."""
        parts = {**files, RELEASE: render_release(record).encode()}
        self.objects.create_all(f"{domain}/releases/{version}", parts, last=RELEASE)

    def find_version(self, name: str) -> Version | None:
        """Return the version of a name; nothing where its writer died, or is still at it."""
        if name not in self._read:
            if self.objects.read(f"{name}/{MANIFEST}") is None:
                return None
            self._read[name] = self._read_manifest(name)
        number = int(name.rpartition("/")[2])
        return Version(number, name, self._read[name], self.objects)

    def _read_manifest(self, name: str) -> Manifest:
        path = f"{name}/{MANIFEST}"
        hint = "restore it, or delete the version's folder and generate again"
        value = self._read_json(path, hint)
        number = value.pop("format", None)
        if number != FORMAT:
            message = f"the version was written in a format other than {FORMAT}"
            hint = "use the SOPForge version that wrote it"
            raise StoreError(Fault("store-format", message, f"{self.place}/{path}", hint))
        if value.pop("digest", None) != digest_value(value):
            raise make_damage_error(
                self.objects, path, "the file was changed after it was written", hint
            )
        try:
            findings = tuple(_read_finding(item) for item in value.pop("findings"))
            manifest = Manifest(**value, findings=findings)
        except (KeyError, TypeError, ValueError) as cause:
            raise make_damage_error(
                self.objects, path, f"the file has another content than SOPForge wrote: {cause}"
            ) from cause
        if not _is_texts(manifest.inputs):
            raise make_damage_error(
                self.objects, path, "its inputs are not listed as texts by name", hint
            )
        if not name.startswith(f"{manifest.domain}/stages/{manifest.stage}/"):
            message = f"the file belongs to a version of {manifest.domain} {manifest.stage}"
            raise make_damage_error(self.objects, path, message, hint)
        return manifest

    def _read_json(self, name: str, hint: str) -> dict[str, Any]:
        return self._parse_json(name, read_text(self.objects, name).encode(), hint)

    def _parse_json(self, name: str, data: bytes, hint: str) -> dict[str, Any]:
        try:
            value = json.loads(data)
        except ValueError as cause:
            raise make_damage_error(self.objects, name, str(cause), hint) from cause
        if not isinstance(value, dict):
            raise make_damage_error(self.objects, name, "the file holds no object", hint)
        return value


def _is_texts(value: object) -> bool:
    """Return whether a value of a file holds texts by their names."""
    return isinstance(value, dict) and all(isinstance(part, str) for part in value.values())


def _add_digest(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a manifest says, with the digest of it."""
    plain = json.loads(_render_json(value))
    return {"format": FORMAT, **plain, "digest": digest_value(plain)}


def render_release(record: Mapping[str, object]) -> str:
    """Return the text of ``release.json``, which is what its signature is of."""
    return _render_json(record)


def _render_json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, default=str) + "\n"


def _read_finding(value: Mapping[str, Any]) -> Finding:
    return Finding(**{**value, "severity": Severity(value["severity"])})
