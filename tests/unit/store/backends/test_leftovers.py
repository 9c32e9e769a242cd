"""What processes that died left in a folder is out of sight, and cleared away in time."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from sopforge.errors import StoreError
from sopforge.store.backends.atomic_files import write_exclusively
from sopforge.store.backends.folder import LEFTOVER_SECONDS, FolderObjects

HOURS = 2 * LEFTOVER_SECONDS


def left(folder: Path, name: str, age: float) -> Path:
    path = folder / name
    if name.startswith(".new-"):
        (path / "files").mkdir(parents=True)
        (path / "files" / "half.txt").write_text("half")
    else:
        path.write_text("half")
    os.utime(path, (time.time() - age,) * 2)
    return path


def test_leftovers_are_cleared_once_nobody_can_be_at_them(tmp_path: Path) -> None:
    scratch = tmp_path / "claims" / ".new"
    scratch.mkdir(parents=True)
    old = [left(scratch, ".new-a", HOURS), left(scratch, ".x.json.b", HOURS)]
    young = [left(scratch, ".new-c", 1), left(scratch, ".x.json.d", 1)]
    FolderObjects(tmp_path).replace("claims/x.json", b"1")
    assert [path.exists() for path in old] == [False, False]
    assert [path.exists() for path in young] == [True, True]


def test_leftovers_are_no_part_of_the_store(tmp_path: Path) -> None:
    objects = FolderObjects(tmp_path)
    objects.replace("claims/x.json", b"1")
    left(tmp_path / "claims" / ".new", ".new-a", 1)
    assert objects.list_names("") == ["claims/x.json"]
    assert objects.list_children("claims") == ["x.json"]


def test_a_write_leaves_nothing_beside_what_it_wrote(tmp_path: Path) -> None:
    objects = FolderObjects(tmp_path)
    objects.create("claims/1", b"1")
    objects.replace("claims/1", b"2")
    objects.create_all("claims/v/1", {"a": b"a"}, "a")
    assert list((tmp_path / "claims" / ".new").iterdir()) == []


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    objects = FolderObjects(tmp_path)
    objects.replace("claims/x.json", b"1")

    def full(handle: int) -> None:
        del handle
        raise OSError(errno.ENOSPC, "no room")

    monkeypatch.setattr(os, "fsync", full)
    for write in (objects.create, objects.replace):
        with pytest.raises(StoreError, match="the disk is full"):
            write("claims/y.json", b"2")
    with pytest.raises(StoreError, match="the disk is full"):
        objects.create_all("claims/v/1", {"a": b"a"}, "a")
    assert list((tmp_path / "claims" / ".new").iterdir()) == []
    assert objects.list_names("") == ["claims/x.json"]


def test_a_name_that_is_taken_by_this_very_file_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file server that lost its first answer, and is asked again, says that the name is taken."""
    link = os.link

    def repeated(source: Path, target: Path) -> None:
        link(source, target)
        raise FileExistsError(errno.EEXIST, "File exists", str(target))

    monkeypatch.setattr(os, "link", repeated)
    write_exclusively(tmp_path / "1", b"one")
    assert (tmp_path / "1").read_bytes() == b"one"


def test_a_file_system_that_cannot_sync_folders_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync = os.fsync

    def only_files(handle: int) -> None:
        if Path(f"/proc/self/fd/{handle}").readlink().is_dir():
            raise OSError(errno.EINVAL, "Invalid argument")
        sync(handle)

    monkeypatch.setattr(os, "fsync", only_files)
    FolderObjects(tmp_path).create("claims/1", b"1")
    assert FolderObjects(tmp_path).read("claims/1") == b"1"


def test_a_folder_that_cannot_be_listed_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = FolderObjects(tmp_path)
    objects.replace("claims/files/a", b"1")
    scandir = os.scandir

    def failing(path: str) -> object:
        if str(path).endswith("files"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", failing)
    with pytest.raises(StoreError, match="permission is denied"):
        objects.list_names("claims")
