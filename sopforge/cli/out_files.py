"""Files that users ask for with an option such as ``--out``: each is there whole, or unchanged."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from stat import S_IMODE

from sopforge.errors import Fault, MaterialError, describe_system_error


def write_out(path: Path, content: str | bytes) -> None:
    """Write a file that a user asked for; where that fails, an earlier one stays as it was.

    Half of a pair of characters becomes its escape.

    Raises:
        MaterialError: the file cannot be written.
    """
    from sopforge.store.backends.atomic_files import replace_file

    data = content if isinstance(content, bytes) else content.encode(errors="backslashreplace")
    with _convert_errors(path, "file"):
        # A link stays one, and what it leads to is replaced.
        place = path.resolve()
        if not place.exists() or place.is_file() or place.is_dir():
            replace_file(place, data, mode=_find_mode(place))
        else:
            # A pipe or a device has no earlier content to keep.
            place.write_bytes(data)


def _find_mode(place: Path) -> int:
    """Return who may read a file: as before, or as the user's umask says of a new one."""
    if place.exists():
        return S_IMODE(place.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def replace_out_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write a folder of files that a user asked for in the place of an earlier one.

    What is in the earlier one is deleted: whoever calls has looked that all of it is ours. Where
    writing fails, the earlier one stays as it was.

    Raises:
        MaterialError: the folder cannot be written.
    """
    from sopforge.store.backends.atomic_files import write_folder

    place = folder.resolve()
    before, new = (place.with_name(f".{place.name}-{name}") for name in ("before", "new"))
    data = {name: text.encode(errors="backslashreplace") for name, text in files.items()}
    with _convert_errors(folder, "folder"):
        for left in (before, new):
            shutil.rmtree(left, ignore_errors=True)
        write_folder(new, data)
        if place.exists():
            place.rename(before)
        try:
            new.rename(place)
        except OSError:
            if before.exists():
                before.rename(place)
            raise
        shutil.rmtree(before, ignore_errors=True)


@contextmanager
def _convert_errors(path: Path, it: str) -> Iterator[None]:
    try:
        yield
    except OSError as cause:
        message, hint = describe_system_error(cause, it)
        raise MaterialError(Fault("file-not-written", message, str(path), hint)) from cause
