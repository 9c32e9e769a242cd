"""A folder whose writer dies."""

from __future__ import annotations

from pathlib import Path

from sopforge.store.backends.folder import FolderObjects


class Dying(FolderObjects):
    """A folder whose writer dies at one of its writes, before it or after it."""

    def __init__(self, root: Path, write: int) -> None:
        super().__init__(root)
        self.left = write

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt

    def replace(self, name: str, data: bytes) -> None:
        self._count()
        super().replace(name, data)

    def create(self, name: str, data: bytes) -> None:
        self._count()
        super().create(name, data)
