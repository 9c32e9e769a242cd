"""The text files of a package; its Parquet table is read by the tests that are about it."""

from __future__ import annotations

from pathlib import Path


def package_texts(folder: Path) -> dict[str, str]:
    """Return the text files below a folder by their relative names, sorted."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode()
        for path in paths
        if path.suffix != ".parquet"
    }
