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
    """Domains in one place, under seals; one writer per domain at a time."""

    def __init__(self, objects: Objects) -> None:
        self.objects = SealedObjects(objects)
        self._read: dict[str, Manifest] = {}
        self._is_marked = False

    @property
    def place(self) -> str:
        """Where it is, as a person writes it."""
        return self.objects.place

    def get_domain(self, name: str) -> DomainStore:
        """Return the part of the store that is a domain's, whether or not there is one."""
        return DomainStore(self, name)

    def list_domains(self) -> list[str]:
        """Return the names of all domains that have a version."""
        found = self.objects.list_children("")
        named = [name for name in found if is_name(name)]
        return [name for name in named if self.objects.list_children(f"{name}/stages")]

    def mark_format(self) -> None:
        """Note the format of the store, before it is written to for the first time."""
        if not self._is_marked:
            mark_format(self.objects)
            self._is_marked = True

    def drop(self, version: Version) -> None:
        """Drop a version, its manifest first; call it under the domain's lock."""
        self.objects.drop_all(version.name, first=MANIFEST)
        self._read.pop(version.name, None)

    def find_version(self, name: str) -> Version | None:
        """Return the version of a name; nothing where its writer died, or is still at it."""
        if name not in self._read:
            if self.objects.read(f"{name}/{MANIFEST}") is None:
                return None
            self._read[name] = _read_manifest(self.objects, name)
        number = int(name.rpartition("/")[2])
        return Version(number, name, self._read[name], self.objects)


@dataclass(frozen=True, slots=True)
class DomainStore:
    """Versions and releases of one domain, and what waits at its gate; as a text, its name."""

    store: Store
    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def place(self) -> str:
        """Where the whole store is, as a person writes it."""
        return self.store.place

    @property
    def objects(self) -> SealedObjects:
        """The files of the whole store."""
        return self.store.objects

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the domain's lock, as everybody does who writes to the domain.

        Raises:
            StoreError: another run holds it for too long, or the store is in another format.
        """
        self.store.mark_format()
        with self.objects.hold_lock(self.name):
            yield

    def require_intact_seal(self) -> None:
        """Raise ``StoreError`` where a file of the domain does not fit its seal.

        Whoever decides, builds or publishes asks this first: what they do rests on all of it.
        Files that a run rebuilds identically block nobody.
        """
        faults = self.objects.find_faults(self.name, is_made_again=True)
        if faults:
            raise StoreError(*dict.fromkeys(faults))

    def list_version_names(self, stage: str) -> list[str]:
        """Return where a stage's versions are, oldest first; one that was not finished, too."""
        if not is_name(self.name) or not is_name(stage):
            return []  # A path would lead elsewhere.
        folder = f"{self}/stages/{stage}"
        names = [name for name in self.objects.list_children(folder) if _VERSION.fullmatch(name)]
        return [f"{folder}/{name}" for name in sorted(names, key=int)]

    def list_versions(self, stage: str) -> list[Version]:
        """Return a stage's versions, oldest first."""
        found = map(self.store.find_version, self.list_version_names(stage))
        return [version for version in found if version is not None]

    def find(self, stage: str, key: str) -> Version | None:
        """Return the version that was made from the inputs of ``key``."""
        found = [version for version in self.list_versions(stage) if version.manifest.key == key]
        return found[-1] if found else None

    def save(
        self, manifest: Manifest, files: Mapping[str, str], run: Mapping[str, object]
    ) -> Version:
        """Store a new version; call it under the domain's lock."""
        # Without those that nobody finished: `create_all` clears one away and gives its number
        # again.
        versions = self.list_versions(manifest.stage)
        number = max((version.number for version in versions), default=0) + 1
        name = f"{self}/stages/{manifest.stage}/{number:04d}"
        parts = {
            **{f"{_FILES}{file}": text.encode() for file, text in files.items()},
            RUN: _render_json(run).encode(),
            MANIFEST: _render_json(_add_digest(asdict(manifest))).encode(),
        }
        self.objects.create_all(name, parts, last=MANIFEST)
        return Version(number, name, manifest, self.objects)

    def find_waiting(self) -> Waiting | None:
        """Return what waits at a gate, None where nothing does.

        Raises:
            StoreError: what is noted of it cannot be read.
        """
        name = f"{self}/{WAITING}"
        data, hint = self.objects.read(name), "generate again to rewrite it"
        if data is None:
            return None
        try:
            return read_waiting(_parse_json(self.objects, name, data, hint))
        except ValueError as cause:
            raise make_damage_error(self.objects, name, str(cause), hint) from cause

    def find_waiting_version(self) -> Version | None:
        """Return the version that waits at a gate, or None."""
        noted = self.find_waiting()
        return self.find(noted.stage, noted.key) if noted else None

    def set_waiting(self, version: Version | None, ahead: Iterable[Version] = ()) -> None:
        """Note which version waits at a gate, or that none does, and what is built ahead of it."""
        name = f"{self}/{WAITING}"
        if version is None:
            self.objects.delete(name)
            return
        waiting = build_waiting(version.manifest, (item.manifest for item in ahead))
        self.objects.replace(name, _render_json(waiting.as_record()).encode())

    def list_releases(self) -> list[str]:
        """Return the versions of all releases but private test sets, oldest first."""
        names = [name for name in self._list_complete_releases() if _RELEASE.fullmatch(name)]
        return sorted(names, key=lambda name: tuple(map(int, name.split("."))))

    def list_private_releases(self) -> list[str]:
        """Return the versions of all private test sets, those of a release in their order."""
        numbered = (_PRIVATE.fullmatch(name) for name in self._list_complete_releases())
        names = {item[0]: (item[1], int(item[2])) for item in numbered if item}
        return sorted(names, key=lambda name: names[name])

    def _list_complete_releases(self) -> list[str]:
        """Return the names of releases that are whole.

        Of one whose writer died in a bucket, files may be there, and no record.
        """
        folder = f"{self}/releases"
        found = self.objects.list_children(folder)
        return [name for name in found if self.objects.read(f"{folder}/{name}/{RELEASE}")]

    def read_release(self, version: str) -> Mapping[str, Any]:
        """Return what a release says of itself; ``stages`` are contents by stage, if it has any."""
        name = f"{self}/releases/{version}/{RELEASE}"
        found = _read_json(self.objects, name, "restore it from a copy")
        if not _is_texts(found.get("stages", {})):
            message = "its stages are not listed as digests by name"
            raise make_damage_error(self.objects, name, message)
        return found

    def read_release_files(self, version: str) -> dict[str, bytes]:
        """Return the files of a release's packages by their names below it."""
        # Neither is among the files that the record holds a digest of: one is the record, and the
        # other comes after it.
        start, own = f"{self}/releases/{version}/", (RELEASE, RELEASE_SIGNATURE)
        names = [name[len(start) :] for name in self.objects.list_names(start)]
        return {name: self.objects.read(start + name) or b"" for name in names if name not in own}

    def save_release(
        self, version: str, files: Mapping[str, bytes], record: Mapping[str, object]
    ) -> None:
        """Store a new release; call it under the domain's lock."""
        parts = {**files, RELEASE: render_release(record).encode()}
        self.objects.create_all(f"{self}/releases/{version}", parts, last=RELEASE)


