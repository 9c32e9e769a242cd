"""Both places of a store keep the same promises: a local folder, and S3 over HTTP."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

import pytest

from sopforge.errors import StoreError
from sopforge.store.backends.bucket import BucketObjects
from sopforge.store.backends.folder import FolderObjects
from sopforge.store.objects import ExistsError, Objects, read_text
from tests.servers.s3_service import S3Service

Open: TypeAlias = Callable[[], Objects]


@pytest.fixture(params=["folder", "bucket"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Return a function that opens one place, each time as another process would."""
    if request.param == "folder":
        return lambda: FolderObjects(tmp_path / "store", lock_seconds=0.5)
    url, prefix = request.getfixturevalue("s3"), tmp_path.name
    return lambda: BucketObjects("sops", prefix, url, lease_seconds=0.6, wait_seconds=0.5)


def test_what_is_kept_can_be_read_and_listed(opened: Open) -> None:
    objects = opened()
    assert objects.read("a/x.json") is None
    assert objects.list_names("") == objects.list_children("") == objects.list_names("a") == []
    objects.replace("a/x.json", b"1")
    objects.replace("a/b/y", "grüße\r\n".encode())
    objects.replace("ab/z", b"")
    assert opened().read("a/x.json") == b"1"
    assert read_text(opened(), "a/b/y") == "grüße\r\n"
    assert objects.list_names("") == ["a/b/y", "a/x.json", "ab/z"]
    assert objects.list_names("a") == ["a/b/y", "a/x.json"]
    assert objects.list_children("a") == ["b", "x.json"]
    assert objects.list_children("") == ["a", "ab"]


def test_nothing_is_below_what_holds_bytes(opened: Open) -> None:
    objects = opened()
    objects.replace("notes.yaml", b"1")
    assert (
        objects.list_children("notes.yaml/stages") == objects.list_names("notes.yaml/stages") == []
    )
    assert objects.read("notes.yaml/stages") is None


def test_the_own_parts_of_a_place_are_listed_by_their_name_alone(opened: Open) -> None:
    objects = opened()
    objects.replace(".answers/ab/k", b"1")
    assert objects.list_names("") == objects.list_children("") == []
    assert objects.list_names(".answers") == [".answers/ab/k"]


def test_what_is_replaced_or_deleted_is_gone(opened: Open) -> None:
    objects = opened()
    objects.replace("a", b"long before")
    objects.replace("a", b"now")
    assert objects.read("a") == b"now"
    objects.delete("a")
    objects.delete("a")
    assert objects.read("a") is None


def test_only_one_of_many_creates(opened: Open) -> None:
    def created(number: int) -> bool:
        try:
            opened().create("d/000001.json", f"{number}".encode())
        except ExistsError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(created, range(16)))
    assert sum(won) == 1
    assert opened().read("d/000001.json") == f"{won.index(True)}".encode()


def test_equal_bytes_of_two_writers_are_still_one_creation(opened: Open) -> None:
    opened().create("d/1", b"same")
    with pytest.raises(ExistsError):
        opened().create("d/1", b"same")


def test_several_are_there_once_the_last_is(opened: Open) -> None:
    objects = opened()
    files = {"files/a.txt": b"a", "files/b/c.txt": b"c", "manifest.json": b"{}"}
    objects.create_all("v/0001", files, last="manifest.json")
    assert {name: objects.read(f"v/0001/{name}") for name in files} == files
    with pytest.raises(ExistsError):
        objects.create_all("v/0001", {**files, "files/a.txt": b"other"}, last="manifest.json")
    assert objects.read("v/0001/files/a.txt") == b"a"


def test_what_a_dead_process_left_is_cleared_away(opened: Open) -> None:
    objects = opened()
    objects.replace("v/0001/files/old.txt", b"half")
    files = {"files/a.txt": b"a", "manifest.json": b"{}"}
    objects.create_all("v/0001", files, last="manifest.json")
    assert objects.list_names("v/0001") == ["v/0001/files/a.txt", "v/0001/manifest.json"]


