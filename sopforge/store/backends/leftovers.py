"""What processes left in a store that died at work: temporary files, and leases that ran out.

Only what is older than an hour counts, so that nothing is taken from who is still at it.
"""

from __future__ import annotations

import os
import re
import time
from datetime import datetime
from pathlib import Path

LEFT_SECONDS = 3600.0
# A folder in the making, or a file: each has the name of what it was to become in it.
# The second form is that of earlier programs, which wrote beside the place of a file.
_TEMPORARY = re.compile(r"\.new-.+|\..+\.json\.[a-z0-9_]{8}")


def find_leftovers(root: Path) -> dict[Path, int]:
    """Return the temporary files and folders below a folder that were left there, with sizes."""
    found: dict[Path, int] = {}
    for place, folders, files in os.walk(root):
        for name in [*folders, *files]:
            path = Path(place, name)
            if _TEMPORARY.fullmatch(name) and _is_old(path):
                found[path] = _compute_size(path)
        # A folder in the making is dropped as a whole: nothing in it is listed by itself.
        folders[:] = [name for name in folders if not _TEMPORARY.fullmatch(name)]
    return dict(sorted(found.items()))


def is_lock(name: str) -> bool:
    """Return whether a name is that of a lease."""
    last = name.rpartition("/")[2]
    return last.startswith(".") and last.endswith(".lock")


def is_left(renewed: datetime) -> bool:
    """Return whether a lease that was renewed at some time has been over for long."""
    return renewed.timestamp() < time.time() - LEFT_SECONDS


def _is_old(path: Path) -> bool:
    try:
        return path.lstat().st_mtime < time.time() - LEFT_SECONDS
    except FileNotFoundError:
        return False  # Whoever was writing it is done.


def _compute_size(path: Path) -> int:
    inside = path.rglob("*") if path.is_dir() and not path.is_symlink() else [path]
    return sum(item.lstat().st_size for item in inside if not item.is_dir())
