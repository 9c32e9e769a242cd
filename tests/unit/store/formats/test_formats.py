from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from sopforge.errors import MaterialError, SopForgeError, StoreError
from sopforge.store.backends.folder import FolderObjects
from sopforge.store.digests import is_as_written
from sopforge.store.formats.formats import FORMAT, mark_format, migrate, refuse_other
from sopforge.store.objects import Objects
from sopforge.store.opening import open_store
from sopforge.store.sealing.seals import seal_domain
from sopforge.store.versions import Store


@pytest.fixture
def objects(tmp_path: Path) -> Objects:
    return FolderObjects(tmp_path / "store")


def in_format_1(objects: Objects, domain: str = "depot", brief: bytes = b"old") -> None:
    objects.replace(f"{domain}/brief/brief.yaml", brief)
    objects.replace(f"{domain}/brief/draft.md", b"draft")
    objects.replace(f"{domain}/.lock", b"")
    objects.replace(f"{domain}/stages/schema/0001/manifest.json", b"{}")
    objects.replace(".completions/.locks/ab.lock", b"")


def test_a_store_says_its_format_once_it_is_written_to(objects: Objects) -> None:
    store = Store(objects)
    assert objects.read("store.json") is None
    with store.lock_domain("depot"):
        assert json.loads(objects.read("store.json") or b"") == {"format": FORMAT}


def test_reading_writes_nothing(tmp_path: Path) -> None:
    store = open_store(tmp_path / "store")
    assert store.list_domains() == []
    assert not (tmp_path / "store").exists()


def test_a_store_that_says_nothing_and_is_not_older_is_taken_as_it_is(objects: Objects) -> None:
    objects.replace("depot/briefs/0001/brief.yaml", b"brief")
    seal_domain(objects, "depot")
    refuse_other(objects)
    assert migrate(objects) == FORMAT
    assert objects.read("store.json") is None
    mark_format(objects)
    assert json.loads(objects.read("store.json") or b"") == {"format": FORMAT}


def test_a_store_of_format_2_is_sealed_as_it_is(objects: Objects) -> None:
    objects.replace("store.json", b'{"format": 2}')
    objects.replace("depot/briefs/0001/brief.yaml", b"brief")
    objects.replace("depot/calls.jsonl", b"")
    with pytest.raises(StoreError):
        open_store(objects.place)

    assert migrate(objects) == 2

    assert json.loads(objects.read("store.json") or b"") == {"format": 3}
    sealed = json.loads(objects.read("depot/seal.json") or b"")["files"]
    assert sealed == {"briefs/0001/brief.yaml": [sha256(b"brief").hexdigest()]}
    assert open_store(objects.place).objects.find_faults("depot") == []


def test_answers_of_format_2_hold_their_digest_from_then_on(objects: Objects) -> None:
    objects.replace("store.json", b'{"format": 2}')
    objects.replace(
        ".completions/ab/abc.json", b'{"format": 1, "question": {}, "completion": "Graz"}'
    )
    migrate(objects)
    entry = json.loads(objects.read(".completions/ab/abc.json") or b"")
    assert (entry["format"], entry["key"], entry["completion"]) == (2, "abc", "Graz")
    assert is_as_written(entry)
    migrated = objects.read(".completions/ab/abc.json")
    assert migrate(objects) == FORMAT
    assert objects.read(".completions/ab/abc.json") == migrated


def test_a_store_of_format_2_that_does_not_say_it_is_known_by_its_lack_of_seals(
    objects: Objects,
) -> None:
    objects.replace("depot/briefs/0001/brief.yaml", b"brief")
    assert migrate(objects) == 2
    assert objects.read("depot/seal.json") is not None


class JustBegun(FolderObjects):
    """A store that another process begins between two reads of this one."""

    def list_children(self, prefix: str) -> list[str]:
        if self.read("store.json") is None:
            self.replace("store.json", json.dumps({"format": FORMAT}).encode())
            self.replace("depot/briefs/0001/brief.yaml", b"brief")
        return super().list_children(prefix)


@pytest.mark.parametrize(
    ("touch", "result"), [(refuse_other, None), (mark_format, None), (migrate, FORMAT)]
)
def test_a_domain_half_written_by_another_is_not_taken_for_an_older_format(
    tmp_path: Path, touch: Callable[[Objects], object], result: object
) -> None:
    objects = JustBegun(tmp_path / "store")
    assert touch(objects) == result
    assert objects.list_names("depot") == ["depot/briefs/0001/brief.yaml"]


