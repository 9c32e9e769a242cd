"""The SOP as a language model writes it: section by section, each line with what it states.

A section starts from its derived lines, which are exact. The model puts paragraphs of its own among
them, and may word lines anew: the checks read its rules back, and find what it adds to them. In the
last round a section that still has errors is taken back to its derived lines: one bad section costs
no good one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from sopforge.authors.repair import Ask, Repair, as_records
from sopforge.domain.reading import Brief
from sopforge.findings import Finding
from sopforge.rendering.sop_document import Line, SopDocument, Style, read_sop

_STEP_NUMBER = re.compile(r"\bstep (\d+\.\d+)")


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
    found = _findings_in(before, repair.errors)
    lines = [*title.lines]
    for place, section in enumerate(sections):
        lines.append(section.heading)
        if not before:
            lines += _asked(ask, section, common)
        elif not found[place]:
            lines += before[place].lines
        elif repair.is_last:
            lines += section.lines
        else:
            lines += _asked(ask, section, common, before[place].lines, found[place])
    return SopDocument(tuple(lines))


def sop_sample(ask: Ask, brief: Brief, derived: SopDocument) -> tuple[Line, ...]:
    """Return the section with most lines, as a model words it first."""
    section = max(_sections(derived)[1:], key=lambda part: len(part.lines))
    common = _common(brief, derived, ())
    return (section.heading, *_asked(ask, section, common))


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


def _asked(
    ask: Ask,
    section: _Section,
    common: Mapping[str, object],
    before: Sequence[Line] = (),
    findings: Sequence[Finding] = (),
) -> tuple[Line, ...]:
    """Return the lines of a section as the model words them."""
    values = {
        **common,
        "heading": section.heading.text,
        "lines": [_shown(number, line) for number, line in enumerate(section.lines, start=1)],
        "before": as_records(line.text for line in before if line not in section.lines),
        "findings": [item.as_record() for item in findings],
    }
    return _worded(section.lines, ask("sop_section", values))


def _findings_in(sections: Sequence[_Section], findings: Sequence[Finding]) -> list[list[Finding]]:
    """Return the findings of each section: by their passage, else by their step, else of all."""
    found: list[list[Finding]] = [[] for _ in sections]
    for item in findings:
        places = [n for n, part in enumerate(sections) if _quotes(item, part.lines)]
        places = places or [n for n, part in enumerate(sections) if _names_step(item, part.lines)]
        for place in places or range(len(sections)):
            found[place].append(item)
    return found


def _quotes(item: Finding, lines: Sequence[Line]) -> bool:
    passage = item.evidence.split("\n")[0]
    return bool(passage) and any(passage in line.text or line.text in passage for line in lines)


def _names_step(item: Finding, lines: Sequence[Line]) -> bool:
    numbers = {line.text.split(" ")[0] for line in lines if line.style is Style.STEP}
    return any(number in numbers for number in _STEP_NUMBER.findall(item.message))


def _shown(number: int, line: Line) -> dict[str, object]:
    return {
        "line": number,
        "style": str(line.style),
        "text": line.text,
        "states": list(line.states),
        "stays": _stays(line),
    }


def _stays(line: Line) -> bool:
    """Tell whether a line is not the writer's to word: a heading, or what an expert wrote."""
    return line.style is Style.STEP or bool(line.excused)


def _worded(lines: Sequence[Line], answer: Mapping[str, Any]) -> tuple[Line, ...]:
    """Return the lines as worded anew, with the paragraphs put in; what has no place is left out.

    Paragraphs do not part a list or a table from the sentence above it.
    """
    texts = {item["line"]: _flat(item["text"]) for item in answer["rewordings"]}
    added: dict[int, list[str]] = {}
    for item in answer["insertions"]:
        added.setdefault(item["after"], []).append(_flat(item["text"]))
    worded = [_paragraph(text) for text in added.get(0, ()) if text]
    for number, line in enumerate(lines, start=1):
        is_new = texts.get(number) and not _stays(line)
        worded.append(replace(line, text=texts[number]) if is_new else line)
        follows = lines[number] if number < len(lines) else None
        if follows is None or follows.style in {Style.PARAGRAPH, Style.STEP}:
            worded += [_paragraph(text) for text in added.get(number, ()) if text]
    return tuple(worded)


def _paragraph(text: str) -> Line:
    return Line(Style.PARAGRAPH, text)


def _flat(text: str) -> str:
    return " ".join(text.split())
