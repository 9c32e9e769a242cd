from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from sopforge.errors import StoreError
from sopforge.findings import Finding, Severity, make_error_finding
from sopforge.store.backends.atomic_files import (
    replace_file,
    write_exclusively,
    write_folder,
)
from sopforge.store.backends.folder import FolderObjects
from sopforge.store.digests import digest_files, digest_text, digest_value
from sopforge.store.opening import open_store
from sopforge.store.versions import Manifest, Store
from sopforge.store.waiting import Waiting
from tests.running.commands import contents
from tests.worlds.sealing import seal_anew

FILES = {"one.txt": "first\r\n", "deep/two.txt": "zweite Zeile: ä\n"}


def manifest(
    key: str = "k1", stage: str = "schema", findings: tuple[Finding, ...] = ()
) -> Manifest:
    return Manifest(
        domain="depot",
        stage=stage,
        key=key,
        content=digest_files(FILES),
        author="offline",
        inputs={"brief": "b1"},
        findings=findings,
    )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "store")


def test_a_version_is_read_as_it_was_saved(store: Store) -> None:
    found = make_error_finding(
        "gap", "no rule", where="decisions.care", evidence="weight = 5.00", hint="add"
    )

    version = store.get_domain("depot").save(manifest(findings=(found,)), FILES, {"seconds": 1.5})

    assert version.files == FILES
    assert version.manifest.findings == (found,)
    assert version.manifest.findings[0].severity is Severity.ERROR
    assert store.get_domain("depot").find("schema", "k1") == version
    assert store.get_domain("depot").list_versions("schema") == [version]
    assert (Path(version.place) / "files" / "one.txt").read_bytes() == b"first\r\n"


def test_versions_are_numbered_from_one_and_never_replaced(store: Store) -> None:
    first = store.get_domain("depot").save(manifest("k1"), FILES, {})
    second = store.get_domain("depot").save(manifest("k2"), FILES, {})
    again = store.get_domain("depot").save(manifest("k1"), FILES, {})

    assert [version.number for version in (first, second, again)] == [1, 2, 3]
    assert store.get_domain("depot").find("schema", "k1") == again
    assert store.get_domain("depot").find("schema", "k3") is None


def test_a_folder_is_written_once(tmp_path: Path) -> None:
    write_folder(tmp_path / "v1", FILES)

    with pytest.raises(FileExistsError):
        write_folder(tmp_path / "v1", {"one.txt": "other"})

    assert contents(tmp_path / "v1") == {name: text.encode() for name, text in FILES.items()}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["v1"]


def test_a_file_is_written_once(tmp_path: Path) -> None:
    write_exclusively(tmp_path / "entry.json", "first")

    with pytest.raises(FileExistsError):
        write_exclusively(tmp_path / "entry.json", "second")

    assert contents(tmp_path) == {"entry.json": b"first"}


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    replace_file(tmp_path / "pending.json", "a long first text")
    replace_file(tmp_path / "pending.json", "short")

    assert contents(tmp_path) == {"pending.json": b"short"}


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda files: (files / "one.txt").write_text("first\n"), id="edited"),
        pytest.param(lambda files: (files / "one.txt").unlink(), id="removed"),
        pytest.param(lambda files: (files / "three.txt").write_text(""), id="added"),
        pytest.param(lambda files: (files / "one.txt").rename(files / "1.txt"), id="renamed"),
    ],
)
def test_changed_files_are_found_out(store: Store, damage: object) -> None:
    version = store.get_domain("depot").save(manifest(), FILES, {})
    assert callable(damage)

    damage(Path(version.place) / "files")

    with pytest.raises(StoreError) as caught:
        _ = version.files
    (fault,) = caught.value.faults
    assert (fault.code, fault.where) == ("artifact-changed", str(Path(version.place)))


def test_a_newer_format_is_refused(store: Store) -> None:
    version = store.get_domain("depot").save(manifest(), FILES, {})
    path = Path(version.place) / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 3}))
    seal_anew(store.place, "depot")

    with pytest.raises(StoreError) as caught:
        open_store(store.place).get_domain("depot").list_versions("schema")
    assert caught.value.faults[0].code == "store-format"


