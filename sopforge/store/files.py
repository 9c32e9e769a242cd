"""Files written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path


def write_exclusively(path: Path, content: str | bytes) -> None:
    """Write a new file in one step; readers never see half of it.

    Raises:
        FileExistsError: there is a file of that name.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _write_temporary(path, content)
    try:
        os.link(temporary, path)
    finally:
        temporary.unlink()


def replace_file(path: Path, content: str | bytes) -> None:
    """Write a file in one step, in the place of an older one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _write_temporary(path, content).replace(path)


def write_folder(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write a new folder with all its files in one step.

    Raises:
        FileExistsError: there is a folder of that name with something in it.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
    try:
        for name, content in files.items():
            path = temporary / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_bytes(content))
        temporary.chmod(0o755)
        _rename(temporary, folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def read_folder(folder: Path) -> dict[str, str]:
    """Return the files below a folder by their relative names, sorted."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): read_text(path) for path in paths}


def read_text(path: Path) -> str:
    """Return a file's text with its line ends untouched."""
    return path.read_bytes().decode()


def _rename(source: Path, target: Path) -> None:
    try:
        source.rename(target)
    except OSError as cause:
        if target.exists():
            raise FileExistsError(str(target)) from cause
        raise


def _write_temporary(target: Path, content: str | bytes) -> Path:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(_bytes(content))
        file.flush()
        os.fsync(file.fileno())
    path = Path(name)
    path.chmod(0o644)  # mkstemp's files are for their owner alone; reviewers read these too
    return path


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content
