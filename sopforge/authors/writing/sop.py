"""The SOP as a language model writes it: section by section, each line with what it states.

A section starts from its derived lines, which are exact. The model puts paragraphs of its own among
them, marked as such, and may word lines anew: the checks read its rules back, and find what it adds
to them. After the last round a section that still has errors is taken back to its derived lines:
one bad section costs no good one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from sopforge.authors.repair import NOTHING_SAID, Ask, Repair, Review, as_records
from sopforge.domain.model import DomainModel
from sopforge.domain.reading import Brief
from sopforge.findings import Finding, Severity
from sopforge.rendering.sop.document import Line, SopDocument, Style, read_sop
from sopforge.rendering.sop.general import list_general_sentences
from sopforge.rendering.sop.own_words import OWN_WORDS, make_own_paragraph
from sopforge.rendering.sop.sections.terms import render_terms

# A shorter line may be part of another one's words by chance.
_SHORTEST_QUOTE = 12
_STEP_NUMBER = re.compile(r"\bstep (\d+\.\d+)")


@dataclass(frozen=True, slots=True)
class _Section:
    """A heading of the SOP with its lines."""

    heading: Line
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class _Tried:
    """The lines of a section in a correction that was not kept, and what was found in all of it."""

    lines: tuple[Line, ...]
    findings: tuple[Finding, ...]

    def build_records(
        self, derived: Sequence[Line], kept: Sequence[Line]
    ) -> list[dict[str, object]]:
        """Return what was changed and what was found in that; nothing if it is what was kept."""
        if not self.lines or self.lines == tuple(kept):
            return []
        own = [item for item in self.findings if _has_quoted_line(item, self.lines)]
        found = [item.as_record() for item in own if item.severity is Severity.ERROR]
        return [
            {**changes, "findings": found} for changes in _list_earlier_changes(derived, self.lines)
        ]


@dataclass(frozen=True, slots=True)
class SopWriting:
    """The SOP of a model and what a language model receives of it."""

    ask: Ask
    model: DomainModel
    brief: Brief
    derived: SopDocument
    review: Review = NOTHING_SAID

    def write_first(self) -> SopDocument:
        """Return the SOP as the language model words it first, or after reviewers have seen it."""
        opening, *sections = _split_sections(self.derived)
        seen = self._read_reviewed_lines()
        return self._join_sections(
            opening,
            [
                (part.heading, self._reword_section(part, seen.get(part.heading.text, ())))
                for part in sections
            ],
        )

    def _read_reviewed_lines(self) -> dict[str, tuple[Line, ...]]:
        """Return the lines of each section, by its heading, as reviewers saw them."""
        return self._read_lines(self.review.files)

    def _read_lines(self, files: Mapping[str, str]) -> dict[str, tuple[Line, ...]]:
        """Return the lines of each section of a stored SOP, by its heading."""
        if not {"sop.txt", "trace.json"} <= files.keys():
            return {}
        seen = read_sop(files["sop.txt"], files["trace.json"])
        return {part.heading.text: part.lines for part in _split_sections(seen)[1:]}

    def revise(self, repair: Repair) -> SopDocument:
        """Return the SOP of the round before, with the sections repaired that had errors."""
        opening, *sections = _split_sections(self.derived)
        stored = read_sop(repair.files["sop.txt"], repair.files["trace.json"])
        written = [part.lines for part in _split_sections(stored)[1:]]
        lines = []
        found = _group_findings(written, sections, repair.errors)
        dropped = self._read_lines(repair.dropped.files)
        for part, before, findings in zip(sections, written, found, strict=True):
            if not findings:
                lines.append((part.heading, before))
            elif repair.is_over:
                lines.append((part.heading, part.lines))
            else:
                tried = _Tried(dropped.get(part.heading.text, ()), repair.dropped.findings)
                lines.append((part.heading, self._reword_section(part, before, findings, tried)))
        return self._join_sections(opening, lines)

    def write_sample(self) -> tuple[SopDocument, SopDocument]:
        """Return the section with most lines alone, as it is worded first, and the SOP with it."""
        opening, *sections = _split_sections(self.derived)
        section = max(sections, key=lambda part: len(part.lines))
        worded = self._reword_section(section)
        parts = [(part.heading, worded if part is section else part.lines) for part in sections]
        return SopDocument((section.heading, *worded)), self._join_sections(opening, parts)

    def _join_sections(
        self, opening: _Section, sections: Sequence[tuple[Line, Sequence[Line]]]
    ) -> SopDocument:
        lines = [line for heading, written in sections for line in (heading, *written)]
        return SopDocument((*opening.lines, *lines))

    def _reword_section(
        self,
        section: _Section,
        before: Sequence[Line] = (),
        findings: Sequence[Finding] = (),
        tried: _Tried | None = None,
    ) -> tuple[Line, ...]:
        """Return the lines of a section as the language model words them."""
        parts, fixed = self.brief.parts, self._collect_fixed_sentences()
        values = {
            "title": parts.title,
            "business_task": parts.business_task,
            "task_context": parts.task_context,
            "draft": self.brief.draft,
            "context": as_records(parts.context),
            "feedback": as_records(self.review.feedback),
            "whole": self.derived.as_text(),
            "heading": section.heading.text,
            "lines": [
                _build_line_record(n, line, fixed) for n, line in enumerate(section.lines, start=1)
            ],
            "before": _list_earlier_changes(section.lines, before),
            "findings": [item.as_record() for item in findings],
            "dropped": tried.build_records(section.lines, before) if tried else [],
        }
        answer = self.ask("sop_section", values)
        return _apply_rewordings(section.lines, answer, fixed)

    def _collect_fixed_sentences(self) -> frozenset[str]:
        """Return the sentences that every SOP of the model holds word for word."""
        return frozenset(
            {*list_general_sentences(self.model), *(line.text for line in render_terms(self.model))}
        )


def _split_sections(document: SopDocument) -> list[_Section]:
    """Return the title with what stands before the first section, then the sections."""
    starts = [n for n, line in enumerate(document.lines) if line.style is Style.SECTION]
    bounds = [*starts, len(document.lines)]
    opening = _Section(document.lines[0], document.lines[: starts[0]])
    return [opening] + [
        _Section(document.lines[start], document.lines[start + 1 : end])
        for start, end in pairwise(bounds)
    ]


def _group_findings(
    written: Sequence[Sequence[Line]], derived: Sequence[_Section], findings: Sequence[Finding]
) -> list[list[Finding]]:
    """Return the findings of each section: by their passage, else by their step, else of all.

    A sentence that the text no longer says is found among the derived lines.
    """
    found: list[list[Finding]] = [[] for _ in written]
    sections = [(*lines, *part.lines) for lines, part in zip(written, derived, strict=True)]
    for item in findings:
        places = [n for n, lines in enumerate(sections) if _has_quoted_line(item, lines)]
        places = places or [n for n, lines in enumerate(sections) if _has_step_number(item, lines)]
        # A finding that fits nowhere goes to all: a section too many costs a question, one too few
        # leaves the error in.
        for place in places or range(len(sections)):
            found[place].append(item)
    return found


def _has_quoted_line(item: Finding, lines: Sequence[Line]) -> bool:
    """Return whether a finding shows one of the lines."""
    passage = item.evidence.split("\n")[0]
    texts = [line.text for line in lines if len(line.text) >= _SHORTEST_QUOTE]
    is_shown = any(text in passage or text in item.message for text in texts)
    return is_shown or (bool(passage) and any(passage in text for text in texts))


def _has_step_number(item: Finding, lines: Sequence[Line]) -> bool:
    numbers = {line.text.split(" ")[0] for line in lines if line.style is Style.STEP}
    return any(number in numbers for number in _STEP_NUMBER.findall(item.message))


def _build_line_record(number: int, line: Line, fixed: frozenset[str]) -> dict[str, object]:
    return {
        "line": number,
        "style": str(line.style),
        "text": line.text,
        "states": list(line.states),
        "stays": _is_fixed_line(line, fixed),
    }


def _is_fixed_line(line: Line, fixed: frozenset[str]) -> bool:
    """Return whether a line is not the writer's to word: a heading, fixed, or an expert's."""
    is_instruction = any(item.startswith("step ") for item in line.states)
    return line.style is Style.STEP or bool(line.excused) or is_instruction or line.text in fixed


def _apply_rewordings(
    lines: Sequence[Line], answer: Mapping[str, Any], fixed: frozenset[str]
) -> tuple[Line, ...]:
    """Return the lines as worded anew, with the paragraphs put in; what has no place is left out.

    Paragraphs do not part a list or a table from the sentence above it.
    """
    texts = {item["line"]: _normalize_spaces(item["text"]) for item in answer["rewordings"]}
    added: dict[int, list[str]] = {}
    for item in answer["insertions"]:
        added.setdefault(item["after"], []).append(_normalize_spaces(item["text"]))
    worded = [make_own_paragraph(text) for text in added.get(0, ()) if text]
    for number, line in enumerate(lines, start=1):
        is_new = texts.get(number) and not _is_fixed_line(line, fixed)
        worded.append(replace(line, text=texts[number]) if is_new else line)
        follows = lines[number] if number < len(lines) else None
        if follows is None or follows.style in {Style.PARAGRAPH, Style.STEP}:
            worded += [make_own_paragraph(text) for text in added.get(number, ()) if text]
    return tuple(worded)


def _list_earlier_changes(lines: Sequence[Line], before: Sequence[Line]) -> list[dict[str, object]]:
    """Return what was changed in the round before, in the words of an answer; none at first."""
    if not before:
        return []
    insertions: list[dict[str, object]] = []
    rewordings: list[dict[str, object]] = []
    number = 0
    for line in before:
        if line.excused == OWN_WORDS:
            insertions.append({"after": number, "text": line.text})
            continue
        if line.text != lines[number].text:
            rewordings.append({"line": number + 1, "text": line.text})
        number += 1
    return [{"insertions": insertions, "rewordings": rewordings}]


def _normalize_spaces(text: str) -> str:
    return " ".join(text.split())
