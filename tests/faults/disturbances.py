"""What ``python -m tests.disturbing`` reports, scene by scene."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

from tests.worlds.shared_builds import Shared

ROOT = Path(__file__).parents[2]
Result: TypeAlias = dict[str, Any]


def results_of(shared: Shared, folder: Path, *arguments: object) -> list[list[Result]]:
    """Return for each scene what an undisturbed run is, and what became of each disturbed one."""
    folders = (str(folder), str(shared.folder / "quick"))
    ran = subprocess.run(
        [sys.executable, "-m", "tests.disturbing", *folders, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    results = [json.loads(line) for line in ran.stdout.splitlines()]
    assert results
    return [list(scene) for _, scene in groupby(results, lambda result: str(result["scene"]))]
