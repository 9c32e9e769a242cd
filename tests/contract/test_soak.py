"""A few rounds of each soak: in a folder, on S3, and of reviews; ``make soak`` runs 200 of each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROUNDS = {"folder": "2", "s3": "2", "review": "2"}
SEED = "11"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the rounds of both places find what was built."""
    return tmp_path_factory.mktemp("made")


@pytest.mark.parametrize("kind", ROUNDS)
def test_nothing_is_lost_or_doubled_where_processes_are_killed_at_random(
    kind: str, made: Path
) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.soak", kind, ROUNDS[kind], SEED, str(made)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "rounds with something wrong: 0" in ran.stdout
