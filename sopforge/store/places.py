"""Places of stores as people write them on a command line."""

from __future__ import annotations

import shlex

DEFAULT_STORE = "generated"
S3 = "s3://"


def store_option(place: str) -> str:
    """Return what a command that is suggested needs so as to find the same store."""
    return "" if place == DEFAULT_STORE else f" --store {shlex.quote(place)}"