@pytest.mark.parametrize("number", [FORMAT + 1, 99])
def test_a_newer_format_is_refused_before_anything_is_written(
    objects: Objects, number: int
) -> None:
    objects.replace("store.json", json.dumps({"format": number, "more": []}).encode())
    for touch in (refuse_other, mark_format, migrate):
        with pytest.raises(StoreError) as caught:
            touch(objects)
        (fault,) = caught.value.faults
        assert fault.code == "store-newer"
        assert (
            fault.message == f"the store is in format {number}; this SOPForge reads formats up to 3"
        )
        assert fault.hint == "use a newer SOPForge; this one has read and written nothing"
    with pytest.raises(StoreError), Store(objects).lock_domain("depot"):
        pytest.fail("let in")
    assert objects.list_names("") == ["store.json"]


@pytest.mark.parametrize(
    "text",
    [b"", b"2", b"[]", b"{}", b'{"format": "2"}', b'{"format": true}', b'{"format": 0}', b"\xff"],
)
def test_a_marker_that_says_no_format_is_reported(objects: Objects, text: bytes) -> None:
    objects.replace("store.json", text)
    with pytest.raises(StoreError) as caught:
        refuse_other(objects)
    assert caught.value.faults[0].code == "store-damaged"
    assert caught.value.faults[0].where.endswith("/store.json")


def test_an_older_store_is_refused_with_how_to_migrate_it(objects: Objects) -> None:
    in_format_1(objects)
    with pytest.raises(StoreError) as caught:
        open_store(objects.place)
    (fault,) = caught.value.faults
    assert fault.code == "store-older"
    assert fault.message == "the store is in format 1; this SOPForge reads format 3"
    assert fault.hint.endswith(f"sopforge migrate --store {objects.place}")


def test_an_older_store_is_not_marked_as_if_it_were_not(objects: Objects) -> None:
    in_format_1(objects)
    with pytest.raises(StoreError), Store(objects).lock_domain("depot"):
        pytest.fail("let in")
    assert objects.read("store.json") is None


def test_the_brief_of_format_1_is_the_first_of_format_2(objects: Objects) -> None:
    in_format_1(objects)
    in_format_1(objects, "yard", b"other")
    assert migrate(objects) == 1
    assert objects.list_names("") == [
        "depot/briefs/0001/brief.yaml",
        "depot/briefs/0001/draft.md",
        "depot/seal.json",
        "depot/stages/schema/0001/manifest.json",
        "store.json",
        "yard/briefs/0001/brief.yaml",
        "yard/briefs/0001/draft.md",
        "yard/seal.json",
        "yard/stages/schema/0001/manifest.json",
    ]
    assert objects.read("yard/briefs/0001/brief.yaml") == b"other"
    assert objects.read("depot/briefs/0001/draft.md") == b"draft"
    assert not (Path(objects.place) / "depot" / "brief").exists()
    assert not (Path(objects.place) / "depot" / ".lock").exists()
    assert objects.list_names(".completions/.locks") == []
    assert json.loads(objects.read("store.json") or b"") == {"format": FORMAT}
    assert migrate(objects) == FORMAT


def test_a_brief_of_format_1_stays_after_those_that_a_later_program_kept(
    objects: Objects,
) -> None:
    in_format_1(objects)
    objects.replace("depot/briefs/0001/brief.yaml", b"later")
    objects.replace("depot/briefs/0001/draft.md", b"")
    migrate(objects)
    assert objects.list_children("depot/briefs") == ["0000", "0001"]
    assert objects.read("depot/briefs/0000/brief.yaml") == b"old"
    assert objects.read("depot/briefs/0001/brief.yaml") == b"later"


def test_a_brief_that_is_kept_already_is_not_kept_twice(objects: Objects) -> None:
    in_format_1(objects)
    objects.replace("depot/briefs/0001/brief.yaml", b"old")
    objects.replace("depot/briefs/0001/draft.md", b"draft")
    migrate(objects)
    assert objects.list_children("depot/briefs") == ["0001"]


def test_a_domain_of_format_1_without_a_draft_is_migrated(objects: Objects) -> None:
    objects.replace("depot/brief/brief.yaml", b"old")
    migrate(objects)
    assert objects.read("depot/briefs/0001/draft.md") == b""


@pytest.mark.parametrize("place", ["", "a\0b", "gs://x", "s3://"])
def test_what_is_no_place_is_refused(place: str) -> None:
    with pytest.raises(MaterialError) as caught:
        open_store(place)
    assert caught.value.faults[0].code == "store-place"


@pytest.mark.parametrize("inside", ["", "/deep/in"])
def test_a_file_is_no_store(inside: str, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(SopForgeError) as caught:
        open_store(f"{tmp_path / 'notes'}{inside}")
    assert caught.value.faults[0].message == f"'{tmp_path / 'notes'}' is a file"