def test_sizes_are_those_of_what_is_kept(opened: Open) -> None:
    objects = opened()
    objects.replace("a/x", b"four")
    objects.replace("a/b/y", b"")
    objects.replace("a/.hidden", b"1")
    objects.replace("ab/z", b"1")
    assert objects.map_sizes("a") == {"a/b/y": 0, "a/x": 4}
    assert objects.map_sizes("nowhere") == {}


def test_all_below_a_prefix_is_dropped_and_nothing_beside_it(opened: Open) -> None:
    objects = opened()
    for name in ("v/0001/manifest.json", "v/0001/files/a/b.txt", "v/0001/.new", "v/00010/x"):
        objects.replace(name, b"1")
    objects.drop_all("v/0001", first="manifest.json")
    objects.drop_all("v/0001", first="manifest.json")
    assert objects.list_names("v") == ["v/00010/x"]
    assert objects.list_children("v") == ["00010"]


def test_a_lease_that_ran_out_long_ago_is_dropped(service: S3Service, tmp_path: Path) -> None:
    objects = BucketObjects("sops", tmp_path.name, service.url)
    for name, age in (("d/.old.lock", 3700), ("d/.late.lock", 60), ("e/.old.lock", 3700)):
        objects.replace(name, b"{}")
        service.age(f"{tmp_path.name}/{name}", age)
    objects.replace("d/old", b"no lease")
    service.age(f"{tmp_path.name}/d/old", 3700)

    trial = objects.drop_left("d", is_trial=True)
    assert objects.drop_left("d") == trial

    assert trial == {"d/.old.lock": 2}
    assert all(objects.read(name) is not None for name in ("d/.late.lock", "d/old"))
    assert objects.read("d/.old.lock") is None
    assert list(objects.drop_left("")) == ["e/.old.lock"]


def test_a_link_does_not_lead_out_of_a_folder(tmp_path: Path) -> None:
    objects = FolderObjects(tmp_path / "store")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x").write_text("not ours")
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "link").symlink_to(tmp_path / "outside")
    objects.replace("own/x", b"1")
    assert objects.list_names("") == ["own/x"]
    for name in ("link/x", "../outside/x", "own/../../outside/x", str(tmp_path / "outside")):
        for work in (
            objects.read,
            objects.delete,
            lambda name: objects.replace(name, b"1"),
            lambda name: objects.create(name, b"1"),
            lambda name: objects.append(name, b"1"),
            lambda name: objects.create_all(name, {"a": b""}, last="a"),
            lambda name: objects.drop_all(name, first="a"),
            lambda name: objects.hold_lock(name).__enter__(),
        ):
            with pytest.raises(StoreError, match="it is a link that leads out of the store"):
                work(name)
    assert (tmp_path / "outside" / "x").read_text() == "not ours"
    assert [path.name for path in (tmp_path / "outside").iterdir()] == ["x"]


def test_a_store_may_itself_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "store").symlink_to(tmp_path / "disk")
    FolderObjects(tmp_path / "store").replace("a/x", b"1")
    assert (tmp_path / "disk" / "a" / "x").read_bytes() == b"1"


def test_lines_of_many_writers_are_all_kept(opened: Open) -> None:
    def write(number: int) -> None:
        objects = opened()
        for line in range(4):
            objects.append("log", f"{number} {line}\n".encode())

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    lines = read_text(opened(), "log").splitlines()
    assert sorted(lines) == sorted(f"{number} {line}" for number in range(4) for line in range(4))


def test_a_lock_keeps_others_out_until_it_is_dropped(opened: Open) -> None:
    with opened().hold_lock("claims"):
        with (
            pytest.raises(StoreError, match="another run is working on 'claims'"),
            opened().hold_lock("claims"),
        ):
            pytest.fail("let in")
        with opened().hold_lock("orders"):
            pass
    with opened().hold_lock("claims"):
        pass


def test_a_lock_is_held_for_longer_than_a_lease(opened: Open) -> None:
    with opened().hold_lock("claims"):
        time.sleep(1)
        with pytest.raises(StoreError), opened().hold_lock("claims"):
            pytest.fail("let in")


