"""A domain has the same bytes and findings, however many processes make it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = (Path(__file__).parents[1] / "briefs" / "refund.yaml").read_text(encoding="utf-8")
LEVELS = ("levels: [L0, L1]", "levels: [L0, L1, L2, L3]")
COMMAND = [sys.executable, "-c", "from sopforge.cli import main; main()"]


def run(jobs: int, *arguments: str) -> None:
    environment = {**os.environ, "SOPFORGE_JOBS": str(jobs)}
    command = [*COMMAND, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def make_domain(home: Path, jobs: int) -> dict[str, bytes]:
    """Return the manifests of a domain's versions and the files of its release."""
    assert LEVELS[0] in TEXT
    brief, store = home / "refund.yaml", home / "store"
    brief.write_text(TEXT.replace(*LEVELS), encoding="utf-8")
    run(jobs, "generate", str(brief), "--approve-clean", "--store", str(store))
    run(jobs, "publish", "refund", "--store", str(store))
    folder = store / "refund"
    packages = (folder / "releases").glob("*/refund*/**/*")
    files = [*folder.glob("stages/*/*/manifest.json"), *packages]
    # When somebody decided is another moment in each run.
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in files
        if path.is_file() and path.name not in {"provenance.json", "SHA256SUMS"}
    }


def test_the_number_of_processes_changes_no_byte(tmp_path_factory: pytest.TempPathFactory) -> None:
    alone, shared = (make_domain(tmp_path_factory.mktemp("home"), jobs) for jobs in (1, 4))

    assert [name for name in alone if alone[name] != shared.get(name)] == []
    assert alone.keys() == shared.keys()
    assert len([name for name in alone if name.endswith("sop.txt")]) == 4
