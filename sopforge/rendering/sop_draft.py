"""The sections of an expert's draft, each kept as it was written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sopforge.rendering.sop_document import Line, Style


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the SOP before it has a number."""

    title: str
    lines: list[Line] = field(default_factory=list)


def draft_sections(draft: str) -> list[Section]:
    """Return the draft's headings with their lines."""
    sections: list[Section] = []
    for block in filter(None, re.split(r"\n\s*\n", draft.strip())):
        heading = re.match(r"#+\s*(.+)", block)
        body = block[heading.end() :] if heading else block
        if heading or not sections:
            sections.append(Section(heading[1].strip() if heading else "Purpose"))
        if body.strip():
            sections[-1].lines.extend(_lines(body))
    return sections


def _lines(block: str) -> Iterator[Line]:
    text = block.strip().replace("**", "")
    if not text.startswith("- "):
        yield Line(Style.PARAGRAPH, text, excused="draft")
        return
    for item in re.split(r"\n(?=- )", text):
        yield Line(Style.BULLET, item.removeprefix("- "), excused="draft")
