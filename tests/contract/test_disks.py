"""Real disks that are full or read-only, and a limit of the size of files, met through the command.

The disks are mounted in a name space of their own, which ends with the process that asked for it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sopforge.store.opening import open_store
from tests.judges.invariants import broken_promises

ROOT = Path(__file__).parents[2]
REFUND = ROOT / "tests" / "briefs" / "refund.yaml"
SOPFORGE = f"{sys.executable} -c 'from sopforge.cli import main; main()'"


def can_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    tried = ["unshare", "--mount", "sh", "-c", "mount -t tmpfs none /mnt"]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


needs_mount = pytest.mark.skipif(not can_mount(), reason="no file system can be mounted here")


def run(script: str, *, alone: bool = True) -> str:
    """Run a script of the shell, with mounts that nobody else sees; return what it said."""
    command = ["unshare", "--mount"] if alone else []
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    script = f'sopforge() {{ {SOPFORGE} "$@"; echo "exit $?"; }}\n{script}'
    ran = subprocess.run(
        [*command, "sh", "-c", script],
        env=environment,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    assert "Traceback" not in ran.stdout
    return ran.stdout


def exits(said: str) -> list[str]:
    return re.findall(r"^exit (\d+)$", said, re.MULTILINE)


def decided(folder: Path) -> int:
    return len(list(folder.glob("refund/decisions/*.json")))


@needs_mount
def test_a_disk_that_fills_up_is_reported_and_the_rerun_makes_the_same_bytes(
    tmp_path: Path,
) -> None:
    """300 kB hold some of the stages; once there is room, the rest is made."""
    disk, left, whole = tmp_path / "disk", tmp_path / "left", tmp_path / "whole"
    disk.mkdir()
    said = run(f"""
        mount -t tmpfs -o size=300k none {disk}
        sopforge generate {REFUND} --approve-clean --store {disk}/s
        cp -r {disk}/s {left}
        mount -o remount,size=20m {disk}
        sopforge generate {REFUND} --approve-clean --store {disk}/s
        sopforge publish refund --store {disk}/s
        cp -r {disk}/s {whole}
    """)
    assert exits(said) == ["2", "0", "0"]
    assert "the disk is full\n  hint: free some space, then run the same command again\n" in said
    assert broken_promises(open_store(left), "refund") == []
    assert 0 < decided(left) < 7

    run(
        f"sopforge generate {REFUND} --approve-clean --store {tmp_path}/other\n"
        f"sopforge publish refund --store {tmp_path}/other",
        alone=False,
    )
    assert decided(whole) == 7
    for part in ("stages/complexity/0001/files", "releases/1.0.0/refund"):
        assert read_bytes(whole / "refund" / part) == read_bytes(tmp_path / "other/refund" / part)


def read_bytes(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@needs_mount
def test_a_read_only_store_can_be_read_and_is_reported_where_it_is_to_be_written(
    tmp_path: Path,
) -> None:
    store = tmp_path / "s"
    edited = tmp_path / "edited.yaml"
    run(f"sopforge generate {REFUND} --store {store}", alone=False)
    model = (store / "refund/stages/schema/0001/files/domain.yaml").read_text("utf-8")
    edited.write_text(model.replace("value: 30", "value: 25"), encoding="utf-8")
    before = read_bytes(store)
    there = f"--store {store}"
    said = run(f"""
        mount --bind {store} {store} && mount -o remount,bind,ro {store}
        sopforge status {there}
        sopforge show refund schema {there}
        sopforge approve refund schema --by ada {there}
        sopforge edit refund schema --by ada --from {edited} {there}
        sopforge generate {REFUND} {there}
    """)
    assert exits(said) == ["0", "0", "2", "2", "2"]
    hint = "name a writable store with --store"
    assert said.count(f"the disk is read-only\n  hint: {hint}\n") == 3
    assert read_bytes(store) == before


def test_a_limit_on_the_size_of_files_is_reported_and_leaves_nothing_half_written(
    tmp_path: Path,
) -> None:
    """``ulimit -f`` counts blocks of 512 bytes: the brief, of 3443 bytes, is too large."""
    store = tmp_path / "s"
    said = run(
        f"(ulimit -f 6; sopforge generate {REFUND} --store {store})\n"
        f"sopforge status --store {store}\n"
        f"sopforge generate {REFUND} --store {store}",
        alone=False,
    )
    assert exits(said) == ["2", "0", "3"]
    assert (
        "the file would be larger than the allowed size\n  hint: raise the limit (ulimit -f)"
        in said
    )
    assert "not reached" in said
    assert list((store / "refund" / ".new").iterdir()) == []
