"""How the SOP is kept as a document, as far as the brief says so: its head, and the retention."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.artifacts.rendering.sop.document import Statement, Style, format_table_row
from sopforge.artifacts.rendering.sop.marks import CONTROL
from sopforge.language.domain.documents.schema import ControlDocument

UNCONTROLLED = ControlDocument()


def render_document_head(control: ControlDocument) -> Iterator[Statement]:
    """Return the table below the title: number, owner, day and review, as far as given."""
    entries = {
        "Document number": control.number,
        "Owner": control.owner,
        "Effective from": control.effective_on,
        "Review interval": control.review_every,
    }
    given = {name: value for name, value in entries.items() if value}
    if given:
        yield Statement(Style.ROW, format_table_row(list(given)), excused=CONTROL)
        yield Statement(Style.ROW, format_table_row(list(given.values())), excused=CONTROL)


def render_retention(control: ControlDocument) -> Iterator[Statement]:
    """Return how long the record of a case is kept."""
    if control.retention:
        text = f"Keep case records for {control.retention}."
        yield Statement(Style.PARAGRAPH, text, excused=CONTROL)
