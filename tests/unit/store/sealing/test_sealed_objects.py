"""Files under a seal: what no command wrote is refused, and what a command wrote never is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from sopforge.errors import StoreError
from sopforge.store.backends.folder import FolderObjects
from sopforge.store.objects import ExistsError
from sopforge.store.sealing.sealed_objects import SealedObjects
from tests.faults.dying_writers import Dying

BRIEF, DRAFT = "depot/briefs/0001/brief.yaml", "depot/briefs/0001/draft.md"
ENTRY, COURSE = "depot/decisions/000001.json", "depot/current.json"
MANIFEST = "depot/stages/sop/0001/manifest.json"


@pytest.fixture
def inner(tmp_path: Path) -> FolderObjects:
    return FolderObjects(tmp_path)


@pytest.fixture
def objects(inner: FolderObjects) -> SealedObjects:
    """Return objects of a domain with a brief, an entry of its log, a course and a version."""
    sealed = SealedObjects(inner)
    sealed.create_all("depot/briefs/0001", {"draft.md": b"", "brief.yaml": b"30"}, "brief.yaml")
    sealed.create(ENTRY, b"ada")
    sealed.replace(COURSE, b"sop 1")
    sealed.create(MANIFEST, b"{}")
    return sealed


def codes(act: Callable[[], object]) -> list[str]:
    try:
        act()
    except StoreError as refused:
        return [fault.code for fault in refused.faults]
    return []


def test_what_was_written_is_read_again_by_anybody(
    objects: SealedObjects, inner: FolderObjects
) -> None:
    for reader in (objects, SealedObjects(inner)):
        assert [reader.read(name) for name in (BRIEF, DRAFT, ENTRY)] == [b"30", b"", b"ada"]
        assert reader.find_faults("depot") == []
        assert reader.read("depot/briefs/0002/brief.yaml") is None


@pytest.mark.parametrize("name", [BRIEF, DRAFT, ENTRY, COURSE, MANIFEST])
def test_what_was_changed_by_hand_is_not_read(
    name: str, objects: SealedObjects, inner: FolderObjects
) -> None:
    inner.replace(name, b"eve")
    for reader in (objects, SealedObjects(inner)):
        assert codes(lambda: reader.read(name)) == ["seal-broken"]  # noqa: B023
        [fault] = reader.find_faults("depot")
        assert fault.where == f"{inner.place}/{name}"
        assert fault.message == "the file was changed after it was written"


@pytest.mark.parametrize("name", [BRIEF, ENTRY, COURSE])
def test_what_is_gone_is_missed(name: str, objects: SealedObjects, inner: FolderObjects) -> None:
    inner.delete(name)
    assert codes(lambda: objects.read(name)) == ["seal-broken"]
    assert [fault.message for fault in objects.find_faults("depot")] == ["the file is missing"]


def test_a_whole_folder_that_is_gone_is_missed_where_it_is_listed(
    objects: SealedObjects, inner: FolderObjects
) -> None:
    inner.drop_all("depot/briefs/0001", first="brief.yaml")
    inner.delete(ENTRY)
    for folder in ("briefs", "decisions"):
        assert "seal-broken" in codes(lambda: objects.list_children(f"depot/{folder}"))  # noqa: B023


def test_a_version_that_is_gone_may_be_made_again_but_is_reported(
    objects: SealedObjects, inner: FolderObjects
) -> None:
    inner.delete(MANIFEST)
    assert objects.read(MANIFEST) is None
    assert [fault.message for fault in objects.find_faults("depot")] == ["the file is missing"]
    objects.create(MANIFEST, b"{}")
    assert objects.find_faults("depot") == []


def test_what_nobody_announced_is_refused(objects: SealedObjects, inner: FolderObjects) -> None:
    inner.create("depot/decisions/000002.json", b"eve approves")
    assert codes(lambda: objects.read("depot/decisions/000002.json")) == ["seal-broken"]
    assert [fault.message for fault in objects.find_faults("depot")] == [
        "no command of SOPForge wrote this file"
    ]


def test_files_that_changed_places_are_refused(
    objects: SealedObjects, inner: FolderObjects
) -> None:
    objects.create("depot/decisions/000002.json", b"grace")
    inner.replace(ENTRY, b"grace")
    inner.replace("depot/decisions/000002.json", b"ada")
    assert len(objects.find_faults("depot")) == 2


def test_an_earlier_content_put_back_is_refused(
    objects: SealedObjects, inner: FolderObjects
) -> None:
    objects.replace(COURSE, b"sop 2")
    inner.replace(COURSE, b"sop 1")
    assert codes(lambda: objects.read(COURSE)) == ["seal-broken"]


def test_a_look_taken_anew_knows_no_seal_of_before(
    objects: SealedObjects, inner: FolderObjects
) -> None:
    reader = SealedObjects(inner)
    assert reader.read(COURSE) == b"sop 1"
    objects.replace(COURSE, b"sop 2")
    inner.replace(COURSE, b"sop 1")
    reader.forget_seals()
    assert codes(lambda: reader.read(COURSE)) == ["seal-broken"]


@pytest.mark.parametrize(
    "text", [b"", b"[]", b"{}", b'{"files": {}, "digest": ""}', b"\xff", b'{"files": 1}']
)
def test_a_seal_that_is_none_is_refused(
    text: bytes, objects: SealedObjects, inner: FolderObjects
) -> None:
    inner.replace("depot/seal.json", text)
    assert codes(lambda: SealedObjects(inner).read(BRIEF)) == ["store-damaged"]
    assert codes(lambda: objects.replace(COURSE, b"sop 2")) == ["store-damaged"]


def test_a_seal_of_another_domain_is_refused(objects: SealedObjects, inner: FolderObjects) -> None:
    objects.create("yard/briefs/0001/brief.yaml", b"30")
    inner.replace("yard/seal.json", inner.read("depot/seal.json") or b"")
    assert codes(lambda: SealedObjects(inner).read("yard/briefs/0001/brief.yaml")) == [
        "store-damaged"
    ]


def test_a_digest_changed_within_a_seal_is_refused(
    objects: SealedObjects, inner: FolderObjects
) -> None:
    seal = json.loads(inner.read("depot/seal.json") or b"")
    seal["files"]["current.json"] = ["0" * 64]
    inner.replace("depot/seal.json", json.dumps(seal).encode())
    assert codes(lambda: SealedObjects(inner).read(COURSE)) == ["store-damaged"]
    assert objects.place == inner.place


def test_a_domain_without_its_seal_is_neither_read_nor_written(
    objects: SealedObjects, inner: FolderObjects
) -> None:
    inner.delete("depot/seal.json")
    assert codes(lambda: SealedObjects(inner).read(BRIEF)) == ["seal-missing"]
    assert codes(lambda: objects.replace(COURSE, b"sop 2")) == ["seal-missing"]
    assert inner.read(COURSE) == b"sop 1"


def test_what_is_accepted_is_read_from_then_on(
    objects: SealedObjects, inner: FolderObjects
) -> None:
    inner.replace(BRIEF, b"31")
    inner.delete(COURSE)
    objects.seal_anew("depot")
    assert (objects.read(BRIEF), objects.read(COURSE)) == (b"31", None)
    assert SealedObjects(inner).find_faults("depot") == []


@pytest.mark.parametrize("write", range(7))
def test_a_writer_that_dies_leaves_nothing_that_looks_forged(
    write: int, objects: SealedObjects, inner: FolderObjects
) -> None:
    dying = SealedObjects(Dying(inner.root, write))

    def write_three() -> None:
        with dying.hold_lock("depot"):
            dying.create("depot/decisions/000002.json", b"grace")
            dying.replace(COURSE, b"sop 2")
            dying.replace(COURSE, b"sop 3")

    with pytest.raises(KeyboardInterrupt):
        write_three()

    after = SealedObjects(inner)
    assert after.find_faults("depot") == []
    assert objects.find_faults("depot") == []
    if "000002.json" not in after.list_children("depot/decisions"):
        after.create("depot/decisions/000002.json", b"hopper")
    after.replace(COURSE, b"sop 4")
    assert after.find_faults("depot") == []
    assert after.read(COURSE) == b"sop 4"


def test_what_was_written_before_a_kill_is_missed_once_somebody_has_had_the_lock(
    objects: SealedObjects, inner: FolderObjects
) -> None:
    second = "depot/decisions/000002.json"
    with pytest.raises(KeyboardInterrupt):
        SealedObjects(Dying(inner.root, 2)).create(second, b"grace")
    # Once by a write of something else, and once by a look alone.
    objects.replace(COURSE, b"sop 2")
    with pytest.raises(KeyboardInterrupt):
        SealedObjects(Dying(inner.root, 2)).replace(COURSE, b"sop 3")
    with objects.hold_lock("depot"):
        assert objects.read(COURSE) == b"sop 3"

    inner.delete(second)
    inner.replace(COURSE, b"sop 2")

    assert [fault.where for fault in SealedObjects(inner).find_faults("depot")] == [
        f"{inner.place}/{COURSE}",
        f"{inner.place}/{second}",
    ]


def test_of_what_was_announced_and_not_written_nothing_else_is_taken(
    objects: SealedObjects, inner: FolderObjects
) -> None:
    with pytest.raises(KeyboardInterrupt):
        SealedObjects(Dying(inner.root, 1)).create("depot/decisions/000002.json", b"grace")
    assert objects.find_faults("depot") == []
    inner.create("depot/decisions/000002.json", b"eve")
    assert codes(lambda: objects.read("depot/decisions/000002.json")) == ["seal-broken"]


def test_what_was_written_by_another_first_stays_sealed(
    objects: SealedObjects, inner: FolderObjects
) -> None:
    with pytest.raises(ExistsError):
        objects.create(ENTRY, b"grace")
    assert objects.read(ENTRY) == b"ada"
    sealed = json.loads(inner.read("depot/seal.json") or b"")["files"]["decisions/000001.json"]
    assert len(sealed) == 1


def test_readers_never_meet_a_write_half_sealed(
    objects: SealedObjects, inner: FolderObjects
) -> None:
    refused = list[str]()

    def read() -> None:
        reader = SealedObjects(inner)
        for _ in range(300):
            refused.extend(codes(lambda: reader.read(COURSE)))

    readers = [Thread(target=read) for _ in range(3)]
    for thread in readers:
        thread.start()
    for number in range(40):
        objects.replace(COURSE, b"sop %d" % number)
    for thread in readers:
        thread.join()
    assert refused == []


def test_what_is_under_no_seal_is_left_alone(objects: SealedObjects, inner: FolderObjects) -> None:
    before = inner.read("depot/seal.json")
    objects.append("depot/calls.jsonl", b"{}\n")
    objects.create("depot/words/abc.txt", b"more")
    objects.create("store.json", b"{}")
    assert inner.read("depot/seal.json") == before
    assert objects.read("depot/calls.jsonl") == b"{}\n"
