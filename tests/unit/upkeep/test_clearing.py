from __future__ import annotations

import json
import os
import time
from collections import Counter
from pathlib import Path

import pytest

from sopforge.errors import StoreError
from sopforge.pipeline.upkeep.clearing import (
    UnneededKind,
    clear,
    drop_leftovers,
    drop_unused_answers,
    find_unneeded,
    survey,
)
from sopforge.pipeline.upkeep.damage import find_damage
from sopforge.store.backends.folder import FolderObjects
from sopforge.store.objects import Objects
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.worlds.histories import DOMAIN, History, history, quiet

HISTORIES, SOME = 24, 8


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "store")


def everything_else(objects: Objects) -> dict[str, bytes | None]:
    names = objects.list_names(DOMAIN)
    kept = [name for name in names if "/stages/" not in name and "0900" not in name]
    others = [name for name in kept if not name.endswith("/seal.json")]
    return {name: objects.read(name) for name in others if "/9.0.0/" not in name}


def check_cleared(store: Store, made: History) -> tuple[int, int]:
    """Clear a store, hold what is left against the history; return how many stayed and went."""
    needed, before = made.needed, [version.name for version in made.versions]
    others = everything_else(store.objects)
    trial = find_unneeded(store.get_domain(DOMAIN))
    assert [version.name for version in made.versions] == before, "a trial drops nothing"

    dropped = clear(store.get_domain(DOMAIN))

    assert dropped == trial
    gone = {item.name for item in dropped if item.kind is UnneededKind.VERSION}
    assert gone == set(before) - needed
    assert {version.name for version in made.versions} == needed
    assert all(version.is_intact for version in made.versions)
    assert everything_else(store.objects) == others
    assert not [name for name in store.objects.list_names(DOMAIN) if name.endswith("half.txt")]
    assert find_unneeded(store.get_domain(DOMAIN)) == []
    return len(needed), len(gone)


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_what_is_needed_stays_and_nothing_else(seed: int, store: Store) -> None:
    check_cleared(store, history(store, seed))
    assert find_damage(store.get_domain(DOMAIN)) == []


def test_the_histories_have_something_to_keep_and_to_drop(tmp_path: Path) -> None:
    kinds = Counter[str]()
    for seed in range(SOME):
        store = open_store(tmp_path / str(seed))
        made = history(store, seed)
        kinds.update(item.kind for item in find_unneeded(store.get_domain(DOMAIN)))
        reasons = {"decided": made.decided, "released": made.released, "waiting": made.waiting}
        alone = made.needed - set(made.led_to)
        kinds.update([name for name, found in reasons.items() if found and alone])
    assert kinds[UnneededKind.VERSION] > SOME
    assert (
        min(kinds[kind] for kind in (UnneededKind.UNFINISHED, "decided", "released", "waiting")) > 1
    )


def test_versions_that_pending_names_in_any_form_stay(store: Store) -> None:
    made = quiet(store)
    made.run(30, 3)
    made.run(40, 1)
    schema, ahead = made.versions[1], made.versions[2]
    pending = {
        "stage": "schema",
        "key": schema.manifest.key,
        "content": schema.manifest.content,
        "ahead": {"sop": ahead.manifest.key},
    }
    store.objects.replace(f"{DOMAIN}/pending.json", json.dumps(pending).encode())

    clear(store.get_domain(DOMAIN))

    assert {version.name for version in made.versions} == {schema.name, ahead.name}


def test_a_damaged_domain_is_left_alone(store: Store) -> None:
    made = quiet(store)
    made.run(30, 2)
    made.run(40, 1)
    store.objects.replace(f"{DOMAIN}/decisions/000001.json", b"{")
    before = store.objects.list_names(DOMAIN)

    found = survey(store, [DOMAIN], is_trial=False)

    assert found.found == ()
    assert [fault.code for fault in found.faults] == ["audit-log-broken"]
    assert store.objects.list_names(DOMAIN) == before


def test_nothing_is_dropped_while_another_run_works(store: Store) -> None:
    quiet(store).run(30, 2)
    with store.get_domain(DOMAIN).lock(), pytest.raises(StoreError, match="another run is working"):
        clear(Store(FolderObjects(Path(store.place), lock_seconds=0.05)).get_domain(DOMAIN))


def test_only_what_was_left_long_ago_is_cleared(store: Store) -> None:
    root = Path(store.place)
    left = root / "depot" / "stages" / "sop" / ".new-abcdefgh"
    left.mkdir(parents=True)
    (left / "half.txt").write_text("half")
    old, new = root / "depot" / ".pending.json.abcdefgh", root / ".pending.json.hgfedcba"
    own, lock = root / "depot" / ".notes.markdown", root / ".depot.lock"
    for path in (old, new, own, lock):
        path.write_text("x")
    for path in (left, old, own, lock):
        os.utime(path, (time.time() - 3700,) * 2)

    trial = drop_leftovers(store, "", is_trial=True)
    assert drop_leftovers(store, "depot", is_trial=False) == trial

    assert {item.name: item.size for item in trial} == {
        "depot/.pending.json.abcdefgh": 1,
        "depot/stages/sop/.new-abcdefgh": 4,
    }
    assert (left.exists(), old.exists()) == (False, False)
    assert (new.exists(), own.exists(), lock.exists()) == (True, True, True)


def test_answers_that_a_log_mentions_stay(store: Store) -> None:
    objects = store.objects
    for key in ("aa1", "aa2", "bb1"):
        objects.replace(f".completions/{key[:2]}/{key}.json", b"answer")
    objects.append("depot/calls.jsonl", b'{"event": "asked", "call": 1, "key": "aa1"}\n')
    objects.append("depot/calls.jsonl", b'{"event": "ans')

    trial = drop_unused_answers(objects, is_trial=True)
    assert len(objects.list_names(".completions")) == 3
    assert drop_unused_answers(objects, is_trial=False) == trial

    assert [item.name for item in trial] == [
        ".completions/aa/aa2.json",
        ".completions/bb/bb1.json",
    ]
    assert objects.list_names(".completions") == [".completions/aa/aa1.json"]
