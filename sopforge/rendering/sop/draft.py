"""The sections of an expert's draft, as they were written, but for what leads nowhere in the SOP.

That is its title, the numbers of its sections and paragraphs, and pointers by these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.draft_pointers import LeftOut, Pointers, find_draft_numbers

PURPOSE = "Purpose"
_HEADINGS = {
    "Scope": ("applicability", "scope of application"),
    "Definitions": (
        *("terms", "terms and definitions", "definitions and terms", "glossary"),
        *("abbreviations and definitions", "definitions and abbreviations"),
    ),
    "Roles": ("responsibilities", "roles and responsibilities", "responsibilities and roles"),
    "Exceptions": ("exception handling",),
    "Records": ("record keeping", "records and retention"),
}
"""What else a section is called that the SOP has itself."""
_TITLES = {other: title for title, others in _HEADINGS.items() for other in others}
_ITEM = re.compile(r"(?:[-*]|\d+[.)]) ")
_RULER = re.compile(r"[|:\s-]+")


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the SOP before it has a number."""

    title: str
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft as the SOP takes it over, and what of it the SOP leaves out."""

    sections: list[Section]
    left_out: list[LeftOut]


def parse_draft_sections(draft: str) -> list[Section]:
    """Return the draft's headings with their lines."""
    return read_draft(draft).sections


def read_draft(draft: str) -> Draft:
    """Return the draft's sections without pointers of its own, and what was left out.

    Its title is that of the document, which the SOP has anyway; what stands below is its purpose.
    """
    written = list(_parse_headings(draft))
    title = written.pop(0)[1] if _has_title(written) else None
    gone: list[LeftOut] = []
    pointers = Pointers(find_draft_numbers(draft))
    titles = _name_sections([pointers.strip_heading(part.title) for _, part in written])
    parts = [Section(title, part.lines) for title, (_, part) in zip(titles, written, strict=True)]
    if title:
        _keep_opening(parts, title.lines)
    sections = []
    for section in parts:
        lines, left_out = _strip_lines(pointers, section.lines)
        gone += left_out
        # A section of nothing else goes too.
        if lines or not section.lines:
            sections.append(Section(section.title, lines))
    return Draft(sections, gone)


def _name_sections(titles: Sequence[str]) -> list[str]:
    """Return titles by the names that the SOP has for such sections, none of them twice."""
    taken = {title.lower() for title in titles}
    named = []
    for title in titles:
        other = _TITLES.get(title.lower(), title)
        named.append(title if other.lower() in taken else other)
        taken.add(other.lower())
    return named


def _parse_headings(draft: str) -> Iterator[tuple[int, Section]]:
    """Yield the headings with their lines as they are written, each with its depth."""
    section: Section | None = None
    depth = 0
    for block in filter(None, re.split(r"\n\s*\n", draft.strip())):
        heading = re.match(r"(#+)\s*(.+)", block)
        body = block[heading.end() :] if heading else block
        if heading or section is None:
            if section is not None:
                yield depth, section
            section = Section(heading[2].strip() if heading else PURPOSE)
            depth = len(heading[1]) if heading else 0
        if body.strip():
            section.lines.extend(_parse_lines(body))
    if section is not None:
        yield depth, section


def _has_title(written: Sequence[tuple[int, Section]]) -> bool:
    """Return whether the first heading is that of the whole: all others stand below it."""
    depths = [depth for depth, _ in written]
    return len(depths) > 1 and 0 < depths[0] < min(depths[1:])


def _keep_opening(sections: list[Section], lines: list[Line]) -> None:
    """Let what stands under the title open the purpose."""
    purpose = next((part for part in sections if part.title.lower() == PURPOSE.lower()), None)
    if purpose is not None:
        purpose.lines[:0] = lines
    elif lines:
        sections.insert(0, Section(PURPOSE, lines))


def _strip_lines(pointers: Pointers, lines: Sequence[Line]) -> tuple[list[Line], list[LeftOut]]:
    kept: list[Line] = []
    gone: list[LeftOut] = []
    for line in lines:
        plain, left_out = pointers.strip_line(line)
        gone += left_out
        kept += [plain] if plain is not None else []
    return kept, gone


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
