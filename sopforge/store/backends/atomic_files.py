"""Files written whole or not at all, and on the disk once the function that writes them returns.

A new file or folder is made under another name, in ``scratch`` or beside its place, then put on the
disk, then moved to its place, and at last the folder that names it is put on the disk: after a
power cut it is there whole, or not at all.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

# What a file system says that does not put folders on the disk one by one.
_NO_FOLDER_SYNC = {errno.EINVAL, errno.ENOTSUP}
# Reviewers read the files of a store.
_READABLE = 0o644


def write_exclusively(path: Path, content: str | bytes, scratch: Path | None = None) -> None:
    """Write a new file in one step; readers never see half of it.

    Raises:
        FileExistsError: there is a file of that name.
    """
    make_folder(path.parent)
    with _write_temporary(path, content, scratch) as temporary:
        # A link and no rename, which would replace what another wrote meanwhile.
        _link(temporary, path)
        sync(path.parent)


def replace_file(
    path: Path, content: str | bytes, scratch: Path | None = None, mode: int = _READABLE
) -> None:
    """Write a file in one step, in the place of an older one."""
    make_folder(path.parent)
    with _write_temporary(path, content, scratch, mode) as temporary:
        temporary.replace(path)
        sync(path.parent)


def write_folder(
    folder: Path, files: Mapping[str, str | bytes], scratch: Path | None = None
) -> None:
    """Write a new folder with all its files in one step.

    Raises:
        FileExistsError: there is a folder of that name with something in it.
    """
    make_folder(folder.parent)
    beside = scratch or folder.parent
    make_folder(beside)
    temporary = Path(tempfile.mkdtemp(prefix=".new-", dir=beside))
    try:
        fill_folder(temporary, files)
        # mkdtemp's folders are for their owner alone.
        temporary.chmod(0o755)
        for path in (*temporary.rglob("*"), temporary):
            sync(path)
        # A folder with something in it is not replaced, so that this decides who was first.
        _rename(temporary, folder)
        sync(folder.parent)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def fill_folder(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files below a folder, for as long as this process needs them."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_encode_content(content))


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, and put on the disk that they are there."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for made in missing:
        sync(made.parent)


def sync(path: Path) -> None:
    """Put a file's bytes, or the names in a folder, on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as refused:
        if refused.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(handle)


def clear_leftovers(scratch: Path, older_than: float) -> None:
    """Drop what processes that died left in a folder more than so many seconds ago."""
    limit = time.time() - older_than
    for left in scratch.iterdir() if scratch.is_dir() else ():
        # What is gone by now was moved to its place, or cleared away by another.
        with suppress(FileNotFoundError):
            if left.lstat().st_mtime > limit:
                continue
            if left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink()


def read_text(path: Path) -> str:
    """Return a file's text with its line ends untouched."""
    return path.read_bytes().decode()


def _link(source: Path, target: Path) -> None:
    """Give a file a second name; raises ``FileExistsError`` where another has it."""
    try:
        os.link(source, target)
    except FileExistsError:
        # A server of files that was asked twice, for its first answer was lost, says that the name
        # is taken: by this file.
        if source.stat().st_nlink == 1:
            raise


def _rename(source: Path, target: Path) -> None:
    try:
        source.rename(target)
    except OSError as cause:
        # Systems name it differently: the folder is not empty, or it is there already.
        if os.path.lexists(target):
            raise FileExistsError(str(target)) from cause
        raise


@contextmanager
def _write_temporary(
    target: Path, content: str | bytes, scratch: Path | None, mode: int = _READABLE
) -> Iterator[Path]:
    """Keep content in a file of another name, which is gone at the end unless it was moved."""
    folder = scratch or target.parent
    make_folder(folder)
    handle, name = tempfile.mkstemp(prefix=f".new-{target.name}.", dir=folder)
    path = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_encode_content(content))
            file.flush()
            path.chmod(mode)  # mkstemp's files are for their owner alone
            os.fsync(file.fileno())
        yield path
    finally:
        path.unlink(missing_ok=True)


def _encode_content(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content
