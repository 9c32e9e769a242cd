"""What a write of the folder store returned from is on the disk, put there in the right order.

A power cut takes whatever was not put on the disk: the bytes of a file, and the names in a folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sopforge.store.backends.folder import FolderObjects


class Disk:
    """What was put on the disk: bytes by the file's number, names by the folder's."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.bytes: dict[int, bytes] = {}
        self.names: dict[int, dict[str, int]] = {}

    def sync(self, handle: int) -> None:
        path = Path(f"/proc/self/fd/{handle}").readlink()
        if path.is_dir():
            self.names[path.stat().st_ino] = {
                item.name: item.stat().st_ino for item in path.iterdir()
            }
        else:
            self.bytes[path.stat().st_ino] = path.read_bytes()

    def lost(self, start: Path) -> Iterator[str]:
        """Return what below a folder a power cut would take."""
        kept = self.names.get(start.stat().st_ino, {})
        for path in start.iterdir():
            if path.name.startswith("."):
                continue
            inode = path.stat().st_ino
            if kept.get(path.name) != inode:
                yield f"the name {path.relative_to(self.root)}"
            if path.is_dir():
                yield from self.lost(path)
            elif self.bytes.get(inode) != path.read_bytes():
                yield f"the bytes of {path.relative_to(self.root)}"


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    """Return a disk that notes what is put on it, and refuses to name what is not on it."""
    found = Disk(tmp_path)
    link, rename, replace = os.link, Path.rename, Path.replace

    def linked(source: Path, target: Path) -> None:
        assert source.stat().st_ino in found.bytes
        link(source, target)

    def moved(move: Callable[[Path, Path], Path]) -> Callable[[Path, Path], Path]:
        def checked(source: Path, target: Path) -> Path:
            assert source.is_dir() or source.stat().st_ino in found.bytes
            if source.is_dir():
                assert list(found.lost(source)) == []
            return move(source, target)

        return checked

    monkeypatch.setattr(os, "fsync", found.sync)
    monkeypatch.setattr(os, "link", linked)
    monkeypatch.setattr(Path, "rename", moved(rename))
    monkeypatch.setattr(Path, "replace", moved(replace))
    return found


WRITES: dict[str, Callable[[FolderObjects], None]] = {
    "create": lambda objects: objects.create("claims/decisions/000001.json", b"one"),
    "replace": lambda objects: objects.replace("claims/pending.json", b"one"),
    "append": lambda objects: objects.append("claims/calls.jsonl", b"one\n"),
    "create_all": lambda objects: objects.create_all(
        "claims/stages/sop/0001",
        {"files/a/b.txt": b"a", "files/c": b"c", "m.json": b"{}"},
        "m.json",
    ),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_what_was_written_outlasts_a_power_cut(
    write: Callable[[FolderObjects], None], disk: Disk
) -> None:
    write(FolderObjects(disk.root / "store"))
    assert list(disk.lost(disk.root)) == []


def test_a_second_write_into_a_folder_outlasts_it_too(disk: Disk) -> None:
    objects = FolderObjects(disk.root / "store")
    for write in WRITES.values():
        write(objects)
    objects.create("claims/decisions/000002.json", b"two")
    objects.replace("claims/pending.json", b"two")
    objects.append("claims/calls.jsonl", b"two\n")
    assert list(disk.lost(disk.root)) == []
