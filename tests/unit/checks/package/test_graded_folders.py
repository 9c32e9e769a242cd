"""A folder with the grader's files may come from a stranger."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.artifacts.packaging.checksums import find_changed_files, read_folder_files
from sopforge.checks.package.package_solved import read_graded_folder
from sopforge.errors import Fault, PackageUnreadableError
from sopforge.store.backends.atomic_files import write_folder
from tests.conftest import Released


@pytest.fixture
def folder(released: Released, tmp_path: Path) -> Path:
    write_folder(tmp_path / "package", released.package)
    return tmp_path / "package"


def fault(folder: Path) -> Fault:
    with pytest.raises(PackageUnreadableError) as refused:
        read_graded_folder(folder)
    (found,) = refused.value.faults
    return found


def test_a_published_folder_is_read(folder: Path, released: Released) -> None:
    package = read_graded_folder(folder)
    assert package.tool_files["tools.py"].decode() == released.package["tools.py"]


@pytest.mark.parametrize("name", ["grader/tasks.jsonl", "tools.py", "records.csv"])
@pytest.mark.parametrize("to", ["../secret", "sop.txt"])
def test_a_link_is_not_followed(folder: Path, name: str, to: str) -> None:
    (folder.parent / "secret").write_text("secret", encoding="utf-8")
    (folder / name).unlink()
    (folder / name).symlink_to((folder / to).resolve())
    found = fault(folder)
    assert (found.code, found.where, found.message) == ("not-a-file", name, "it is a link")


def test_a_folder_that_is_a_link_is_not_followed(folder: Path) -> None:
    (folder / "grader").rename(folder.parent / "elsewhere")
    (folder / "grader").symlink_to("../elsewhere")
    assert fault(folder).code == "not-a-file"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("grader/tasks.jsonl", b'{"a": 1}\n'),
        ("grader/tasks.jsonl", b"[" * 100_000),
        ("grader/tasks.jsonl", b"\xff\xfe\n"),
        ("grader/trajectories.jsonl", b'{"task_id": "x", "calls": [1]}\n'),
        ("records.csv", b"\xff\n"),
    ],
)
def test_a_file_of_another_shape_is_refused_by_its_name(
    folder: Path, name: str, content: bytes
) -> None:
    (folder / name).write_bytes(content)
    found = fault(folder)
    assert found.code == "package-malformed"
    assert name in found.message


def test_a_package_without_tasks_is_none_that_can_be_solved(folder: Path) -> None:
    for name in ("tasks.jsonl", "trajectories.jsonl"):
        (folder / "grader" / name).write_bytes(b"")
    found = fault(folder)
    assert (found.where, found.message) == ("grader/tasks.jsonl", "the package has no tasks")


def test_files_that_are_too_large_together_are_not_read(folder: Path) -> None:
    with (folder / "records_more.csv").open("wb") as file:
        file.truncate(64 * 1024**2)
    found = fault(folder)
    assert found.code == "file-too-large"
    assert "67,108,864 bytes" in found.message


def test_checksums_of_files_elsewhere_are_of_no_file_of_the_package(folder: Path) -> None:
    (folder.parent / "secret").write_bytes(b"")
    (folder / "linked").symlink_to("../secret")
    nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    lines = f"{nothing}  ../secret\n{nothing}  linked\n"
    (folder / "SHA256SUMS").write_text(lines, encoding="utf-8")
    assert find_changed_files(read_folder_files(folder)) == ["../secret", "linked"]
