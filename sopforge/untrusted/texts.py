"""Texts that strangers wrote: in UTF-8, with or without a byte order mark."""

from __future__ import annotations

from pathlib import Path


def read_text(file: Path) -> str:
    """Return the text of a file, with plain line ends.

    Raises:
        UnicodeDecodeError: it is not in UTF-8.
    """
    return file.read_text(encoding="utf-8-sig")


def read_any_text(file: Path) -> str:
    """Return the text of a file as it is, with a sign in place of what is not in UTF-8."""
    return file.read_bytes().decode("utf-8-sig", "replace")
