"""Places of stores as people write them on a command line."""

from __future__ import annotations

import shlex
from pathlib import Path

DEFAULT_STORE = "generated"
S3 = "s3://"
OTHER_STORE = "name the store that has it: --store, or SOPFORGE_STORE"
"""What to do where the store in a place may be the wrong one."""


def store_option(place: str) -> str:
    """Return what a command that is suggested needs so as to find the same store."""
    return "" if place == DEFAULT_STORE else f" --store {shlex.quote(place)}"


def resolve_place(place: str) -> str:
    """Return the place of a store as it is found from any folder of this machine."""
    return place if place.startswith(S3) else str(Path(place).resolve())
