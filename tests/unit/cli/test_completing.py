"""A shell is offered what the store has; where that cannot be read it is offered nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.worlds.sealing import seal_anew

COMMAND = [sys.executable, "-c", "from sopforge.cli import main; main()"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder as a store has it; of what is in the files nothing is read."""
    place = tmp_path_factory.mktemp("store")
    for name in ("fees/stages/schema/0001", "fees/stages/schema/0012", "fees/stages/sop/0001"):
        (place / name).mkdir(parents=True)
    (place / "freight" / "stages" / "schema" / "0001").mkdir(parents=True)
    for version in ("1.0.0", "1.1.0"):
        release = place / "fees" / "releases" / version / "release.json"
        release.parent.mkdir(parents=True)
        release.write_text("{}", encoding="utf-8")
    (place / "fees" / "calls.jsonl").touch()
    seal_anew(place, "fees")
    return place


def offered(words: str, store: str) -> list[str]:
    """Return what bash is offered for the last of the words."""
    given = words.split(" ")
    ran = subprocess.run(
        COMMAND,
        env={
            **os.environ,
            "_SOPFORGE_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(given) - 1),
            "SOPFORGE_STORE": store,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("sopforge show f", ["fees", "freight"]),
        ("sopforge status fe", ["fees"]),
        ("sopforge show fees s", ["schema", "sop"]),
        ("sopforge approve freight ", ["schema"]),
        ("sopforge diff fees --from ", ["1.0.0", "1.1.0"]),
        ("sopforge diff fees schema --from 1", ["1.0.0", "1.1.0", "1", "12"]),
        ("sopforge diff fees sop --from 1.0.0 --to 1.", ["1.0.0", "1.1.0"]),
        ("sopforge regen", ["regenerate"]),
        ("sopforge generate --appr", ["--approve-clean"]),
    ],
)
def test_names_that_begin_so_are_offered(store: Path, words: str, expected: list[str]) -> None:
    assert offered(words, str(store)) == expected


def test_the_store_that_is_typed_counts(store: Path, tmp_path: Path) -> None:
    assert offered(f"sopforge show --store {store} fr", str(tmp_path)) == ["freight"]


@pytest.mark.parametrize("place", ["s3://bucket/that/is/not/asked", "ftp://none", "/dev/null", ""])
def test_nothing_is_offered_where_nothing_can_be_read(place: str, tmp_path: Path) -> None:
    place = place or str(tmp_path / "none")

    assert offered("sopforge show f", place) == []
    assert offered("sopforge diff f --from 1", place) == []
