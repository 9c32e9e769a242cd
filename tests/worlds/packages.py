"""Packages as tests read and spoil them; their Parquet tables have tests of their own."""

from __future__ import annotations

from pathlib import Path

from benchmarks.package_spoils import refreshed


def package_texts(folder: Path) -> dict[str, str]:
    """Return the text files below a folder by their relative names, sorted."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode()
        for path in paths
        if path.suffix != ".parquet"
    }


def change(package: Path, name: str, old: str, new: str) -> None:
    """Change one place of a file, and make all digests anew."""
    text = (package / name).read_text(encoding="utf-8")
    assert old in text
    (package / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    paths = [path for path in package.rglob("*") if path.is_file()]
    files = {path.relative_to(package).as_posix(): path.read_bytes() for path in paths}
    for digests in ("croissant.json", "SHA256SUMS"):
        (package / digests).write_bytes(refreshed(files, name)[digests])
