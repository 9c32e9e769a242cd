"""SHA256SUMS: the digest of each file of a package, as ``sha256sum`` writes and checks them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from sopforge.errors import Fault, PackageUnreadableError

CHECKSUMS = "SHA256SUMS"
_LARGEST_BYTES = 1_000_000_000
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


def render_checksums(files: Mapping[str, str | bytes]) -> str:
    """Return the digest of each file by its name, a line each."""
    return "".join(
        f"{compute_file_digest(content)}  {name}\n" for name, content in sorted(files.items())
    )


def compute_file_digest(content: str | bytes) -> str:
    """Return the SHA-256 of a file."""
    return sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def parse_listed_digests(files: Mapping[str, str | bytes]) -> dict[str, str]:
    """Return the digests that a package lists, by file.

    Raises:
        PackageUnreadableError: it lists none, or a line is none of a digest and a name.
    """
    if CHECKSUMS not in files:
        fault = Fault("package-file-missing", f"the package has no {CHECKSUMS}", CHECKSUMS)
        raise PackageUnreadableError(fault)
    content = files[CHECKSUMS]
    text = content if isinstance(content, str) else content.decode(errors="replace")
    lines = [(line, _LINE.fullmatch(line)) for line in text.splitlines()]
    faults = [
        Fault("checksums-malformed", f"{line[:80]!r} is not a digest with a file name", CHECKSUMS)
        for line, found in lines
        if found is None
    ]
    if faults:
        raise PackageUnreadableError(*faults)
    return {found[2]: found[1] for _, found in lines if found}


def find_changed_files(files: Mapping[str, str | bytes]) -> list[str]:
    """Return the files of a package that are missing or not those that were released.

    Raises:
        PackageUnreadableError: what it lists cannot be read.
    """
    listed = parse_listed_digests(files)
    return [
        name
        for name in listed
        # Looked up among the files that were read, a listed "../x" is merely missing.
        if name not in files or compute_file_digest(files[name]) != listed[name]
    ]


def find_added_files(files: Mapping[str, str | bytes]) -> list[str]:
    """Return the files of a package that it does not list; raises as ``find_changed_files``."""
    return [name for name in files if name not in {CHECKSUMS, *parse_listed_digests(files)}]


def read_folder_files(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder by their relative names, sorted; a link is none of them."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {path.relative_to(folder).as_posix(): _read_content(path) for path in paths}


def _read_content(path: Path) -> bytes:
    """Return a file's bytes; none of one that is larger than any of a package, so that it differs.

    A file with a hole in it is as large as anybody likes, and costs who made it nothing.
    """
    return path.read_bytes() if path.stat().st_size <= _LARGEST_BYTES else b""
