"""Seals of stores that a test changes by hand, as whoever can write a whole folder could."""

from __future__ import annotations

from pathlib import Path

from sopforge.store.folder import FolderObjects
from sopforge.store.seals import seal_domain


def seal_anew(place: str | Path, domain: str) -> None:
    """Seal what is there, so that what lies beneath the seal can be tested."""
    seal_domain(FolderObjects(Path(place)), domain)
