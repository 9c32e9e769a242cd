"""The SOP as a language model writes it: section by section, each line with what it states.

A section starts from its derived lines, which are exact. The model words it for its readers; what
it writes must state the same model items, and the checks read its rules back. In the last round a
section that still has errors is taken back to its derived lines: one bad section costs no good one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sopforge.authors.repair import NOTHING_FOUND, Ask, Repair, as_records
from sopforge.domain.reading import Brief
from sopforge.rendering.sop_document import Line, SopDocument, Style, read_sop

_KEPT = frozenset({Style.TITLE, Style.SECTION, Style.STEP})


@dataclass(frozen=True, slots=True)
class _Section:
    """A heading of the SOP with its lines."""

    heading: Line
    lines: tuple[Line, ...]


def sop(
    ask: Ask, brief: Brief, derived: SopDocument, feedback: Sequence[str], repair: Repair
) -> SopDocument:
    """Return the SOP in the model's words, or with the sections mended that had findings."""
    title, *sections = _sections(derived)
    before, common = _before(repair), _common(brief, derived, feedback)
    lines = [*title.lines]
    for place, section in enumerate(sections):
        lines.append(section.heading)
        written = before[place].lines if before else None
        lines += _written(ask, section, written, common, repair)
    return SopDocument(tuple(lines))


def sop_sample(ask: Ask, brief: Brief, derived: SopDocument) -> tuple[Line, ...]:
    """Return the section with most lines, as a model words it first."""
    section = max(_sections(derived)[1:], key=lambda part: len(part.lines))
    common = _common(brief, derived, ())
    return (section.heading, *_written(ask, section, None, common, NOTHING_FOUND))


def _common(brief: Brief, derived: SopDocument, feedback: Sequence[str]) -> dict[str, object]:
    """Return what is told for every section, word for word the same."""
    parts = brief.parts
    return {
        "title": parts.title,
        "business_task": parts.business_task,
        "task_context": parts.task_context,
        "draft": brief.draft,
        "context": as_records(parts.context),
        "feedback": as_records(feedback),
        "whole": derived.as_text(),
    }


def _before(repair: Repair) -> list[_Section]:
    if not repair.round:
        return []
    document = read_sop(repair.files["sop.txt"], repair.files["trace.json"])
    return _sections(document)[1:]


def _sections(document: SopDocument) -> list[_Section]:
    """Return the title with what stands before the first section, then the sections."""
    starts = [n for n, line in enumerate(document.lines) if line.style is Style.SECTION]
    bounds = [*starts, len(document.lines)]
    opening = _Section(document.lines[0], document.lines[: starts[0]])
    return [opening] + [
        _Section(document.lines[start], document.lines[start + 1 : end])
        for start, end in pairwise(bounds)
    ]


def _written(
    ask: Ask,
    section: _Section,
    before: tuple[Line, ...] | None,
    common: Mapping[str, object],
    repair: Repair,
) -> tuple[Line, ...]:
    """Return the lines of a section: asked for, kept from the round before, or derived."""
    found = [item for item in repair.listed() if before is not None and _is_in(item, before)]
    if before is not None and not found:
        return before
    if repair.round and repair.is_last:
        return section.lines
    asked = {
        **common,
        "heading": section.heading.text,
        "lines": [_shown(line) for line in section.lines],
        "before": [_shown(line) for line in before or ()],
        "findings": found,
    }
    return _checked(section, ask("sop_section", asked)["lines"])


def _is_in(finding: Mapping[str, str], lines: Sequence[Line]) -> bool:
    """Tell whether a finding is of these lines; one without a passage is of every section."""
    evidence = finding["evidence"].split("\n")[0]
    return not evidence or any(evidence in line.text or line.text in evidence for line in lines)


def _shown(line: Line) -> dict[str, object]:
    return {"style": str(line.style), "text": line.text, "states": list(line.states)}


def _checked(section: _Section, answered: Sequence[Mapping[str, Any]]) -> tuple[Line, ...]:
    """Return the answer's lines, or the derived ones where items or fixed lines were lost.

    Headings of steps and what the expert wrote stay as they are, in their order.
    """
    excused = {line.text: line.excused for line in section.lines}
    lines = tuple(
        Line(Style(item["style"]), text, tuple(item["states"]), excused.get(text, ""))
        for item in answered
        if (text := " ".join(str(item["text"]).split()))
    )
    is_whole = _stated(lines) == _stated(section.lines) and _fixed(lines) == _fixed(section.lines)
    return lines if is_whole else section.lines


def _stated(lines: Sequence[Line]) -> set[str]:
    return {item for line in lines for item in line.states}


def _fixed(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if line.style in _KEPT or line.excused]
