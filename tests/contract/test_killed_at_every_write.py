"""A run that was killed at a write of its store makes, run again, the bytes of any other run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Seven versions with what waits and a decision each, the brief, and the release.
FEWEST_WRITES = 20


def test_a_rerun_after_a_kill_makes_the_same_bytes(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.killing", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    undisturbed, *others = ran.stdout.splitlines()
    assert len(others) > FEWEST_WRITES
    assert set(others) == {undisturbed}
