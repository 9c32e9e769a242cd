"""Clearing goes on, after a kill at any step, to what it makes undisturbed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_kill_at_any_step_loses_nothing(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.faults.killed_upkeep", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    *killed, undisturbed = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(killed) >= 20
    assert [found for found in killed if found != undisturbed] == []
    assert undisturbed["left"]["are_whole"]
    assert undisturbed["faults"] == []
