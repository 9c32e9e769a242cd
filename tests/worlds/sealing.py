"""Seals of stores that a test changes by hand, as whoever can write a whole folder could."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sopforge.store.backends.folder import FolderObjects
from sopforge.store.sealing.seals import seal_domain
from sopforge.store.versions import Store


def seal_anew(place: str | Path, domain: str) -> None:
    """Seal what is there, so that what lies beneath the seal can be tested."""
    seal_domain(FolderObjects(Path(place)), domain)


def beneath(store: Store) -> Any:  # noqa: ANN401 - a folder or a bucket, with what is its own
    """Return what a store keeps its things in, without the seals."""
    return store.objects._inner  # noqa: SLF001 - to disturb it, or to change it by hand
