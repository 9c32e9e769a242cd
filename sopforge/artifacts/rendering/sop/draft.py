"""The sections of an expert's draft, as they were written, but for what leads nowhere in the SOP.

That is its title, the numbers of its sections and paragraphs, and sentences that point to these.
Sentences with figures that the model does not have go too: they are of another edition.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.language.domain.expressions.expressions import Constant, iterate_parts
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.values.types import NumberType, require_integer
from sopforge.language.english.nouns import format_figure, trim_zeros
from sopforge.language.english.prose.binding import list_figures, split_sentences

PURPOSE = "Purpose"
SCOPE = "Scope"
_HEADINGS = {
    SCOPE: ("applicability", "scope of application"),
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
_NUMBER = re.compile(
    r"^(?:(?i:section|chapter|part|annex|appendix|step)\s+(?:\d+(?:\.\d+)*|[A-Z])\s*[:.\u2013\u2014-]"
    r"|\d+(?:\.\d+)+\.?|\d+[.)]|[A-Z][.)])\s+(?=\S)"
)
_POINTER = re.compile(
    r"\b(?:sections?|chapters?|clauses?|paragraphs?|annex|appendix|tables?|figures?|steps?|pages?)"
    r" (?:\d|[A-Z]\b)|\b(?:overleaf|(?:above|below)(?=[.,;:)]))",
    re.IGNORECASE,
)
"""What points to a passage of the draft, which has no such numbers here."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the SOP before it has a number."""

    title: str
    statements: list[Statement] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft as the SOP takes it over, and the sentences of it that the SOP leaves out."""

    sections: list[Section]
    left_out: list[str]


def read_draft(draft: str, figures: Collection[str]) -> Draft:
    """Return the draft's sections, and what was left out; ``figures`` are those of the model.

    Its title is that of the document, which the SOP has anyway; what stands below is its purpose.
    """
    written = list(_parse_headings(draft))
    title = written.pop(0)[1] if _has_title(written) else None
    titles = _name_sections([_NUMBER.sub("", part.title, count=1) for _, part in written])
    parts = [Section(x, part.statements) for x, (_, part) in zip(titles, written, strict=True)]
    if title:
        _keep_opening(parts, title.statements)
    sections, gone = [], list[str]()
    for section in parts:
        kept = [x for item in section.statements for x in _keep_sentences(item, figures, gone)]
        # A section of nothing else goes too.
        if kept or not section.statements:
            sections.append(Section(section.title, kept))
    return Draft(sections, gone)


def _keep_sentences(
    item: Statement, figures: Collection[str], gone: list[str]
) -> Iterator[Statement]:
    """Yield a statement without the sentences that lead nowhere or have other figures.

    A row of a table stays: what its neighbours say with it is unknown.
    """
    if item.style is Style.ROW:
        yield item
        return
    number, text = _split_number(item.text)
    sentences = split_sentences(text)
    left = [x for x in sentences if _POINTER.search(x) or find_other_figures(x, figures)]
    gone += left
    kept = [x for x in sentences if x not in left]
    if kept:
        yield replace(item, text=f"{number}{' '.join(kept)}")


def _split_number(text: str) -> tuple[str, str]:
    """Return the number of a list's entry, and a text without it or the number of a paragraph."""
    found = _NUMBER.match(text)
    number = found[0] if found and _ITEM.match(text) else ""
    return number, text[found.end() :] if found else text


def find_other_figures(sentence: str, figures: Collection[str]) -> list[str]:
    """Return the figures of a sentence that are none of a model's; years of history are none."""
    found = list_figures(_NUMBER.sub("", sentence, count=1))
    return [x for x in found if trim_zeros(x.replace(",", "")) not in figures]


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
    """Yield the headings with their statements as they are written, each with its depth."""
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
            section.statements.extend(_parse_block(body))
    if section is not None:
        yield depth, section


def _has_title(written: Sequence[tuple[int, Section]]) -> bool:
    """Return whether the first heading is that of the whole: all others stand below it."""
    depths = [depth for depth, _ in written]
    return len(depths) > 1 and 0 < depths[0] < min(depths[1:])


def _keep_opening(sections: list[Section], statements: list[Statement]) -> None:
    """Let what stands under the title open the purpose."""
    purpose = next((part for part in sections if part.title.lower() == PURPOSE.lower()), None)
    if purpose is not None:
        purpose.statements[:0] = statements
    elif statements:
        sections.insert(0, Section(PURPOSE, statements))


def _parse_block(block: str) -> Iterator[Statement]:
    """Return a block as the expert set it: a paragraph, a list, or the rows of a table."""
    text = block.strip().replace("**", "")
    if not _ITEM.match(text) and not text.startswith("|"):
        yield Statement(Style.PARAGRAPH, text, excused="draft")
        return
    for item in re.split(rf"\n(?={_ITEM.pattern}|\|)", text):
        yield from _parse_item(item)


def _parse_item(text: str) -> Iterator[Statement]:
    if text.startswith("|"):
        if not _RULER.fullmatch(text.strip()):
            yield Statement(Style.ROW, text, excused="draft")
    elif text[0] in "-*":
        yield Statement(Style.BULLET, text[2:], excused="draft")
    else:
        yield Statement(Style.PARAGRAPH, text, excused="draft")


def collect_figures(model: DomainModel) -> frozenset[str]:
    """Return the numbers that rules, limits and ranges of a model have, as texts write them."""
    known = [item.constant for item in model.policy.values()]
    parts = iterate_parts(*collect_deciding_expressions(model))
    known += [part for part in parts if isinstance(part, Constant)]
    values = [
        (item.type, require_integer(item.value))
        for item in known
        if isinstance(item.type, NumberType)
    ]
    kinds = [item.type for item in model.fields.values() if isinstance(item.type, NumberType)]
    values += [(kind, end) for kind in kinds for end in (kind.minimum, kind.maximum)]
    return frozenset(format_figure(kind, value) for kind, value in values)
