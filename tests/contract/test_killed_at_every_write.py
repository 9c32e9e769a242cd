"""A command that was killed at a write of its store ends, run again, as if it had not been."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.disturbances import results_of
from tests.worlds.shared_builds import Shared


@pytest.mark.parametrize(
    ("kind", "step"),
    [
        pytest.param("folder", "kinds", id="folder"),
        pytest.param("s3", "kinds", id="s3", marks=pytest.mark.exhaustive),
        # All writes of short commands, and of long ones every so many: 1 would be all of them.
        pytest.param("folder", 97, id="folder-all", marks=pytest.mark.exhaustive),
        pytest.param("s3", 281, id="s3-all", marks=pytest.mark.exhaustive),
    ],
)
def test_a_rerun_after_a_kill_ends_with_the_same_bytes(
    kind: str, step: str | int, shared: Shared, tmp_path: Path
) -> None:
    for undisturbed, *killed in results_of(shared, tmp_path, kind, "kill", step):
        assert undisturbed["wrote"]
        assert killed
        assert {one["code"] for one in killed} == {-1}
        for one in killed:
            assert one["broken"] == []
            assert one["differing"] == []
            assert one["ends_well"], one