def _read_manifest(objects: Objects, name: str) -> Manifest:
    path = f"{name}/{MANIFEST}"
    hint = "restore it, or delete the version's folder and generate again"
    value = _read_json(objects, path, hint)
    number = value.pop("format", None)
    if number != FORMAT:
        message = f"the version was written in a format other than {FORMAT}"
        hint = "use the SOPForge version that wrote it"
        raise StoreError(Fault("store-format", message, f"{objects.place}/{path}", hint))
    if value.pop("digest", None) != digest_value(value):
        message = "the file was changed after it was written"
        raise make_damage_error(objects, path, message, hint)
    try:
        findings = tuple(_read_finding(item) for item in value.pop("findings"))
        manifest = Manifest(**value, findings=findings)
    except (KeyError, TypeError, ValueError) as cause:
        message = f"the file has another content than SOPForge wrote: {cause}"
        raise make_damage_error(objects, path, message) from cause
    if not _is_texts(manifest.inputs):
        message = "its inputs are not listed as texts by name"
        raise make_damage_error(objects, path, message, hint)
    if not name.startswith(f"{manifest.domain}/stages/{manifest.stage}/"):
        message = f"the file belongs to a version of {manifest.domain} {manifest.stage}"
        raise make_damage_error(objects, path, message, hint)
    return manifest


def _read_json(objects: Objects, name: str, hint: str) -> dict[str, Any]:
    return _parse_json(objects, name, read_text(objects, name).encode(), hint)


def _parse_json(objects: Objects, name: str, data: bytes, hint: str) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except ValueError as cause:
        raise make_damage_error(objects, name, str(cause), hint) from cause
    if not isinstance(value, dict):
        raise make_damage_error(objects, name, "the file holds no object", hint)
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
