"""What of a stranger's folder is copied, and what is refused with its path and reason."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from sopforge.errors import Fault, MaterialError
from sopforge.untrusted.folders import Limits, copy_folder, refuse_listed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "given"
    (made / "grader").mkdir(parents=True)
    (made / "sop.txt").write_text("Look at it.")
    (made / "grader" / "tasks.jsonl").write_text("{}")
    return made


def faults(folder: Path, limits: Limits | None = None) -> tuple[Fault, ...]:
    with pytest.raises(MaterialError) as refused:
        copy_folder(folder, folder.parent / "copy", limits or Limits())
    return refused.value.faults


def fault(folder: Path, limits: Limits | None = None) -> tuple[str, str, str]:
    (found,) = faults(folder, limits)
    return found.code, found.where, found.message


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_plain_files_and_folders_are_copied_whole(folder: Path) -> None:
    (folder / "large.bin").write_bytes(b"ab" * 1024**2)
    copy_folder(folder, folder.parent / "copy")
    copy = folder.parent / "copy"
    assert names(copy) == {"sop.txt", "large.bin", "grader", "grader/tasks.jsonl"}
    assert (copy / "large.bin").read_bytes() == b"ab" * 1024**2


def test_a_folder_that_is_itself_a_link_is_the_one_that_was_named(folder: Path) -> None:
    (folder.parent / "latest").symlink_to(folder)
    copy_folder(folder.parent / "latest", folder.parent / "copy")
    assert "sop.txt" in names(folder.parent / "copy")


def link(path: Path) -> None:
    path.symlink_to("sop.txt")


def link_to_folder(path: Path) -> None:
    path.symlink_to("/")


def link_to_nothing(path: Path) -> None:
    path.symlink_to("nowhere")


def plug(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as plugged:
        plugged.bind(str(path))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (link, "it is a link"),
        (link_to_folder, "it is a link"),
        (link_to_nothing, "it is a link"),
        (os.mkfifo, "it is a named pipe"),
        (plug, "it is a socket"),
    ],
)
def test_what_is_no_plain_file_is_refused_unopened(
    folder: Path, make: Callable[[Path], None], message: str
) -> None:
    make(folder / "grader" / "x")
    assert fault(folder) == ("not-a-file", f"{folder}/grader/x", message)
    assert "grader/x" not in names(folder.parent / "copy")


def test_all_that_is_wrong_is_said_at_once(folder: Path) -> None:
    link(folder / "a")
    os.mkfifo(folder / "b")
    assert [found.message for found in faults(folder)] == ["it is a link", "it is a named pipe"]


def test_of_many_faults_the_first_twenty_are_said(folder: Path) -> None:
    for number in range(30):
        link(folder / f"link{number:02}")
    assert [found.where[-2:] for found in faults(folder)] == [f"{n:02}" for n in range(20)]


def test_a_file_with_a_hole_in_it_is_not_read(folder: Path) -> None:
    with (folder / "records.csv").open("wb") as file:
        file.truncate(3_000_000_000)
    message = "it has 3,000,000,000 bytes; at most 67,108,864 are read"
    assert fault(folder) == ("file-too-large", f"{folder}/records.csv", message)


def test_files_are_counted_and_measured_together(folder: Path) -> None:
    (folder / "sop.txt").write_bytes(b"1234")
    (folder / "grader" / "tasks.jsonl").write_bytes(b"123")
    copy_folder(folder, folder.parent / "fits", Limits(entries=3, file=4, whole=7, depth=2))

    assert fault(folder, Limits(entries=2))[0] == "folder-too-large"
    shutil.rmtree(folder.parent / "copy")
    assert fault(folder, Limits(whole=6))[0] == "folder-too-large"


def test_empty_folders_count_and_are_not_walked_to_their_end(folder: Path) -> None:
    for number in range(5):
        (folder / f"empty{number}").mkdir()
    code, where, message = fault(folder, Limits(entries=4))
    assert (code, where) == ("folder-too-large", str(folder))
    assert message == "there are more than 4 files and folders"


def test_folders_lie_eight_deep_and_no_deeper(folder: Path) -> None:
    eighth = folder.joinpath(*["d"] * 7)
    eighth.mkdir(parents=True)
    copy_folder(folder, folder.parent / "fits")
    (eighth / "d").mkdir()
    assert fault(folder)[:2] == ("folder-too-deep", f"{eighth}/d")


@pytest.mark.parametrize(
    ("name", "said"), [(b"\xff.csv", r"\udcff.csv"), (b"a\nerror b", r"a\nerror b")]
)
def test_a_name_that_is_no_text_is_refused_and_said_in_characters_that_can_be_shown(
    folder: Path, name: bytes, said: str
) -> None:
    Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).touch()
    assert fault(folder)[:2] == ("not-a-file-name", f"{folder}/{said}")


def test_a_file_that_becomes_a_link_before_it_is_opened_is_not_followed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, secret = (folder / "sop.txt").stat(), folder.parent / "secret"
    secret.write_text("secret")
    (folder / "sop.txt").unlink()
    (folder / "sop.txt").symlink_to(secret)
    monkeypatch.setattr(os, "stat", lambda *_, **__: status)
    with pytest.raises((OSError, MaterialError)):
        copy_folder(folder, folder.parent / "copy")
    assert "sop.txt" not in names(folder.parent / "copy")


def test_a_file_that_grows_while_it_is_read_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = os.read

    def grown(descriptor: int, size: int) -> bytes:
        with (folder / "sop.txt").open("ab") as file:
            file.write(b"!")
        return read(descriptor, size)

    (folder / "grader" / "tasks.jsonl").unlink()
    monkeypatch.setattr(os, "read", grown)
    message = "it changed while it was read"
    assert fault(folder) == ("not-readable", f"{folder}/sop.txt", message)


def test_what_the_system_does_not_let_be_read_is_said_with_its_path(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open

    def locked(path: object, *arguments: object, **more: object) -> int:
        if path == "sop.txt":
            raise PermissionError(13, "Permission denied")
        return opened(path, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", locked)
    message = "it cannot be read: Permission denied"
    assert fault(folder) == ("not-readable", f"{folder}/sop.txt", message)


@pytest.mark.parametrize(
    ("sizes", "code"),
    [
        ({"../x": 1}, "not-a-file-name"),
        ({"/etc/x": 1}, "not-a-file-name"),
        ({"a//b": 1}, "not-a-file-name"),
        ({"a/./b": 1}, "not-a-file-name"),
        ({"a/b/c": 1}, "folder-too-deep"),
        ({"a": 11}, "file-too-large"),
        ({"a": 9, "b": 9}, "folder-too-large"),
        ({"a": 1, "b": 1, "c": 1, "d": 1}, "folder-too-large"),
    ],
)
def test_what_a_service_lists_is_held_to_the_same(sizes: dict[str, int], code: str) -> None:
    limits = Limits(entries=3, file=10, whole=15, depth=2)
    refuse_listed("s3://bucket/refund", {"a/b": 10, "c": 5}, limits)
    with pytest.raises(MaterialError) as refused:
        refuse_listed("s3://bucket/refund", sizes, limits)
    assert [found.code for found in refused.value.faults] == [code]
