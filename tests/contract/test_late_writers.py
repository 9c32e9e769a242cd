"""On S3, a run that was held up, or whose answers were lost, spoils nothing that others wrote."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from botocore.exceptions import ReadTimeoutError

from sopforge.errors import StoreError
from sopforge.store.backends.bucket import BucketObjects
from sopforge.store.objects import ExistsError
from tests.servers.s3_service import Act, Asked, Break, Drop, Hang, Refuse, S3Service

FILES = {"files/a.txt": b"a", "files/b.txt": b"b", "manifest.json": b"{}"}
LEASE = 0.6


@pytest.fixture
def opened(s3: str, tmp_path: Path) -> Callable[[], BucketObjects]:
    """Return a function that opens a place as another process would."""
    return lambda: BucketObjects("sops", tmp_path.name, s3, lease_seconds=LEASE)


def once(when: Callable[[Asked], bool], act: Callable[[], Act]) -> Callable[[Asked], Act]:
    """Have something happen at the first request that is meant, and only then."""
    left = [True]

    def disturb(asked: Asked) -> Act:
        if left[0] and when(asked):
            left[0] = False
            return act()
        return None

    return disturb


def puts(ending: str) -> Callable[[Asked], bool]:
    return lambda asked: asked.method == "PUT" and asked.path.endswith(ending)


def test_who_lost_a_lock_writes_no_more_below_it(
    opened: Callable[[], BucketObjects], service: S3Service
) -> None:
    late, other = opened(), opened()
    with late.hold_lock("claims"):
        late.create("claims/1", b"in time")
        service.disturb = lambda asked: Drop(is_done=False) if puts(".lock")(asked) else None
        time.sleep(3 * LEASE)
        service.disturb = lambda asked: None  # noqa: ARG005 - of whatever is asked
        with other.hold_lock("claims", wait=10):
            other.create("claims/2", b"the other's")
            writes: tuple[Callable[[], None], ...] = (
                lambda: late.create("claims/3", b"late"),
                lambda: late.replace("claims/2", b"late"),
                lambda: late.delete("claims/2"),
                lambda: late.create_all("claims/v", FILES, "manifest.json"),
            )
            for write in writes:
                with pytest.raises(StoreError, match="lock-lost: this run was delayed"):
                    write()
        late.create("orders/1", b"this is below no lock")
    assert other.list_names("") == ["claims/1", "claims/2", "orders/1"]
    assert other.read("claims/2") == b"the other's"


@pytest.mark.parametrize("place", ["files/a.txt", "files/b.txt", "manifest.json"])
def test_who_is_held_up_at_any_file_cannot_change_what_another_finished(
    place: str, opened: Callable[[], BucketObjects], service: S3Service
) -> None:
    late, other = opened(), opened()
    others = {name: data + b" of the other" for name, data in FILES.items()}

    def meanwhile() -> Act:
        other.create_all("claims/v/0001", others, "manifest.json")
        return None

    service.disturb = once(puts(place), meanwhile)
    with pytest.raises(ExistsError, match="written-meanwhile"):
        late.create_all("claims/v/0001", FILES, "manifest.json")
    assert {name: other.read(f"claims/v/0001/{name}") for name in FILES} == others


def test_who_clears_away_late_takes_nothing_from_another(
    opened: Callable[[], BucketObjects], service: S3Service
) -> None:
    late, other = opened(), opened()
    late.create("claims/v/0001/files/a.txt", FILES["files/a.txt"])
    late.create("claims/v/0001/files/old.txt", b"of a version that was never finished")

    def meanwhile() -> Act:
        other.create_all("claims/v/0001", FILES, "manifest.json")
        return None

    service.disturb = once(lambda asked: asked.method == "DELETE", meanwhile)
    with pytest.raises(ExistsError):
        late.create_all("claims/v/0001", FILES, "manifest.json")
    names = [f"claims/v/0001/{name}" for name in FILES]
    assert other.list_names("claims/v/0001") == names


def test_a_creation_whose_answer_was_lost_counts_once(
    opened: Callable[[], BucketObjects], service: S3Service
) -> None:
    service.disturb = once(puts("1"), lambda: Drop(is_done=True))
    opened().create("d/1", b"one")
    with pytest.raises(ExistsError):
        opened().create("d/1", b"one")


def test_a_line_whose_answer_was_lost_is_not_doubled_though_another_wrote_after_it(
    opened: Callable[[], BucketObjects], service: S3Service
) -> None:
    objects, other = opened(), opened()
    objects.append("log", b"0\n")
    seen = [0]

    def disturb(asked: Asked) -> Act:
        if asked.method != "PUT":
            return None
        seen[0] += 1
        if seen[0] == 1:
            return Drop(is_done=True)
        if seen[0] == 2:  # the same put again: the other comes between
            other.append("log", b"2\n")
        return None

    service.disturb = disturb
    objects.append("log", b"1\n")
    assert objects.read("log") == b"0\n1\n2\n"


def test_a_conflict_of_conditions_is_tried_again(
    opened: Callable[[], BucketObjects], service: S3Service
) -> None:
    left = [3]

    def disturb(asked: Asked) -> Act:
        left[0] -= asked.method == "PUT"
        is_conflict = asked.method == "PUT" and left[0] >= 0
        return Refuse("409 Conflict", "ConditionalRequestConflict") if is_conflict else None

    service.disturb = disturb
    opened().create("d/1", b"one")
    assert opened().read("d/1") == b"one"


def test_conflicts_without_end_are_reported(
    opened: Callable[[], BucketObjects], service: S3Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenacity.nap.time.sleep", lambda seconds: None)  # noqa: ARG005
    service.disturb = lambda asked: (
        Refuse("409 Conflict", "ConditionalRequestConflict") if asked.method == "PUT" else None
    )
    with pytest.raises(StoreError, match="other processes keep writing to it"):
        opened().create("d/1", b"one")


def test_an_answer_that_breaks_off_is_asked_for_again(
    opened: Callable[[], BucketObjects], service: S3Service
) -> None:
    objects = opened()
    objects.create("d/1", b"one" * 1000)
    service.disturb = once(lambda asked: asked.method == "GET", Break)
    assert objects.read("d/1") == b"one" * 1000


def test_a_service_that_says_nothing_is_reported_in_time(
    opened: Callable[[], BucketObjects], service: S3Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sopforge.store.backends.bucket.READ_SECONDS", 0.2)
    monkeypatch.setattr("sopforge.store.backends.bucket.ATTEMPTS", 1)
    objects = opened()
    service.disturb = lambda asked: Hang(1)  # noqa: ARG005 - of whatever is asked
    with pytest.raises(StoreError, match="S3 cannot be reached: Read timeout") as caught:
        objects.create("d/1", b"one")
    assert isinstance(caught.value.__cause__, ReadTimeoutError)


def test_a_lock_is_kept_through_a_short_outage(
    opened: Callable[[], BucketObjects], service: S3Service
) -> None:
    objects = opened()
    ends = threading.Event()

    def disturb(asked: Asked) -> Act:
        is_out = asked.path.endswith(".lock") and not ends.is_set()
        return Refuse("503 Slow Down", "SlowDown") if is_out else None

    with objects.hold_lock("claims"):
        service.disturb = disturb
        time.sleep(LEASE / 3)
        ends.set()
        objects.create("claims/1", b"one")


def test_settings_that_cannot_be_used_are_reported(
    s3: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    del s3
    with pytest.raises(StoreError, match="S3 cannot be used: Invalid endpoint") as caught:
        BucketObjects("sops", "x", "no address")
    assert caught.value.faults[0].hint == ("check the AWS settings in the environment or in ~/.aws")
    with pytest.raises(StoreError, match="S3 cannot be used: Parameter validation failed"):
        BucketObjects("no bucket's name", "x").read("a")
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    with pytest.raises(StoreError, match=r"S3 cannot be used: .*nobody"):
        BucketObjects("sops", "x")


def test_missing_keys_are_reported(s3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setattr("boto3.DEFAULT_SESSION", None)
    with pytest.raises(
        StoreError, match="S3 needs credentials: Unable to locate credentials"
    ) as caught:
        BucketObjects("sops", "x", s3).read("a")
    assert (
        caught.value.faults[0].hint
        == "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    )
