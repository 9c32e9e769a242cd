from __future__ import annotations

import json
from pathlib import Path

import pytest

from sopforge.errors import StoreError
from sopforge.store.backends.folder import FolderObjects
from sopforge.store.format import FORMAT, mark_format, refuse_other
from sopforge.store.objects import ExistsError, Objects
from sopforge.store.opening import open_store
from sopforge.store.versions import Store


@pytest.fixture
def objects(tmp_path: Path) -> Objects:
    return FolderObjects(tmp_path / "store")


def test_a_store_says_its_format_once_it_is_written_to(objects: Objects) -> None:
    store = Store(objects)
    assert objects.read("store.json") is None
    with store.get_domain("depot").lock():
        assert json.loads(objects.read("store.json") or b"") == {"format": FORMAT}


def test_reading_writes_nothing(tmp_path: Path) -> None:
    store = open_store(tmp_path / "store")
    assert store.list_domains() == []
    assert not (tmp_path / "store").exists()


class JustBegun(FolderObjects):
    """A store that another process begins between two steps of this one."""

    format = FORMAT

    def create(self, name: str, data: bytes) -> None:
        assert data
        self.replace("store.json", json.dumps({"format": self.format}).encode())
        raise ExistsError(name)


def test_two_may_begin_a_store_at_once(tmp_path: Path) -> None:
    objects = JustBegun(tmp_path / "store")
    mark_format(objects)
    assert json.loads(objects.read("store.json") or b"") == {"format": FORMAT}


def test_a_store_that_another_program_began_meanwhile_is_refused(tmp_path: Path) -> None:
    objects = JustBegun(tmp_path / "store")
    objects.format = FORMAT + 1
    with pytest.raises(StoreError) as caught:
        mark_format(objects)
    assert caught.value.faults[0].code == "store-format"


@pytest.mark.parametrize("number", [FORMAT + 1, 99])
def test_another_format_is_refused_before_anything_is_written(
    objects: Objects, number: int
) -> None:
    objects.replace("store.json", json.dumps({"format": number, "more": []}).encode())
    for touch in (refuse_other, mark_format):
        with pytest.raises(StoreError) as caught:
            touch(objects)
        (fault,) = caught.value.faults
        assert fault.code == "store-format"
        assert fault.message == f"the store is in format {number}; this SOPForge reads format 1"
        assert fault.hint.startswith("use the SOPForge version that wrote it")
    with pytest.raises(StoreError), Store(objects).get_domain("depot").lock():
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
