"""A disk or service that fails at a write is reported; the command, run again, ends as it should.

The errors are injected at each write in turn, and stay from there on; ``test_disks.py`` meets some
of them as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.faults.disturbances import Result, results_of
from tests.worlds.shared_builds import Shared

ROOM = "free some space, then run the same command again"
LATER = "run the same command again when the service answers; nothing is lost"
DISK = {
    "ENOSPC": ("the disk is full", ROOM),
    "EDQUOT": ("the disk quota is used up", ROOM),
    "EROFS": ("the disk is read-only", "name a writable store with --store"),
    "EACCES": ("permission is denied", "check its permissions, or name another store with --store"),
    "EIO": ("the disk reports an error", "check the disk, then run the same command again"),
    "ESTALE": (
        "Stale file handle",
        "fix the cause, then run the same command again; nothing is lost",
    ),
}
SERVICE = {
    "busy": ("S3 refused: SlowDown", LATER),
    "failing": ("S3 refused: InternalError", LATER),
    "expired": (
        "S3 refused: ExpiredToken",
        "sign in again, then run the same command again; nothing is lost",
    ),
    "forbidden": (
        "S3 refused: AccessDenied",
        "allow the key to list, read, write and delete below the prefix",
    ),
    "bucket gone": ("S3 refused: NoSuchBucket", "create the bucket first, or name another one"),
    "region": (
        "S3 refused: AuthorizationHeaderMalformed",
        "set AWS_REGION to the region of the bucket",
    ),
    "unreachable": ("S3 cannot be reached: ", LATER),
    "answers lost": ("S3 cannot be reached: ", LATER),
}


def assert_is_well(results: Sequence[Result], expected: dict[str, tuple[str, str]]) -> None:
    """Check that each failure was reported, nothing was broken, and the rerun ended well."""
    for result in results:
        message, hint = expected[result["mishap"]]
        assert result["code"] == 2, result
        assert result["said"].count("store-unusable: ") == 1
        assert message in result["said"]
        assert result["said"].endswith(f"\n  hint: {hint}\n")
        assert "Traceback" not in result["said"]
        assert result["broken"] == []
        assert result["differing"] == []
        assert result["ends_well"], result


def test_a_disk_that_fails_at_a_write_is_reported_and_spoils_nothing(
    shared: Shared, tmp_path: Path
) -> None:
    [[_, *failed]] = results_of(shared, tmp_path, "folder", ",".join(DISK), "kinds", "approve")
    assert {one["mishap"] for one in failed} == set(DISK)
    assert_is_well(failed, DISK)


def test_a_disk_that_is_full_at_any_write_spoils_no_command(shared: Shared, tmp_path: Path) -> None:
    titles = ("edit", "generate", "generate, approving")
    for _, *failed in results_of(shared, tmp_path, "folder", "ENOSPC", "kinds", *titles):
        assert len(failed) > 3
        assert_is_well(failed, DISK)


def test_an_outage_of_s3_from_any_write_on_is_reported_and_spoils_nothing(
    shared: Shared, tmp_path: Path
) -> None:
    # What is refused is refused in the same place, whatever the service says of it.
    for mishaps, step in (("busy,answers lost", "1"), (",".join(SERVICE), "ends")):
        folder = tmp_path / step
        folder.mkdir()
        [[_, *failed]] = results_of(shared, folder, "s3", mishaps, step, "approve")
        assert {one["mishap"] for one in failed} == set(mishaps.split(","))
        # Once all is written, the lock cannot be dropped: the command has done its work.
        last = max(one["write"] for one in failed)
        assert {one["code"] for one in failed if one["write"] == last} == {0}
        assert_is_well([one for one in failed if one["write"] < last], SERVICE)
        assert all(one["ends_well"] and not one["differing"] for one in failed)


@pytest.mark.parametrize("step", ["kinds", pytest.param(1, marks=pytest.mark.exhaustive)])
def test_an_outage_of_s3_at_any_write_of_a_version_is_reported_and_spoils_nothing(
    shared: Shared, tmp_path: Path, step: str | int
) -> None:
    [[_, *failed]] = results_of(shared, tmp_path, "s3", "busy", step, "generate")
    # Once all is written, the locks of the domain and of the run cannot be dropped.
    *before, last_but_one, last = failed
    assert {last_but_one["code"], last["code"]} == {3}
    assert len(before) > 5
    assert_is_well(before, SERVICE)
