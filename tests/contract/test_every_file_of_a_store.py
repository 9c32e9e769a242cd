"""Every file of a store changed, cut, swapped and removed, one at a time.

Each is noticed by ``store check``, or nothing that a command prints or makes is another one.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import TypeAlias

import pytest

from sopforge.pipeline.upkeep.damage import find_damage
from sopforge.store.opening import open_store
from tests.running.commands import Ran, contents, run

BRIEF = str(Path(__file__).parents[1] / "briefs" / "refund.yaml")
DOMAIN = "refund"

Kept: TypeAlias = Mapping[str, bytes]
Mishap: TypeAlias = Callable[[str, Kept], bytes | None]


def changed(name: str, kept: Kept) -> bytes:
    """Change one character of a file in its middle."""
    data = bytearray(kept[name] or b" ")
    place = len(data) // 2
    data[place] = ord("1") if data[place] != ord("1") else ord("2")
    return bytes(data)


def cut(name: str, kept: Kept) -> bytes:
    return kept[name][: len(kept[name]) // 2]


def swapped(name: str, kept: Kept) -> bytes:
    """Return what the next file of the same kind holds, else the next of any kind."""
    others = [other for other in kept if other != name and kept[other] != kept[name]]
    alike = [item for item in others if PurePosixPath(item).suffix == PurePosixPath(name).suffix]
    after = [item for item in alike if item > name]
    return kept[(after or alike or others)[0]]


def removed(name: str, kept: Kept) -> None:
    del name, kept


MISHAPS: tuple[Mishap, ...] = (changed, cut, swapped, removed)

# Of the names of files, what is another one in each version and of each stage.
_ALIKE = re.compile(r"[0-9]+|(?<=/stages/)[a-z]+|(?<=/files/).*|(?<=/refund)_l[0-9]")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with words, an edit, a decision of a person, two briefs and a release."""
    folder = tmp_path_factory.mktemp("made") / "store"
    store, text = ("--store", str(folder)), folder.parent / "edited.yaml"
    by = ("--by", "ada", *store)
    assert run("generate", BRIEF, *store).code == 3
    assert run("approve", DOMAIN, "schema", *by).code == 0
    assert run("withdraw", DOMAIN, "schema", "--reason", "Shorter.", *by).code == 0
    assert run("generate", BRIEF, *store).code == 3
    model = folder / DOMAIN / "stages/schema/0001/files/domain.yaml"
    text.write_text(model.read_text(encoding="utf-8").replace("value: 30", "value: 20"))
    assert run("edit", DOMAIN, "schema", "--from", str(text), *by).code == 0
    assert run("regenerate", DOMAIN, "--context", "Pets go free.", *store).code == 3
    assert run("approve", DOMAIN, "schema", *by).code == 0
    assert run("continue", DOMAIN, *store).code == 3
    assert run("regenerate", DOMAIN, "--approve-clean", *store).code == 0
    assert run("publish", DOMAIN, *store).code == 0
    return folder


def put(path: Path, data: bytes | None) -> None:
    if data is None:
        path.unlink()
    else:
        path.write_bytes(data)


def run_commands(folder: Path) -> list[Ran]:
    """Return what commands print of a store, and what they make of it."""
    store = ("--store", str(folder))
    return [
        run("status", *store),
        run("status", DOMAIN, *store),
        run("show", DOMAIN, "sop", *store),
        run("status", "--cost", DOMAIN, *store),
        run("verify", f"{DOMAIN}@1.0.0", *store),
        run("continue", DOMAIN, *store),
        run("publish", DOMAIN, *store),
    ]


def choose_mishaps(files: Kept) -> list[tuple[str, Mishap]]:
    """Return one file of each kind with all mishaps."""
    kinds = {_ALIKE.sub("*", name): name for name in reversed(list(files))}
    return [(name, mishap) for name in kinds.values() for mishap in MISHAPS]


def list_mishaps(files: Kept) -> list[tuple[str, Mishap]]:
    """Return every file with every mishap."""
    return [(name, mishap) for name in files for mishap in MISHAPS]


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param(choose_mishaps, id="each kind"),
        pytest.param(list_mishaps, id="each file", marks=pytest.mark.exhaustive),
    ],
)
def test_each_mishap_of_each_file_is_noticed_or_changes_nothing(
    made: Path, tmp_path: Path, chosen: Callable[[Kept], list[tuple[str, Mishap]]]
) -> None:
    files = {name: (made / name).read_bytes() for name in contents(made)}
    files["refund/last_run.json"] = (made / "refund/last_run.json").read_bytes()
    assert find_damage(open_store(made).get_domain(DOMAIN)) == []
    unnoticed = []
    for name, mishap in chosen(files):
        damaged = mishap(name, files)
        put(made / name, damaged)
        if damaged != files[name] and not is_noticed(made):
            unnoticed.append((name, mishap))
        put(made / name, files[name])
    assert {name for name, _ in unnoticed} <= {"store.json"}

    before = run_on_copy(made, tmp_path / "store", None, None)
    for name, mishap in unnoticed:
        assert run_on_copy(made, tmp_path / "store", name, mishap(name, files)) == before


def is_noticed(folder: Path) -> bool:
    return run("store", "check", "--store", str(folder)).code in {1, 2}


def run_on_copy(made: Path, folder: Path, name: str | None, data: bytes | None) -> list[Ran]:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(made, folder)
    if name:
        put(folder / name, data)
    return run_commands(folder)


@pytest.mark.parametrize(
    "name",
    [
        "briefs/0001/brief.yaml",
        "briefs/0002/brief.yaml",
        "current.json",
        "given.yaml",
        "last_run.json",
    ],
)
@pytest.mark.parametrize("mishap", MISHAPS, ids=lambda mishap: mishap.__name__)
def test_nothing_is_built_from_what_was_changed(
    name: str, mishap: Mishap, made: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "store"
    shutil.copytree(made, folder)
    files = {item: (made / item).read_bytes() for item in contents(made)}
    place = f"{DOMAIN}/{name}"
    files[place] = (made / place).read_bytes()
    put(folder / place, mishap(place, files))
    before = contents(folder)

    ran = [run(command, DOMAIN, "--store", str(folder)) for command in ("continue", "status")]

    assert [item.code for item in ran] == [2, 2]
    assert all(place in item.err for item in ran)
    assert contents(folder) == before


def test_the_newest_decision_cannot_be_made_into_anothers(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    shutil.copytree(made, folder)
    newest = max((folder / DOMAIN / "decisions").iterdir())
    text = newest.read_text(encoding="utf-8")
    forged = text.replace('"approve-clean"', '"ada"').replace('"policy"', '"person"')
    assert forged != text
    newest.write_text(forged, encoding="utf-8")

    for command in (("status",), ("status", DOMAIN), ("publish", DOMAIN), ("continue", DOMAIN)):
        ran = run(*command, "--store", str(folder))
        assert ran.code == 2, command
        assert f"{newest}: the file was changed after it was written" in ran.err, command
