"""A round of each soak: in a folder, on S3, and of reviews; ``make soak`` runs 200 of each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.worlds.shared_builds import Shared

ROOT = Path(__file__).parents[2]
KINDS = ("folder", *(pytest.param(name, marks=pytest.mark.exhaustive) for name in ("s3", "review")))
SEED = "11"


@pytest.mark.parametrize("rounds", ["1", pytest.param("5", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_or_doubled_where_processes_are_killed_at_random(
    kind: str, rounds: str, shared: Shared
) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.soak", kind, rounds, SEED, str(shared.folder / "quick")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "rounds with something wrong: 0" in ran.stdout
