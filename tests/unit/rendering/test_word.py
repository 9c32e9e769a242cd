"""An SOP as a Word document: every line under a style of Word, and the same bytes at any time."""

from __future__ import annotations

import io
import time
import zipfile

import pytest
from docx import Document
from docx.document import Document as WordDocument
from docx.table import Table

from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.artifacts.rendering.word import render_word
from tests.worlds.small_models import claims

SOP = SopDocument(
    (
        Statement(Style.TITLE, "Standard Operating Procedure: Late Fees"),
        Statement(Style.ROW, "| Owner | Review interval |"),
        Statement(Style.ROW, "| librarian | 12 months |"),
        Statement(Style.SECTION, "6. Main procedure"),
        Statement(Style.STEP, "6.1 Look the loan up"),
        Statement(Style.PARAGRAPH, "If any of the following applies, go to step 6.2:"),
        Statement(Style.BULLET, "the delay is 1 day & <b>more</b>;"),
        Statement(Style.NESTED, "a film was lent."),
    )
)


def opened(data: bytes) -> WordDocument:
    return Document(io.BytesIO(data))


def test_each_line_has_a_style_of_word() -> None:
    made = opened(render_word(SOP))
    lines = [(part.style.name, part.text) for part in made.paragraphs if part.style and part.text]

    assert lines == [
        ("Title", "Standard Operating Procedure: Late Fees"),
        ("Heading 1", "6. Main procedure"),
        ("Heading 2", "6.1 Look the loan up"),
        ("Normal", "If any of the following applies, go to step 6.2:"),
        ("List Bullet", "the delay is 1 day & <b>more</b>;"),
        ("List Bullet 2", "a film was lent."),
    ]


def test_rows_are_a_table_whose_heading_is_repeated_on_each_page() -> None:
    made = opened(render_word(SOP))
    (table,) = made.tables

    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["Owner", "Review interval"],
        ["librarian", "12 months"],
    ]
    assert table.style is not None
    assert table.style.name == "Table Grid"
    assert ["w:tblHeader" in row._tr.xml for row in table.rows] == [True, False]  # noqa: SLF001


def test_a_whole_sop_is_in_the_document_in_its_order() -> None:
    sop = render_sop(claims(), "")
    made = opened(render_word(sop))
    texts: list[str] = []
    for part in made.iter_inner_content():
        if isinstance(part, Table):
            rows = [[cell.text for cell in row.cells] for row in part.rows]
            texts += [f"| {' | '.join(row)} |" for row in rows]
        elif part.text:
            texts.append(part.text)

    assert len(made.tables) >= 1
    assert texts == [line.text for line in sop.lines]


def test_equal_sops_give_equal_bytes_at_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    first = render_word(SOP)
    later = time.localtime(time.time() + 400_000)
    monkeypatch.setattr(time, "localtime", lambda *_: later)

    assert render_word(SOP) == first
    with zipfile.ZipFile(io.BytesIO(first)) as parts:
        assert {part.date_time for part in parts.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_document_says_what_it_is_and_not_who_saved_it_when() -> None:
    about = opened(render_word(SOP)).core_properties

    assert about.title == "Standard Operating Procedure: Late Fees"
    assert (about.author, about.last_modified_by, about.comments) == ("", "", "")
    assert {about.created, about.modified} == {about.created}
    assert about.created is not None
    assert about.created.year == 1980


def test_characters_that_word_cannot_hold_do_not_keep_an_sop_from_being_saved() -> None:
    odd = SopDocument((Statement(Style.PARAGRAPH, "a\x00b\x0cc\ud800d\uffffe"),))

    assert opened(render_word(odd)).paragraphs[0].text == "a�b�c�d�e"
