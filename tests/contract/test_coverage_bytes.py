"""The report on coverage has the same bytes in another process with another hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sopforge.language.domain.reading import read_brief
from tests.worlds.shared_builds import build_stages
from tests.worlds.small_models import DOMAINS

NAMES = ("coverage.json", "coverage.md", "data_profile.json")
WRITE = """
import sys
from pathlib import Path
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.workspace import Workspace
brief = read_brief(Path(sys.argv[1]).read_text(encoding="utf-8"), "brief.yaml")
workspace = Workspace(brief, {})
for stage in STAGES:
    if stage.name in {"schema", "dataset"}:
        made = stage.build(workspace, OfflineAuthor())
        workspace = workspace.with_files({f"{stage.name}/{name}": made[name] for name in made})
for name in sys.argv[2:]:
    sys.stdout.buffer.write(workspace.files[f"dataset/{name}"].encode("utf-8"))
"""


def write_elsewhere(path: Path) -> bytes:
    """Return the files as a fresh process writes them."""
    environment = {**os.environ, "PYTHONHASHSEED": "4711"}
    command = [sys.executable, "-c", WRITE, str(path), *NAMES]
    return subprocess.run(command, capture_output=True, check=True, env=environment).stdout


@pytest.mark.parametrize("domain", ["everything", "orders"])
def test_two_processes_write_the_same_report(domain: str) -> None:
    path = DOMAINS / f"{domain}.yaml"
    brief = read_brief(path.read_text(encoding="utf-8"), "brief.yaml")

    # Built by a process of the session, whose hash seed is its own.
    files = build_stages(brief, "dataset").files
    first = "".join(files[f"dataset/{name}"] for name in NAMES).encode()

    assert os.environ.get("PYTHONHASHSEED") != "4711"
    assert b'"proof": [\n' in first
    assert write_elsewhere(path) == first
