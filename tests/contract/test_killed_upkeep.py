"""Migrating and clearing go on, after a kill at any step, to what they make undisturbed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("work", "fewest"), [("migrate", 5), ("clear", 20)])
def test_a_kill_at_any_step_loses_nothing(work: str, fewest: int, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.faults.killed_upkeep", work, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    *killed, undisturbed = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(killed) >= fewest
    assert [found for found in killed if found != undisturbed] == []
    assert undisturbed["left"].get("are_whole", True)
    assert undisturbed["faults"] == []
