"""The page of a stage shows which passages of an SOP a language model wrote of its own."""

from __future__ import annotations

from pathlib import Path

from review.dossier import passages, render_dossier
from sopforge.rendering.own_words import own_paragraph
from sopforge.rendering.sop_document import Line, SopDocument, Style
from sopforge.store.decisions import GateState
from sopforge.store.digests import digest_files
from sopforge.store.folder import FolderObjects
from sopforge.store.versions import Manifest, Version

LINES = (
    Line(Style.SECTION, "1. Look"),
    own_paragraph("Be kind & patient."),
    Line(Style.BULLET, "Call."),
)


def files(*lines: Line) -> dict[str, str]:
    document = SopDocument(lines)
    return {"sop.txt": document.as_text(), "trace.json": document.as_trace()}


def test_own_passages_are_parts_of_their_own() -> None:
    assert passages(files(*LINES)) == [
        ("\n1. Look\n", False),
        ("Be kind & patient.\n", True),
        ("- Call.\n", False),
    ]
    assert "".join(text for text, _ in passages(files(*LINES))) == files(*LINES)["sop.txt"]


def page(folder: Path, *lines: Line) -> str:
    (folder / "files").mkdir()
    for name, text in files(*lines).items():
        (folder / "files" / name).write_text(text, encoding="utf-8")
    manifest = Manifest("fees", "sop", "key", digest_files(files(*lines)), "offline", {}, ())
    return render_dossier(
        Version(1, folder.name, manifest, FolderObjects(folder.parent)), GateState.WAITING
    )


def test_the_page_marks_own_passages_and_escapes_them(tmp_path: Path) -> None:
    shown = page(tmp_path, *LINES)

    assert "<mark>Be kind &amp; patient.\n</mark>- Call." in shown
    assert "no proof covers it" in shown


def test_a_text_without_own_passages_is_shown_as_it_is(tmp_path: Path) -> None:
    shown = page(tmp_path, LINES[0], LINES[2])

    assert "<mark>" not in shown
    assert "no proof covers it" not in shown
