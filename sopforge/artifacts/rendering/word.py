"""The SOP as a Word document, with the styles of Word, for people who circulate and mark it.

The same SOP gives the same bytes: nothing in the document says when or by whom it was saved.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby

from docx import Document
from docx.document import Document as WordDocument
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.table import _Row
from docx.text.paragraph import Paragraph

from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style, split_table_row

STYLES = {
    Style.TITLE: "Title",
    Style.SECTION: "Heading 1",
    Style.STEP: "Heading 2",
    Style.PARAGRAPH: "Normal",
    Style.BULLET: "List Bullet",
    Style.NESTED: "List Bullet 2",
}
"""What each line is in Word; rows of tables stand in tables of the style TABLE."""
TABLE = "Table Grid"
_NEVER = datetime(1980, 1, 1, tzinfo=UTC)
_EPOCH = (1980, 1, 1, 0, 0, 0)
# XML has no place for these, however they are written.
_NO_XML = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")


def render_word(sop: SopDocument) -> bytes:
    """Return an SOP as a file of Word; a character that no such file can hold becomes U+FFFD."""
    made = Document()
    for is_table, group in groupby(sop.lines, key=lambda line: line.style is Style.ROW):
        lines = list(group)
        if is_table:
            _add_table(made, [split_table_row(line.text) for line in lines])
        else:
            _add_paragraphs(made, lines)
    _set_properties(made, next((x.text for x in sop.lines if x.style is Style.TITLE), ""))
    _add_page_number(made.sections[0].footer.paragraphs[0])
    saved = io.BytesIO()
    made.save(saved)
    return _write_without_times(saved)


def _add_paragraphs(made: WordDocument, lines: Sequence[Statement]) -> None:
    for line in lines:
        made.add_paragraph(_replace_unwritable(line.text), STYLES[line.style])


def _add_table(made: WordDocument, rows: Sequence[Sequence[str]]) -> None:
    """Add a table, whose first row is its heading, and is repeated on every page."""
    table = made.add_table(0, max(map(len, rows)), TABLE)
    for texts in rows:
        row = table.add_row()
        for cell, text in zip(row.cells, texts, strict=False):
            cell.paragraphs[0].add_run(_replace_unwritable(text)).bold = texts is rows[0] or None
        _keep_row_whole(row, is_heading=texts is rows[0])
    # Word joins what would touch, and a heading would stick to its border.
    made.add_paragraph().paragraph_format.space_after = 0


def _keep_row_whole(row: _Row, *, is_heading: bool) -> None:
    properties = row._tr.get_or_add_trPr()  # noqa: SLF001 - the library has no name for it
    properties.append(OxmlElement("w:cantSplit"))
    if is_heading:
        properties.append(OxmlElement("w:tblHeader"))


def _set_properties(made: WordDocument, title: str) -> None:
    about = made.core_properties
    about.title = _replace_unwritable(title)[:255]
    about.author = about.last_modified_by = about.comments = ""
    about.created = about.modified = _NEVER
    about.revision = 1


def _add_page_number(paragraph: Paragraph) -> None:
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), "PAGE")
    paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
    paragraph._p.append(field)  # noqa: SLF001 - the library has no name for it


def _write_without_times(saved: io.BytesIO) -> bytes:
    """Return the file with its parts in one order, each as of the same day."""
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(saved) as parts,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for name in parts.namelist():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, parts.read(name))
    return packed.getvalue()


def _replace_unwritable(text: str) -> str:
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
