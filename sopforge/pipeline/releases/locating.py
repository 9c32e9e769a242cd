"""Releases and packages as people name them, each copied into a folder of ours.

A name is a folder, ``s3://BUCKET/PREFIX``, or a domain of the store: ``refund``, ``refund@1.0.0``,
``refund@1.0.0/L1``. Of a domain alone the newest release counts that is not yanked. Whoever made
it may be a stranger, so that only the copy is read (``sopforge.untrusted``).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from sopforge.artifacts.packaging.checksums import read_folder_files
from sopforge.artifacts.packaging.release import list_packages
from sopforge.errors import Fault, MaterialError
from sopforge.harness.scoring.sop_bench_package import TEST_SETS
from sopforge.language.domain.documents.schema import suggest
from sopforge.pipeline.releases.package_files import name_package
from sopforge.store.backends.atomic_files import write_folder
from sopforge.store.digests import digest_files
from sopforge.store.log.yanks import Yank, find_yanked_releases
from sopforge.store.opening import open_objects, open_store
from sopforge.store.places import OTHER_STORE, S3, resolve_place, store_option
from sopforge.store.versions import RELEASE, RELEASE_SIGNATURE, DomainStore, Store
from sopforge.untrusted.folders import copy_folder, refuse_listed

_NAMED = re.compile(r"([a-z][a-z0-9_]{0,47})(?:@([0-9][0-9A-Za-z.-]*))?(?:/([A-Za-z0-9_]+))?")
_HOME = re.compile(r"(.+)/([a-z][a-z0-9_]{0,47})/releases/([0-9][0-9A-Za-z.-]*)(?:/([^/]+))?/?")
_HINT = "name the folder of a package, as 'sopforge publish' prints it"
_BRIEF_HINT = f"{_HINT}; for a brief, run 'sopforge check {{name}}'"
_BRIEFS = frozenset({".yaml", ".yml"})


_MARKS = (RELEASE, "grader", "metadata.json", "sop.txt", "tools.py", "toolspecs.json", *TEST_SETS)
"""What a release or a package has at its top; a folder with none of it is neither."""


@dataclass(frozen=True)
class Located:
    """A release or a package, as somebody named it.

    ``place`` is its folder, ``release_place`` that of the release that it is or belongs to. Copies,
    which are made below ``home`` when they are asked for, are all that is read of them, but for the
    plain files that ``require_place`` is asked for.
    ``store`` is the one that it comes from, under its domain and version.
    """

    name: str
    place: Path
    home: Path
    release_place: Path | None = None
    store: Store | None = None
    domain: str = ""
    version: str = ""

    @property
    def is_release(self) -> bool:
        """Whether it is a whole release."""
        return self.place == self.release_place

    @cached_property
    def folder(self) -> Path:
        """A copy of it under its own name; raises ``MaterialError`` as ``copy_folder`` does."""
        return self._copy(self.place)

    @cached_property
    def release(self) -> Path | None:
        """A copy of the release that it is or belongs to; raises as ``folder``."""
        if self.is_release or self.release_place is None:
            return self.folder if self.is_release else None
        return self._copy(self.release_place)

    @property
    def packages(self) -> dict[str, Path]:
        """The copies of its packages: its own, or those of the release, by what users call them."""
        called = self.name if self.name.startswith(S3) else str(self.place)
        if not self.is_release:
            return {called: self.folder}
        return {f"{called.rstrip('/')}/{path.name}": path for path in list_packages(self.folder)}

    @property
    def yanked(self) -> Yank | None:
        """That the release was yanked, if it was."""
        return (
            find_yanked_releases(self.store.get_domain(self.domain)).get(self.version)
            if self.store
            else None
        )

    def require_package(self) -> Path:
        """Return a copy of a package of ours; raises ``MaterialError`` where it is none."""
        self._refuse_releases()
        if not (self.folder / "grader").is_dir() and not (self.folder / "tools.py").is_file():
            name = self.name
            message = f"{name} is not a package of SOPForge: it has neither grader/ nor tools.py"
            raise MaterialError(Fault("package-not-found", message, "", _HINT))
        return self.folder

    def require_place(self) -> Path:
        """Return where a package is, for who copies none of it but what agents may see.

        Raises:
            MaterialError: it is a release.
        """
        self._refuse_releases()
        return self.place

    def _refuse_releases(self) -> None:
        if self.is_release:
            message = f"{self.name} is a release, so it contains several packages"
            inner = list_packages(self.place)
            hint = f"name one of them, for example {self.name}/{inner[0].name}" if inner else _HINT
            raise MaterialError(Fault("package-not-found", message, "", hint))

    def _copy(self, place: Path) -> Path:
        copy = self.home / ("release" if place == self.release_place else "package")
        copy.mkdir()
        # Its own name is part of what some files say.
        copy /= place.resolve().name
        copy_folder(place, copy)
        return copy


@dataclass(frozen=True, slots=True)
class _Kept:
    """A release in a store; ``part`` names one of its packages, or is empty."""

    store: Store
    domain: str
    version: str
    part: str

    @property
    def place(self) -> str:
        """Where the release is, as a person writes it."""
        return f"{self.store.place}/{self.domain}/releases/{self.version}"

    @property
    def is_there(self) -> bool:
        """Whether the store has it; raises ``StoreError`` where it is not as it was written."""
        folder = f"{self.domain}/releases/{self.version}"
        self.store.objects.read(f"{folder}/{RELEASE_SIGNATURE}")
        return self.store.objects.read(f"{folder}/{RELEASE}") is not None


@contextmanager
def locate_release(name: str, place: str) -> Iterator[Located]:
    """Let copies of a release or a package be used; ``place`` is the store's.

    They are dropped when the use of them ends.

    Raises:
        MaterialError: there is none of that name, or more in it than there is memory for.
    """
    with TemporaryDirectory(prefix="sopforge-release-") as home:
        path = Path(name)
        try:
            if name.startswith(S3) or path.exists():
                yield _locate_by_path(name, Path(home))
            else:
                yield _locate_by_name(name, open_store(place), Path(home))
        except MemoryError as cause:
            message = "reading it needs more memory than is available"
            hint = "read it on a machine with more memory, or remove files that do not belong to it"
            raise MaterialError(Fault("folder-too-large", message, name, hint)) from cause


def find_newest_release(domain: DomainStore) -> str:
    """Return the version of the newest release, before all others of one that is not yanked.

    Raises:
        MaterialError: there is no release.
    """
    releases, taken_back = domain.list_releases(), find_yanked_releases(domain)
    left = [version for version in releases if version not in taken_back]
    if not releases:
        hint = f"publish it: sopforge publish {domain}{store_option(domain.place)}"
        message = f"'{domain}' has no release in {domain.place}"
        raise MaterialError(Fault("unknown-release", message, domain.name, hint))
    return (left or releases)[-1]


def fetch(found: Located, target: Path) -> None:
    """Copy a release or a package into a new folder, whole or not at all.

    Raises:
        MaterialError: there is something in that folder, or what is copied has other things than
            plain files, or too much, or is not what was released.
    """
    files = read_folder_files(found.folder)
    _refuse_changed(found)
    try:
        write_folder(target, files)
    except FileExistsError as cause:
        message = f"{target} already exists"
        fault = Fault("folder-taken", message, str(target), "name a folder that does not exist yet")
        raise MaterialError(fault) from cause


def _refuse_changed(found: Located) -> None:
    """Raise where the release in a store is not what was published."""
    if found.store is None:
        return
    record = found.store.get_domain(found.domain).read_release(found.version)
    if digest_files(
        found.store.get_domain(found.domain).read_release_files(found.version)
    ) != record.get("files"):
        message = f"the files of {found.domain} {found.version} are not the released files"
        hint = f"list the differences with: sopforge verify {found.domain}@{found.version}"
        hint += store_option(found.store.place)
        raise MaterialError(Fault("release-changed", message, found.name, hint))


def _locate_by_path(name: str, home: Path) -> Located:
    """Return what is in a folder or under a prefix, as part of its store where it is in one."""
    place = name if name.startswith(S3) else str(Path(name).resolve())
    match = _HOME.fullmatch(place)
    if match:
        root, domain, version, package = match.groups()
        kept = _Kept(open_store(root), domain, version, package or "")
        # A copied release may lie at such a path as well; what is a store has decisions.
        if kept.store.objects.list_children(f"{domain}/decisions") and kept.is_there:
            return _locate_in_store(name, kept, home)
    folder = _copy_to_local(name, home) if name.startswith(S3) else Path(name)
    if not folder.is_dir():
        is_brief = folder.suffix in _BRIEFS
        hint = _BRIEF_HINT.format(name=name) if is_brief else _HINT
        raise MaterialError(Fault("package-not-found", f"there is no folder {name}", "", hint))
    if not any(os.path.lexists(folder / mark) for mark in _MARKS):
        message = f"{name} is not a package: it has none of {', '.join(_MARKS)}"
        raise MaterialError(Fault("not-a-package", message, "", _HINT))
    return Located(name, folder, home, _find_release_folder(folder))


def _locate_by_name(name: str, store: Store, home: Path) -> Located:
    match = _NAMED.fullmatch(name)
    domain, version, part = match.groups() if match else (None, None, None)
    if not domain or domain not in store.list_domains():
        message, hint = f"there is no folder {name}", _HINT
        if domain:
            message += f", and {resolve_place(store.place)} has no domain '{domain}'"
            hint = suggest(domain, store.list_domains()) or f"{_HINT}; or {OTHER_STORE}"
        raise MaterialError(Fault("package-not-found", message, "", hint))
    kept = _Kept(
        store, domain, version or find_newest_release(store.get_domain(domain)), part or ""
    )
    if not kept.is_there:
        releases = store.objects.list_children(f"{domain}/releases")
        message = (
            f"'{domain}' has no release {version}; its releases are {', '.join(releases) or 'none'}"
        )
        hint = suggest(kept.version, releases)
        raise MaterialError(Fault("unknown-release", message, domain, hint))
    return _locate_in_store(name, kept, home)


def _locate_in_store(name: str, kept: _Kept, home: Path) -> Located:
    """Return a release of a store, or one of its packages by its name or its level."""
    release = Path(kept.place)
    if not release.is_dir():
        release = _copy_to_local(kept.place, home)
    folder, part = release, kept.part
    if part:
        names = [path.name for path in list_packages(release)]
        # People write refund@1.0.0/l1 as well as L1.
        wanted = {part, name_package(kept.domain, part.upper(), kept.version)}
        chosen = [item for item in names if item in wanted]
        if not chosen:
            message = f"{kept.place} has no package '{part}'; its packages are {', '.join(names)}"
            raise MaterialError(Fault("package-not-found", message, name, suggest(part, names)))
        folder = release / chosen[0]
    return Located(name, folder, home, release, kept.store, kept.domain, kept.version)


def _find_release_folder(folder: Path) -> Path | None:
    """Return the folder of the release that a folder is, or lies in."""
    homes = (folder, folder.resolve().parent)
    return next((home for home in homes if (home / RELEASE).is_file()), None)


def _copy_to_local(place: str, home: Path) -> Path:
    """Return a local copy of what is below a prefix on S3."""
    objects = open_objects(place)
    refuse_listed(place, objects.map_sizes(""))
    files = {name: objects.read(name) or b"" for name in objects.list_names("")}
    folder = home / "fetched" / place.rstrip("/").rpartition("/")[2]
    if files:
        write_folder(folder, files)
    return folder
