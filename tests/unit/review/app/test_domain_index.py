"""The list of domains is as fresh as is cheap, and says while it is incomplete."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from review.reading import domain_index
from review.reading.domain_index import DomainIndex
from sopforge.errors import Fault, StoreError
from sopforge.store.opening import open_store
from sopforge.store.overview import Next, Overview, Phase
from sopforge.store.versions import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = open_store(tmp_path)
    for name in ("one", "two"):
        made.objects.create(f"{name}/briefs/0001/brief.yaml", b"domain: x")
    return made


def names(index: DomainIndex) -> list[str]:
    return [row.domain for row in index.list_domains().rows]


def test_folders_of_something_else_are_no_domains(store: Store) -> None:
    store.objects.create("notes/readme.txt", b"x")
    store.objects.create("Upper/briefs/0001/brief.yaml", b"x")
    store.objects.create("lost+found", b"x")

    assert names(DomainIndex(store)) == ["one", "two"]


def test_a_new_domain_is_there_at_the_next_look(store: Store) -> None:
    now = [0.0]
    index = DomainIndex(store, lambda: now[0])
    assert names(index) == ["one", "two"]
    store.objects.create("three/briefs/0001/brief.yaml", b"domain: x")
    assert names(index) == ["one", "two"]

    now[0] = 10.0

    assert names(index) == ["one", "three", "two"]


def test_what_takes_long_is_read_seldom_and_in_the_background(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, going = [0.0], threading.Event()

    def slow(store: Store) -> Iterator[Overview]:
        for name in store.objects.list_children(""):
            going.wait(30)
            now[0] += 5.0
            yield Overview(name, Next.DECIDE)

    monkeypatch.setattr(domain_index, "iterate_overviews", slow)
    monkeypatch.setattr(domain_index, "_PATIENCE_SECONDS", 0.01)
    index = DomainIndex(store, lambda: now[0])
    first = index.list_domains()
    assert (first.rows, first.is_complete) == ((), False)
    going.set()
    assert index._reader is not None  # noqa: SLF001 - what is read in the background
    index._reader.join()  # noqa: SLF001
    assert index.list_domains().is_complete

    now[0] += 50
    reader = index._reader  # noqa: SLF001
    assert index.list_domains().age == 50
    assert index._reader is reader  # noqa: SLF001


def test_one_row_is_read_anew_at_once(store: Store) -> None:
    now = [0.0]
    index = DomainIndex(store, lambda: now[0])
    assert names(index) == ["one", "two"]
    store.objects.replace("one/pending.json", b"[")

    assert index.refresh("one").phase is Phase.BROKEN
    assert [row.phase for row in index.list_domains().rows] == [Phase.BROKEN, Phase.BEGUN]


def test_a_store_that_is_away_is_reported_until_it_is_back(store: Store) -> None:
    class Away:
        is_away = True

        def list_children(self, prefix: str) -> list[str]:
            if self.is_away:
                raise StoreError(Fault("store-unusable", "it does not answer", "s3://sops"))
            return store.objects.list_children(prefix)

        def __getattr__(self, name: str) -> object:
            return getattr(store.objects, name)

    away = Away()
    index = DomainIndex(Store(away))  # type: ignore[arg-type]
    with pytest.raises(StoreError, match="store-unusable"):
        index.list_domains()

    away.is_away = False

    assert names(index) == ["one", "two"]
