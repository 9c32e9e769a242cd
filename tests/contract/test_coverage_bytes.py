"""The report on coverage has the same bytes in another process with another hash seed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

WRITE = """
import sys
from pathlib import Path
from sopforge.authors.offline import OfflineAuthor
from sopforge.domain.reading import read_brief
from sopforge.stages.pipeline import STAGES
from sopforge.workspace import Workspace
brief = read_brief(Path(sys.argv[1]).read_text(encoding="utf-8"), "brief.yaml")
workspace = Workspace(brief, {})
for stage in STAGES:
    if stage.name in {"schema", "dataset"}:
        made = stage.build(workspace, OfflineAuthor())
        workspace = workspace.with_files({f"{stage.name}/{name}": made[name] for name in made})
for name in ("coverage.json", "coverage.md", "data_profile.json"):
    sys.stdout.buffer.write(workspace.files[f"dataset/{name}"].encode("utf-8"))
"""


def written(path: str, seed: str) -> bytes:
    """Return the files as a fresh process writes them."""
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", WRITE, path]
    return subprocess.run(command, capture_output=True, check=True, env=environment).stdout


@pytest.mark.parametrize("domain", ["everything", "orders"])
def test_two_processes_write_the_same_report(domain: str) -> None:
    path = f"tests/domains/{domain}.yaml"

    first, second = (written(path, seed) for seed in ("1", "2"))

    assert b'"proof": [\n' in first
    assert first == second
