"""The SOP as a sequence of lines, each with the model items that it states.

``sop.txt`` holds the text that an agent reads, ``trace.json`` the spans of its lines in it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sopforge.errors import Fault, StoreError


class Style(StrEnum):
    """How a line is set."""

    TITLE = "title"
    SECTION = "section"
    STEP = "step"
    PARAGRAPH = "paragraph"
    BULLET = "bullet"
    NESTED = "nested bullet"
    ROW = "table row"


@dataclass(frozen=True, slots=True)
class Line:
    """One line; ``states`` lists model items, ``excused`` says why it need not state any.

    ``read_as`` is the derived line of which ``read_by``, a language model, says that this one, in
    a person's words, says the same; both are empty for all others.
    """

    style: Style
    text: str
    states: tuple[str, ...] = ()
    excused: str = ""
    read_as: str = ""
    read_by: str = ""


@dataclass(frozen=True, slots=True)
class SopDocument:
    """An SOP whose every line knows what it states."""

    lines: tuple[Line, ...]

    def as_text(self) -> str:
        """Return the SOP as plain text."""
        return "".join(_render_plain_line(line) for line in self.lines)

    def as_markdown(self) -> str:
        """Return the SOP as Markdown."""
        befores = (None, *self.lines)
        return "".join(
            _render_markdown_line(line, before)
            for before, line in zip(befores, self.lines, strict=False)
        )

    def as_trace(self) -> str:
        """Return the spans of the lines in the plain text, as JSON."""
        spans, start = [], 0
        for line in self.lines:
            end = start + len(_render_plain_line(line))
            spans.append(
                {
                    "start": start,
                    "end": end,
                    "style": line.style,
                    "states": list(line.states),
                    "excused": line.excused,
                    **_record_reading(line),
                }
            )
            start = end
        return json.dumps({"spans": spans}, indent=1, ensure_ascii=False) + "\n"


def read_sop(text: str, trace: str) -> SopDocument:
    """Return the document whose ``as_text`` and ``as_trace`` the arguments are.

    Raises:
        StoreError: the spans do not cover the text.
    """
    spans = json.loads(trace)["spans"]
    lines = [
        Line(
            Style(span["style"]),
            _strip_style(Style(span["style"]), text[span["start"] : span["end"]]),
            tuple(span["states"]),
            span["excused"],
            span.get("read_as", ""),
            span.get("read_by", ""),
        )
        for span in spans
    ]
    document = SopDocument(tuple(lines))
    if document.as_text() != text:
        raise StoreError(Fault("trace-mismatch", "the trace does not fit the text", "trace.json"))
    return document


def _record_reading(line: Line) -> dict[str, str]:
    return {"read_as": line.read_as, "read_by": line.read_by} if line.read_as else {}


def insert_after(lines: Sequence[Line], position: int, new: Line) -> tuple[Line, ...]:
    """Return the lines with a new one after the line at ``position``."""
    return (*lines[: position + 1], new, *lines[position + 1 :])


def format_table_row(cells: Sequence[str]) -> str:
    """Return the text of a table's row; a bar in a cell cannot be distinguished from a border."""
    return f"| {' | '.join(cells)} |"


def split_table_row(text: str) -> tuple[str, ...]:
    """Return the cells of a table's row.

    >>> split_table_row("| a | b |")
    ('a', 'b')
    """
    return tuple(text.removeprefix("|").removesuffix("|").strip().split(" | "))


_PREFIX = {Style.BULLET: "- ", Style.NESTED: "  - "}
_SPACED = {Style.TITLE, Style.SECTION, Style.STEP}


def _render_plain_line(line: Line) -> str:
    before = "\n" if line.style in {Style.SECTION, Style.STEP} else ""
    return f"{before}{_PREFIX.get(line.style, '')}{line.text}\n"


def _strip_style(style: Style, text: str) -> str:
    return text.strip("\n").removeprefix(_PREFIX.get(style, ""))


def _render_markdown_line(line: Line, before: Line | None) -> str:
    """Return a line as Markdown; the first row of a table is its heading."""
    marks = {Style.TITLE: "# ", Style.SECTION: "\n## ", Style.STEP: "\n### "}
    mark = marks.get(line.style, _PREFIX.get(line.style, ""))
    after = "\n\n" if _is_apart(line) else "\n"
    gap = "\n" if _needs_gap(line, before) else ""
    return f"{gap}{mark}{line.text}{after}{_render_ruler(line, before)}"


def _is_apart(line: Line) -> bool:
    """Return whether a blank line follows by itself."""
    return line.style in {*_SPACED, Style.PARAGRAPH}


def _needs_gap(line: Line, before: Line | None) -> bool:
    """Return whether the line would run into the list or the table before it."""
    if before is None or _is_apart(before):
        return False
    is_table = line.style is Style.ROW
    return line.style is Style.PARAGRAPH or is_table != (before.style is Style.ROW)


def _render_ruler(line: Line, before: Line | None) -> str:
    """Return what stands below the heading of a table."""
    is_first = before is None or before.style is not Style.ROW
    columns = line.text.count(" | ") + 1
    return f"|{' --- |' * columns}\n" if line.style is Style.ROW and is_first else ""
