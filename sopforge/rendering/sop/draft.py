"""The sections of an expert's draft, each kept as it was written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sopforge.rendering.sop.document import Line, Style

_ITEM = re.compile(r"(?:[-*]|\d+[.)]) ")
_RULER = re.compile(r"[|:\s-]+")


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the SOP before it has a number."""

    title: str
    lines: list[Line] = field(default_factory=list)


def parse_draft_sections(draft: str) -> list[Section]:
    """Return the draft's headings with their lines."""
    sections: list[Section] = []
    for block in filter(None, re.split(r"\n\s*\n", draft.strip())):
        heading = re.match(r"#+\s*(.+)", block)
        body = block[heading.end() :] if heading else block
        if heading or not sections:
            sections.append(Section(heading[1].strip() if heading else "Purpose"))
        if body.strip():
            sections[-1].lines.extend(_parse_lines(body))
    return sections


def _parse_lines(block: str) -> Iterator[Line]:
    """Return a block as the expert set it: a paragraph, a list, or the rows of a table."""
    text = block.strip().replace("**", "")
    if not _ITEM.match(text) and not text.startswith("|"):
        yield Line(Style.PARAGRAPH, text, excused="draft")
        return
    for item in re.split(rf"\n(?={_ITEM.pattern}|\|)", text):
        yield from _parse_item(item)


def _parse_item(text: str) -> Iterator[Line]:
    if text.startswith("|"):
        if not _RULER.fullmatch(text.strip()):
            yield Line(Style.ROW, text, excused="draft")
    elif text[0] in "-*":
        yield Line(Style.BULLET, text[2:], excused="draft")
    else:
        yield Line(Style.PARAGRAPH, text, excused="draft")
