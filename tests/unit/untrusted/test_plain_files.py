"""One file of a stranger's, opened so that neither links nor pipes lead elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sopforge.untrusted.plain_files import RefusedFileError, read_below, read_named


def test_a_link_that_the_user_named_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("text")
    (tmp_path / "link").symlink_to("real")
    assert read_named(tmp_path / "link", 4) == b"text"


@pytest.mark.parametrize("linked", ["inner", "inner/file"])
def test_below_a_folder_no_part_of_the_path_is_a_link(tmp_path: Path, linked: str) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "file").write_text("text")
    assert read_below(tmp_path, "inner/file", 4) == b"text"

    (tmp_path / linked).rename(tmp_path / "elsewhere")
    (tmp_path / linked).symlink_to(tmp_path / "elsewhere")

    with pytest.raises(RefusedFileError, match="is a link"):
        read_below(tmp_path, "inner/file", 4)


def test_a_pipe_holds_nobody_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RefusedFileError, match="is a named pipe"):
        read_named(tmp_path / "pipe", 4)
    with pytest.raises(RefusedFileError, match="is a named pipe"):
        read_below(tmp_path, "pipe", 4)


@pytest.mark.parametrize(
    ("path", "reason"), [("/dev/zero", "is a device"), ("/dev", "is a folder")]
)
def test_devices_and_folders_are_no_files(path: str, reason: str) -> None:
    with pytest.raises(RefusedFileError, match=reason):
        read_named(Path(path), 4)


def test_one_byte_too_many_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("texts")
    assert read_named(tmp_path / "file", 5) == b"texts"
    with pytest.raises(RefusedFileError, match="has 5 bytes; at most 4 are read"):
        read_named(tmp_path / "file", 4)
