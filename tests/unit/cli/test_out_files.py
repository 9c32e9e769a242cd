"""Files that users ask for are there whole, or what was there before stays as it was."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from stat import S_IMODE

import pytest

from sopforge.cli.out_files import replace_out_folder, write_out
from sopforge.errors import MaterialError


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing more be put on the disk."""

    def refuse(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", refuse)


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_leaves_the_earlier_file_whole(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>of yesterday</p>")

    with pytest.raises(MaterialError) as caught:
        write_out(page, "<p>of today</p>")

    assert str(caught.value) == (
        f"{page}: file-not-written: the disk is full\n"
        "  hint: free some space, then run the same command again"
    )
    assert page.read_text() == "<p>of yesterday</p>"
    assert list(tmp_path.iterdir()) == [page]


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_leaves_the_earlier_folder_whole(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("of yesterday")

    with pytest.raises(MaterialError, match="the disk is full"):
        replace_out_folder(site, {"index.html": "of today"})

    assert (site / "index.html").read_text() == "of yesterday"
    assert list(tmp_path.iterdir()) == [site]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("folder", "it is a folder, but a file is expected here"),
        ("file/below", "a part of the path is a file"),
        ("n" * 300, "the name is too long"),
    ],
    ids=["a folder", "below a file", "too long"],
)
def test_what_the_system_refuses_is_said_with_the_path(
    tmp_path: Path, name: str, says: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")

    with pytest.raises(MaterialError) as caught:
        write_out(tmp_path / name, "text")

    (fault,) = caught.value.faults
    assert (fault.message, fault.where) == (says, str(tmp_path / name))
    assert fault.hint


def test_a_link_stays_one_and_who_may_read_a_file_stays(tmp_path: Path) -> None:
    kept, link = tmp_path / "kept.html", tmp_path / "page.html"
    kept.write_text("old")
    kept.chmod(0o600)
    link.symlink_to(kept)

    write_out(link, "new")

    assert (link.is_symlink(), kept.read_text()) == (True, "new")
    assert S_IMODE(kept.stat().st_mode) == 0o600


def test_a_pipe_gets_what_is_written(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_out(pipe, "a;b")
        assert os.read(reader, 100) == b"a;b"
    finally:
        os.close(reader)
