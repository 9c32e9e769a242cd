"""Files of a folder that comes from a stranger: none that lies elsewhere, and no more than fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from sopforge.errors import Fault

MOST_BYTES = 64 * 1024**2
"""Of all files that are read together."""


def find_link_faults(folder: Path, found: Mapping[str, Path]) -> list[Fault]:
    """Return a fault for each file that is a link out of the folder: what it leads to is ours."""
    home, where = folder.resolve(), str(folder)
    return [
        Fault("not-a-file-name", f"{name!r} is a link out of the folder", where, "copy the file")
        for name, path in found.items()
        if not path.resolve().is_relative_to(home)
    ]


def are_too_large(sizes: Iterable[int]) -> bool:
    """Return whether files of these sizes are too large together."""
    return sum(sizes) > MOST_BYTES