def test_a_write_that_fails_in_the_middle_leaves_nothing(store: Store) -> None:
    half = {"one.txt": "written", "two.txt": "\ud800 cannot be written"}

    with pytest.raises(UnicodeEncodeError):
        store.get_domain("depot").save(manifest(), half, {})

    assert store.get_domain("depot").list_versions("schema") == []
    assert not Path(store.place, "depot").exists()
    assert store.get_domain("depot").save(manifest(), FILES, {}).number == 1


def test_a_rename_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(source: Path, target: Path) -> None:
        raise OSError(f"cannot rename {source} to {target}")

    monkeypatch.setattr(Path, "rename", fail)

    with pytest.raises(OSError, match="cannot rename"):
        write_folder(tmp_path / "v1", FILES)

    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_no_version(store: Store) -> None:
    dies_before_the_last_step = (
        "import os, sys; from pathlib import Path;"
        "from sopforge.store.backends.atomic_files import write_folder;"
        "Path.rename = lambda *_: os._exit(9); write_folder(Path(sys.argv[1]), {'a.txt': 'a'})"
    )
    target = Path(store.place, "depot") / "stages" / "schema" / "0001"
    died = subprocess.run(
        [sys.executable, "-c", dies_before_the_last_step, str(target)], check=False
    )

    assert died.returncode == 9
    left = list((Path(store.place, "depot") / "stages" / "schema").iterdir())
    assert [path.name.startswith(".new-") for path in left] == [True]
    assert store.get_domain("depot").list_versions("schema") == []
    assert store.get_domain("depot").save(manifest(), FILES, {}).number == 1


def test_a_domain_has_one_writer_at_a_time(store: Store) -> None:
    impatient = Store(FolderObjects(Path(store.place), lock_seconds=0.05))

    with store.get_domain("depot").lock():
        with pytest.raises(StoreError) as caught, impatient.get_domain("depot").lock():
            pass
        with open_store(Path(store.place)).get_domain("other").lock():
            pass

    assert caught.value.faults[0].code == "domain-locked"
    with open_store(Path(store.place)).get_domain("depot").lock():
        pass


def test_a_lock_is_given_back_after_an_error(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.get_domain("depot").lock():
        raise ZeroDivisionError

    with store.get_domain("depot").lock():
        pass


def test_writers_that_wait_for_the_lock_all_get_a_version_of_their_own(store: Store) -> None:
    def save(key: str) -> None:
        own = open_store(store.place).get_domain("depot")
        with own.lock():
            own.save(manifest(key), FILES, {})

    threads = [Thread(target=save, args=(f"k{number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    found = store.get_domain("depot").list_versions("schema")
    assert [version.number for version in found] == [1, 2, 3, 4, 5, 6]
    assert {version.manifest.key for version in found} == {f"k{number}" for number in range(6)}


def test_what_waits_at_a_gate_is_remembered_until_it_is_cleared(store: Store) -> None:
    version = store.get_domain("depot").save(manifest(), FILES, {})

    store.get_domain("depot").set_waiting(version)
    waiting = store.get_domain("depot").find_waiting()
    store.get_domain("depot").set_waiting(None)
    store.get_domain("depot").set_waiting(None)

    assert waiting == Waiting("schema", "k1", digest_files(FILES))
    assert store.get_domain("depot").find_waiting() is None


def test_domains_and_releases_are_listed_in_order(store: Store) -> None:
    for domain in ("yard", "depot"):
        store.get_domain(domain).save(replace(manifest(), domain=domain), FILES, {})
    for name in ("1.10.0", "1.2.0", "1.9.0"):
        store.get_domain("depot").save_release(name, {"one.txt": b"first"}, {"version": name})

    assert store.list_domains() == ["depot", "yard"]
    assert store.get_domain("depot").list_releases() == ["1.2.0", "1.9.0", "1.10.0"]


def test_digests_ignore_the_order_of_names_and_nothing_else() -> None:
    assert digest_value({"a": 1, "b": 2}) == digest_value({"b": 2, "a": 1})
    assert digest_value({"a": 1}) != digest_value({"a": "1"})
    assert digest_value(["a", "b"]) != digest_value(["b", "a"])
    assert digest_files({"a": "x", "b": "y"}) != digest_files({"a": "y", "b": "x"})
    # SHA-256 of the three letters "abc", from FIPS 180-2
    assert digest_text("abc") == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
