"""What somebody new reads who takes a wrong turn, or looks where there is nothing yet."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from sopforge.store.opening import open_store
from tests.running.commands import run

BRIEF = Path(__file__).parents[2] / "briefs" / "fees.yaml"
GATES = "\ngates: {approvers: {schema: 2}, checklist: [Every limit is there.]}\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a store in which a schema waits for two persons, with a point to look at."""
    brief = tmp_path / "fees.yaml"
    brief.write_text(BRIEF.read_text(encoding="utf-8") + GATES, encoding="utf-8")
    waits = run("generate", str(brief), "--store", str(tmp_path / "store"))
    assert waits.out.splitlines()[-6:-4] == [
        "schema waits at its gate; 2 people must approve it.",
        "  check:    Every limit is there.",
    ]
    return tmp_path / "store"


def test_the_version_is_shown() -> None:
    shown = f"sopforge {version('sopforge')}\n"
    assert run("--version").out == shown
    as_module = [sys.executable, "-m", "sopforge", "--version"]
    assert subprocess.run(as_module, check=True, capture_output=True, text=True).stdout == shown


def test_a_store_without_domains_may_be_the_wrong_one(tmp_path: Path) -> None:
    assert run("approve", "fees", "schema", "--store", str(tmp_path)).err == (
        f"unknown-domain: {tmp_path}: the store has no domain 'fees'; it has: none yet\n"
        f"  hint: create it with: sopforge generate BRIEF --store {tmp_path};"
        " or name the store that has it: --store, or SOPFORGE_STORE\n"
    )


@pytest.mark.parametrize(
    "command",
    [
        ("status",),
        ("continue",),
        ("continue", "--all"),
        ("store", "clear", "--yes"),
        (
            "store",
            "check",
        ),
    ],
    ids=" ".join,
)
def test_a_wrong_folder_is_reported_with_the_store_that_was_looked_for(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*command).out == (
        f"There are no domains in {tmp_path}/generated. To use another store, set --store or"
        " SOPFORGE_STORE. Start with: sopforge generate BRIEF\n"
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "command",
    [
        *(("verify", "fees"), ("run-oracle", "fees@1.0.0"), ("fetch", "fees", "to")),
        *(
            ("continue", "fees"),
            ("publish", "fees"),
            ("status", "--cost", "fees"),
            ("store", "clear", "fees"),
        ),
        *(("show", "fees", "sop"), ("diff", "fees"), ("yank", "fees", "1.0.0", "--reason", "x")),
    ],
    ids=" ".join,
)
def test_what_is_not_there_may_be_in_another_store(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run(*command)
    assert ran.code == 2
    assert f"{tmp_path}/generated" in ran.err
    assert "name the store that has it: --store, or SOPFORGE_STORE" in ran.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("command", "meant"),
    [
        (("edit", "fees", "shema"), "schema"),
        (("approve", "fees", "shema"), "schema"),
        (("show", "fees", "shema"), "schema"),
        (("yank", "fees", "1.0", "--reason", "x"), "1.0.0"),
        (("draw", "fees", "--of", "1.0.1"), "1.0.0"),
        (("verify", "fees@1.0.1"), "1.0.0"),
        (("diff", "fees", "--from", "1.0.1"), "1.0.0"),
        (("check", "feess@1.0.0"), "fees"),
        (("status", "feess"), "fees"),
        (("continue", "fess"), "fees"),
    ],
    ids=" ".join,
)
def test_a_misspelt_name_is_reported_with_the_one_that_may_be_meant(
    place: Path, command: tuple[str, ...], meant: str
) -> None:
    open_store(place).get_domain("fees").save_release("1.0.0", {}, {"stages": {}})
    ran = run(*command, "--store", str(place))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(f"  hint: did you mean '{meant}'?\n")
