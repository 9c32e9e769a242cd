"""A lock on S3 is taken over from whom it was not renewed by, whatever the machines' clocks say."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from hashlib import md5

import pytest

from sopforge.errors import Fault, StoreError
from sopforge.store.backends.lease import Lease

LOCK = ".claims.lock"
SECONDS = 0.6
AHEAD, LATE = 1e9, -1e9


class Things:
    """Objects in memory, with conditions as S3 has them; they may be out of reach."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[bytes, str]] = {}
        self.is_out = False

    def read_tagged(self, name: str) -> tuple[bytes, str] | None:
        self._refuse()
        found = self.kept.get(name)
        return found and (found[0], md5(found[0], usedforsecurity=False).hexdigest())

    def put_if(self, name: str, data: bytes, writer: str, **condition: str) -> bool:
        found = self.read_tagged(name)
        holds = found is None if "IfNoneMatch" in condition else bool(found)
        if found and "IfMatch" in condition:
            holds = found[1] == condition["IfMatch"]
        if holds:
            self.kept[name] = data, writer
        return holds

    def delete_if(self, name: str, tag: str) -> None:
        found = self.read_tagged(name)
        if found and found[1] == tag:
            del self.kept[name]

    def leave(self, lock: object) -> None:
        """Keep what a dead process left as its lock."""
        self.kept[LOCK] = json.dumps(lock).encode(), "dead"

    def _refuse(self) -> None:
        if self.is_out:
            raise StoreError(Fault("store-unusable", "out of reach"))


@pytest.fixture
def things() -> Things:
    return Things()


def clock(offset: float) -> Callable[[], float]:
    return lambda: time.monotonic() + offset


@pytest.mark.parametrize("offset", [AHEAD, LATE], ids=["ahead", "late"])
def test_a_lock_that_is_renewed_is_kept_whatever_the_other_clock_says(
    things: Things, offset: float
) -> None:
    holder = Lease(things, LOCK, SECONDS)
    assert holder.take_within(0)
    other = Lease(things, LOCK, SECONDS, clock(offset))
    assert not other.take_within(2 * SECONDS)
    assert holder.is_held
    assert not other.is_held
    holder.drop()
    assert things.kept == {}


@pytest.mark.parametrize("offset", [AHEAD, LATE], ids=["ahead", "late"])
def test_a_lock_of_the_dead_is_taken_over_after_its_own_time(things: Things, offset: float) -> None:
    things.leave({"owner": "dead", "seconds": SECONDS, "renewal": 3})
    began = time.monotonic()
    other = Lease(things, LOCK, 60, clock(offset))
    assert other.take_within(10)
    assert time.monotonic() - began >= SECONDS
    other.drop()


@pytest.mark.parametrize("left", [{}, [], "text", {"owner": "old", "until": 1e12}])
def test_a_lock_that_says_nothing_of_its_time_is_taken_over_too(
    things: Things, left: object
) -> None:
    things.leave(left)
    other = Lease(things, LOCK, SECONDS)
    assert other.take_within(10)
    other.drop()


def test_who_cannot_renew_a_lock_knows_that_it_is_lost_before_another_has_it(
    things: Things,
) -> None:
    holder = Lease(things, LOCK, SECONDS)
    assert holder.take_within(0)
    things.is_out = True
    time.sleep(2 * SECONDS)
    assert not holder.is_held
    things.is_out = False
    holder.drop()


def test_a_lock_that_another_took_over_is_lost_at_the_next_renewal(things: Things) -> None:
    holder = Lease(things, LOCK, SECONDS)
    assert holder.take_within(0)
    things.leave({"owner": "another", "seconds": SECONDS})
    time.sleep(0.9 * SECONDS)
    assert not holder.is_held
    holder.drop()
    assert things.kept[LOCK][1] == "dead"


def test_a_lock_that_cannot_be_dropped_fails_no_work(things: Things) -> None:
    holder = Lease(things, LOCK, SECONDS)
    assert holder.take_within(0)
    things.is_out = True
    holder.drop()
    assert not holder.is_held


def test_a_wait_begins_anew_where_the_lock_changes_hands(
    things: Things, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten others hold it for a second each: who waits for three seconds at most gets it at last."""
    now, looks = [0.0], [0]

    def sleep(seconds: float) -> None:
        del seconds
        now[0] += 0.5
        looks[0] += 1
        owner = looks[0] // 2
        if owner < 10:
            things.leave({"owner": f"{owner}", "seconds": 60})
        else:
            things.kept.pop(LOCK, None)

    monkeypatch.setattr("sopforge.store.backends.lease.time.sleep", sleep)
    things.leave({"owner": "0", "seconds": 60})
    other = Lease(things, LOCK, SECONDS, lambda: now[0])
    assert other.take_within(3)
    assert now[0] == pytest.approx(10)
    monkeypatch.undo()
    other.drop()