HOLD = """
import json, sys, time
from pathlib import Path
from sopforge.store.backends.bucket import BucketObjects
from sopforge.store.backends.folder import FolderObjects
kind, place, url = sys.argv[1:]
objects = (
    FolderObjects(Path(place))
    if kind == "folder"
    else BucketObjects("sops", place, url, lease_seconds=0.6)
)
with objects.hold_lock("claims"):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("kind", ["folder", "bucket"])
def test_the_lock_of_a_killed_process_is_taken_over(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("s3")
    place = str(tmp_path / "store") if kind == "folder" else tmp_path.name
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, kind, place, url], stdout=subprocess.PIPE, env=os.environ
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    holder.kill()
    holder.wait()
    holder.stdout.close()
    objects: Objects = (
        FolderObjects(Path(place))
        if kind == "folder"
        else BucketObjects("sops", place, url, wait_seconds=5)
    )
    with objects.hold_lock("claims"):
        pass


def test_a_taken_over_lock_is_not_dropped_by_its_former_holder(s3: str, tmp_path: Path) -> None:
    former = BucketObjects("sops", tmp_path.name, s3)
    name = ".claims.lock"
    with former.hold_lock("claims"):
        # Another took the lock over while this process was held up.
        other = json.dumps({"owner": "another", "until": time.time() + 60}).encode()
        former.replace(name, other)
    assert former.read(name) == other


def test_a_bucket_that_is_missing_is_reported(s3: str) -> None:
    with pytest.raises(StoreError, match="S3 refused: NoSuchBucket") as caught:
        BucketObjects("nowhere", "x", s3).replace("a", b"1")
    assert caught.value.faults[0].where == "s3://nowhere/x/a"
    assert caught.value.faults[0].hint == "create the bucket first, or name another one"


def test_a_service_that_does_not_answer_is_reported(s3: str) -> None:
    del s3
    with pytest.raises(StoreError, match="S3 cannot be reached"):
        BucketObjects("sops", "x", "http://127.0.0.1:9").read("a")


def test_a_path_through_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StoreError, match="a part of the path is a file"):
        FolderObjects(tmp_path / "file").replace("a", b"1")


def test_what_a_holder_notes_is_there_as_long_as_it_holds_the_lock(opened: Open) -> None:
    holder = opened()
    holder.note_holder("claims/run", "not held yet")
    assert opened().read_holder("claims/run") is None
    with holder.hold_lock("claims/run"):
        assert opened().read_holder("claims/run") == ""
        opened().note_holder("claims/run", "another's")
        for note in ("goals 7 of 120: grüße", "done"):
            holder.note_holder("claims/run", note)
            _wait_for_note(opened, note)
        assert opened().is_locked("claims/run")
        with pytest.raises(StoreError), opened().hold_lock("claims/run", wait=0):
            pass
        assert opened().read_holder("claims/run") == "done"
    assert opened().read_holder("claims/run") is None
    with opened().hold_lock("claims/run"):
        assert opened().read_holder("claims/run") == ""


def test_to_ask_for_a_lock_makes_nothing_and_keeps_nobody_out(tmp_path: Path) -> None:
    place = tmp_path / "store"
    assert not FolderObjects(place).is_locked("claims")
    assert FolderObjects(place).read_holder("claims/run") is None
    assert not place.exists()
    with FolderObjects(place).hold_lock("claims"):
        pass
    with (place / ".claims.lock").open("rb") as asked:
        # As another who asks at this very moment.
        fcntl.flock(asked, fcntl.LOCK_SH)
        assert not FolderObjects(place).is_locked("claims")


def _wait_for_note(opened: Open, note: str) -> None:
    for _ in range(400):
        if opened().read_holder("claims/run") == note:
            return
        time.sleep(0.02)
    pytest.fail("it does not come to hold")


def test_whoever_asks_for_a_lock_learns_of_one_that_is_held(opened: Open) -> None:
    assert not opened().is_locked("claims")
    with opened().hold_lock("claims"):
        assert opened().is_locked("claims")
    assert not opened().is_locked("claims")
