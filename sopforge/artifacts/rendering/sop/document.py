"""The SOP as a document of statements; its text is their rendering.

Each statement knows the model items that it states and, if it is one of the grammar's, what it
says. ``sop.txt`` holds the text that an agent reads, ``trace.json`` the spans of its lines in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from sopforge.errors import Fault, StoreError
from sopforge.language.english.terms import Term

ITEM = "\n  - "
"""What stands before each line of the list below a statement."""
SIGNED = "signed by "
"""Begins who vouches for a statement where that is a person."""


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
class Statement:
    """One sentence, heading, list entry or row, with the list below it if it has one.

    ``states`` lists model items, ``excused`` says why it need not state any. A statement of the
    grammar has the ``kind`` of its words and what it says, its ``term``; all others mean their
    words alone. ``read_as`` is the derived statement of which ``read_by``, a language model or a
    person who signs, says that this one, in other words, says the same.
    """

    style: Style
    text: str
    states: tuple[str, ...] = ()
    excused: str = ""
    kind: str = ""
    term: Term | None = None
    read_as: str = ""
    read_by: str = ""

    @property
    def signer(self) -> str:
        """The person who states that the words mean the same, "" where nobody does."""
        return self.read_by.removeprefix(SIGNED) if self.read_by.startswith(SIGNED) else ""

    @property
    def lines(self) -> tuple[Statement, ...]:
        """The statement line by line: its own, and those of the list below it."""
        if ITEM not in self.text:
            return (self,)
        first, *items = self.text.split(ITEM)
        nested = (replace(self, style=Style.NESTED, text=item) for item in items)
        return (replace(self, text=first), *nested)


@dataclass(frozen=True, slots=True)
class SopDocument:
    """An SOP whose every statement knows what it states."""

    statements: tuple[Statement, ...]

    @property
    def lines(self) -> tuple[Statement, ...]:
        """The statements of the text line by line."""
        return tuple(line for item in self.statements for line in item.lines)

    def as_text(self) -> str:
        """Return the SOP as plain text."""
        return "".join(map(_render_plain_line, self.lines))

    def as_markdown(self) -> str:
        """Return the SOP as Markdown."""
        lines = self.lines
        befores = (None, *lines)
        return "".join(
            _render_markdown_line(line, before)
            for before, line in zip(befores, lines, strict=False)
        )

    def as_trace(self) -> str:
        """Return the spans of the lines in the plain text, as JSON, each with its statement."""
        spans, start = [], 0
        for number, item in self.number_statements():
            for line in item.lines:
                end = start + len(_render_plain_line(line))
                spans.append(
                    {
                        "start": start,
                        "end": end,
                        "id": number,
                        "style": line.style,
                        "states": list(line.states),
                        "excused": line.excused,
                        **_record_reading(line),
                    }
                )
                start = end
        return json.dumps({"spans": spans}, indent=1, ensure_ascii=False) + "\n"

    def number_statements(self) -> Iterator[tuple[str, Statement]]:
        """Yield the statements with their ids: what they state first, or what they are."""
        counts: dict[str, int] = {}
        for item in self.statements:
            name = item.states[0] if item.states else item.excused or item.style.value
            counts[name] = counts.get(name, 0) + 1
            yield (name if counts[name] == 1 else f"{name} ({counts[name]})"), item


def read_sop(text: str, trace: str) -> SopDocument:
    """Return the document whose ``as_text`` and ``as_trace`` the arguments are, without terms.

    Raises:
        StoreError: the spans do not cover the text.
    """
    spans = json.loads(trace)["spans"]
    lines = [
        Statement(
            Style(span["style"]),
            _strip_style(Style(span["style"]), text[span["start"] : span["end"]]),
            tuple(span["states"]),
            span["excused"],
            read_as=span.get("read_as", ""),
            read_by=span.get("read_by", ""),
        )
        for span in spans
    ]
    document = SopDocument(join_lines(lines))
    if document.as_text() != text:
        raise StoreError(Fault("trace-mismatch", "the trace does not fit the text", "trace.json"))
    return document


def join_lines(lines: Iterable[Statement]) -> tuple[Statement, ...]:
    """Return lines as statements, each with the list below it."""
    found: list[Statement] = []
    for line in lines:
        if line.style is Style.NESTED and found:
            found[-1] = replace(found[-1], text=f"{found[-1].text}{ITEM}{line.text}")
        else:
            found.append(line)
    return tuple(found)


def _record_reading(line: Statement) -> dict[str, str]:
    return {"read_as": line.read_as, "read_by": line.read_by} if line.read_as else {}


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


def _render_plain_line(line: Statement) -> str:
    before = "\n" if line.style in {Style.SECTION, Style.STEP} else ""
    return f"{before}{_PREFIX.get(line.style, '')}{line.text}\n"


def _strip_style(style: Style, text: str) -> str:
    return text.strip("\n").removeprefix(_PREFIX.get(style, ""))


def _render_markdown_line(line: Statement, before: Statement | None) -> str:
    """Return a line as Markdown; the first row of a table is its heading."""
    marks = {Style.TITLE: "# ", Style.SECTION: "\n## ", Style.STEP: "\n### "}
    mark = marks.get(line.style, _PREFIX.get(line.style, ""))
    after = "\n\n" if _is_apart(line) else "\n"
    gap = "\n" if _needs_gap(line, before) else ""
    return f"{gap}{mark}{line.text}{after}{_render_ruler(line, before)}"


def _is_apart(line: Statement) -> bool:
    """Return whether a blank line follows by itself."""
    return line.style in {*_SPACED, Style.PARAGRAPH}


def _needs_gap(line: Statement, before: Statement | None) -> bool:
    """Return whether the line would run into the list or the table before it."""
    if before is None or _is_apart(before):
        return False
    is_table = line.style is Style.ROW
    return line.style is Style.PARAGRAPH or is_table != (before.style is Style.ROW)


def _render_ruler(line: Statement, before: Statement | None) -> str:
    """Return what stands below the heading of a table."""
    is_first = before is None or before.style is not Style.ROW
    columns = line.text.count(" | ") + 1
    return f"|{' --- |' * columns}\n" if line.style is Style.ROW and is_first else ""
