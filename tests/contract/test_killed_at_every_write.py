"""A command that was killed at a write of its store ends, run again, as if it had not been."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.disturbances import results_of

# Of the long commands, every so many writes; 1 would be all of them.
STEPS = {"folder": 97, "s3": 281}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which both kinds find what was built."""
    return tmp_path_factory.mktemp("killed")


@pytest.mark.parametrize("kind", STEPS)
def test_a_rerun_after_a_kill_ends_with_the_same_bytes(kind: str, folder: Path) -> None:
    for undisturbed, *killed in results_of(folder, kind, "kill", STEPS[kind]):
        assert undisturbed["wrote"]
        assert {one["code"] for one in killed} == {-1}
        for one in killed:
            assert one["broken"] == []
            assert one["differing"] == []
            assert one["ends_well"], one
