"""No command takes a path for a name: it is reported, and nothing is read or written."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.store.opening import open_store
from tests.running.commands import contents, run
from tests.worlds.histories import DOMAIN, REFUND, quiet

NAMES = {
    "a path upwards": "../x",
    "a whole path": "/etc",
    "a path inside": "a/b",
    "a hidden folder": ".completions",
    "a path of Windows": "C:\\x",
    "nothing": "",
    "too long": "a" * 300,
    "a NUL": "a\0b",
    "a Cyrillic letter": "r\u0435fund",
    "a ligature": "re\ufb01nd",
    "a wide digit": "refund\uff11",
    "a line end": "refund\n",
    "capitals": "REFUND",
}
COMMANDS: dict[str, tuple[str, ...]] = {
    "status": (),
    "show": ("sop",),
    "diff": (),
    "approve": ("schema",),
    "request-changes": ("schema", "--feedback", "More."),
    "edit": ("schema",),
    "reject": ("schema",),
    "withdraw": ("schema",),
    "publish": (),
    "regenerate": (),
    "status --cost": (),
    "store clear": ("--yes",),
    "store check": (),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("alone") / "store"
    quiet(open_store(folder)).run(30, 3)
    return folder


@pytest.mark.parametrize(
    ("command", "name"),
    [*((command, "../x") for command in COMMANDS), *(("status", name) for name in NAMES.values())],
)
def test_a_path_is_no_domain(command: str, name: str, store: Path) -> None:
    before = contents(store.parent)

    ran = run(*command.split(), name, *COMMANDS[command], "--store", str(store))

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("domain-name: '")
    assert ran.err.endswith(
        "is not the name of a domain\n  hint: use lowercase letters, digits and _, as in the"
        " brief's 'domain'\n"
    )
    assert contents(store.parent) == before


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_path_is_no_domain_in_a_brief(name: str, tmp_path: Path) -> None:
    written = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\0", "\\0")
    brief = tmp_path / "brief.yaml"
    brief.write_text(REFUND.replace("domain: refund", f'domain: "{written}"'), encoding="utf-8")

    ran = run("generate", str(brief), "--store", str(tmp_path / "store"))

    assert (ran.code, ran.out) == (2, "")
    assert "brief.yaml:3" in ran.err
    assert list(tmp_path.iterdir()) == [brief]


@pytest.mark.parametrize("stage", ["../../x", "sop/../schema", "", "/etc", "a\0b"])
@pytest.mark.parametrize("command", ["show", "approve", "reject", "edit"])
def test_a_path_is_no_stage(stage: str, command: str, store: Path) -> None:
    before = contents(store.parent)
    ran = run(command, DOMAIN, stage, "--store", str(store))
    assert (ran.code, ran.out) == (2, "")
    assert "hint" in ran.err or "it has: schema, sop, dataset" in ran.err
    assert contents(store.parent) == before


def test_a_stage_of_another_domain_is_not_shown(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    quiet(open_store(folder)).run(30, 1)
    (folder / "other" / "stages" / "schema").mkdir(parents=True)
    ran = run("show", "other", f"../../{DOMAIN}/stages/schema", "--store", str(folder))
    assert ran.code == 2
    assert ran.err.startswith("unknown-stage: ")


@pytest.mark.parametrize(
    ("version", "code"),
    [
        ("../1", "unknown-version"),
        ("/etc", "unknown-version"),
        ("0001", "unknown-version"),
        ("\uff11", "unknown-version"),
        ("9.9.9", "unknown-release"),
        ("\uff11.0.0", "unknown-release"),
        ("1.0.0/../1.0.0", "unknown-version"),
    ],
)
@pytest.mark.parametrize("option", ["--from", "--to"])
def test_a_path_is_no_version(version: str, code: str, option: str, store: Path) -> None:
    ran = run("diff", DOMAIN, "schema", option, version, "--store", str(store))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"{code}: {option}: 'refund' has no ")


def test_a_patch_that_does_not_apply_changes_nothing(tmp_path: Path) -> None:
    folder, patch = tmp_path / "store", tmp_path / "patch.yaml"
    quiet(open_store(folder)).run(30, 1)
    patch.write_text("decisions: {nothing_of_the_kind: null}\n")
    before = contents(folder)
    ran = run("regenerate", DOMAIN, "--model-patch", str(patch), "--store", str(folder))
    assert ran.code == 2
    assert str(patch) in ran.err
    assert contents(folder) == before
