"""The SOP as a language model writes it: paragraphs of its own among the derived lines.

The derived lines are exact, and stay as they are. The paragraphs are marked as such; the checks
find what could be taken for a rule in them. After the last round a section that still has errors is
taken back to its derived lines: one bad section costs no good one.

Sections that list what the model holds, or say what the brief does, stay as they are: a writer's
words would add nothing. Of the others, as many are asked for at once as an answer has room for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from sopforge.artifacts.rendering.sop.document import (
    SopDocument,
    Statement,
    Style,
    join_lines,
    read_sop,
)
from sopforge.artifacts.rendering.sop.marks import OWN_WORDS, make_own_paragraph
from sopforge.artifacts.rendering.sop.sections.general import list_general_sentences
from sopforge.artifacts.rendering.sop.sections.terms import TERMS
from sopforge.authors.writers.asking_together import group_by_room
from sopforge.authors.writers.repair import NOTHING_SAID, AskAll, Repair, Review, as_records
from sopforge.findings import Finding, Severity
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief

# A shorter line may be part of another one's words by chance.
_SHORTEST_QUOTE = 12
MOST_AT_ONCE = 5
# In characters: what an answer has room for by its template, less a fifth, at three to a token.
ROOM = 30_000
_LONGEST_PARAGRAPH = 600
_STEP_NUMBER = re.compile(r"\bstep (\d+\.\d+)")


@dataclass(frozen=True, slots=True)
class _Section:
    """A heading of the SOP with its lines."""

    heading: Statement
    lines: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class _Tried:
    """The lines of a section in a correction that was not kept, and what was found in all of it."""

    lines: tuple[Statement, ...] = ()
    findings: tuple[Finding, ...] = ()

    def build_records(self, kept: Sequence[Statement]) -> list[dict[str, object]]:
        """Return what was added and what was found in that; nothing if it is what was kept."""
        if not self.lines or self.lines == tuple(kept):
            return []
        own = [item for item in self.findings if _has_quoted_line(item, self.lines)]
        found = [item.as_record() for item in own if item.severity is Severity.ERROR]
        return [{**changes, "findings": found} for changes in _list_insertions(self.lines)]


@dataclass(frozen=True, slots=True)
class _Task:
    """A section to be explained: its number, its lines before, and what was found in these.

    ``tried`` is a correction of it that was not kept.
    """

    number: int
    section: _Section
    before: Sequence[Statement] = ()
    findings: Sequence[Finding] = ()
    tried: _Tried = _Tried()


@dataclass(frozen=True, slots=True)
class SopWriting:
    """The SOP of a model and what a language model receives of it."""

    ask_all: AskAll
    model: DomainModel
    brief: Brief
    derived: SopDocument
    review: Review = NOTHING_SAID

    def write_first(self) -> SopDocument:
        """Return the SOP as the language model first writes it, or after reviewers have seen it."""
        opening, *sections = _split_sections(self.derived)
        explained = self._explain_sections(_group_tasks(self._list_first_tasks(sections)))
        return _join_sections(
            opening,
            [
                (part.heading, explained.get(number, part.lines))
                for number, part in enumerate(sections, start=1)
            ],
        )

    def revise(self, repair: Repair) -> SopDocument:
        """Return the SOP of the round before, with the sections repaired that had errors."""
        opening, *sections = _split_sections(self.derived)
        stored = read_sop(repair.files["sop.txt"], repair.files["trace.json"])
        written = [part.lines for part in _split_sections(stored)[1:]]
        found = _group_findings(written, sections, repair.errors)
        dropped, errors = _read_lines(repair.dropped.files), repair.dropped.findings
        tasks = [
            _Task(
                number, part, before, findings, _Tried(dropped.get(part.heading.text, ()), errors)
            )
            for number, (part, before, findings) in enumerate(
                zip(sections, written, found, strict=True), start=1
            )
            if findings
        ]
        if repair.is_over:
            explained = {task.number: task.section.lines for task in tasks}
        else:
            explained = self._explain_sections(_group_tasks(tasks))
        lines = [
            (part.heading, explained.get(number, before))
            for number, (part, before) in enumerate(zip(sections, written, strict=True), start=1)
        ]
        return _join_sections(opening, lines)

    def write_sample(self) -> tuple[SopDocument, SopDocument]:
        """Return the longest section that is asked for, as first written, and the SOP with it.

        It is asked for with those that go with it, so that the run finds the answer on record.
        """
        opening, *sections = _split_sections(self.derived)
        tasks = self._list_first_tasks(sections)
        shown = max(tasks, key=lambda task: len(task.section.lines))
        [group] = [group for group in _group_tasks(tasks) if shown in group]
        explained = self._explain_sections([group])
        parts = [
            (part.heading, explained.get(number, part.lines))
            for number, part in enumerate(sections, start=1)
        ]
        section = SopDocument(join_lines((shown.section.heading, *explained[shown.number])))
        return section, _join_sections(opening, parts)

    def _list_first_tasks(self, sections: Sequence[_Section]) -> list[_Task]:
        """Return the sections that are asked for, as reviewers saw them if they did.

        Reviewers may have spoken of any section in which there is something to explain.
        """
        seen, fixed = _read_lines(self.review.files), self._collect_fixed_sentences()
        is_wanted = _has_own_lines if self.review.feedback else _has_prose
        return [
            _Task(number, part, seen.get(part.heading.text, ()))
            for number, part in enumerate(sections, start=1)
            if is_wanted(part, fixed)
        ]

    def _explain_sections(
        self, groups: Sequence[Sequence[_Task]]
    ) -> dict[int, tuple[Statement, ...]]:
        """Return the lines of sections by their numbers, with the language model's paragraphs."""
        questions = [("sop_section", self._build_values(group)) for group in groups]
        explained: dict[int, tuple[Statement, ...]] = {}
        for group, answer in zip(groups, self.ask_all(questions), strict=True):
            for task in group:
                given = [item for item in answer["sections"] if item["section"] == task.number]
                explained[task.number] = self._explain_section(task, given)
        return explained

    def _explain_section(
        self, task: _Task, given: Sequence[Mapping[str, Any]]
    ) -> tuple[Statement, ...]:
        """Return the lines of a section as an answer has them.

        Where it leaves the section out, what reviewers saw stays; paragraphs in which errors were
        found do not.
        """
        if not given and not task.findings:
            given = _list_insertions(task.before)
        return _insert_paragraphs(task.section.lines, given)

    def _build_values(self, group: Sequence[_Task]) -> dict[str, object]:
        """Return what a question says: of all sections, and of its own."""
        parts = self.brief.parts
        return {
            "title": parts.title,
            "business_task": parts.business_task,
            "task_context": parts.task_context,
            "draft": self.brief.draft,
            "context": as_records(parts.additions),
            "feedback": as_records(self.review.feedback),
            "whole": self.derived.as_text(),
            "sections": [_build_section_record(task) for task in group],
            "before": [
                {"section": task.number, **changes}
                for task in group
                for changes in _list_insertions(task.before)
            ],
            "findings": [
                {"section": task.number, **item.as_record()}
                for task in group
                for item in task.findings
            ],
            "dropped": [
                {"section": task.number, **changes}
                for task in group
                for changes in task.tried.build_records(task.before)
            ],
        }

    def _collect_fixed_sentences(self) -> frozenset[str]:
        """Return the sentences that every SOP of the model holds word for word."""
        sections = _split_sections(self.derived)[1:]
        terms = [part for part in sections if part.heading.text.endswith(TERMS)]
        explained = (line.text for part in terms for line in part.lines)
        return frozenset({*list_general_sentences(self.model), *explained})


def _split_sections(document: SopDocument) -> list[_Section]:
    """Return the title with what stands before the first section, then the sections."""
    lines = tuple(replace(line, kind="", term=None) for line in document.lines)
    starts = [n for n, line in enumerate(lines) if line.style is Style.SECTION]
    opening = _Section(lines[0], lines[: starts[0]])
    return [opening] + [
        _Section(lines[start], lines[start + 1 : end])
        for start, end in pairwise([*starts, len(lines)])
    ]


def _read_lines(files: Mapping[str, str]) -> dict[str, tuple[Statement, ...]]:
    """Return the lines of each section of a stored SOP, by its heading."""
    if not {"sop.txt", "trace.json"} <= files.keys():
        return {}
    seen = read_sop(files["sop.txt"], files["trace.json"])
    return {part.heading.text: part.lines for part in _split_sections(seen)[1:]}


def _join_sections(
    opening: _Section, sections: Sequence[tuple[Statement, Sequence[Statement]]]
) -> SopDocument:
    lines = [line for heading, written in sections for line in (heading, *written)]
    return SopDocument(join_lines((*opening.lines, *lines)))


def _has_own_lines(section: _Section, fixed: frozenset[str]) -> bool:
    """Return whether a section has lines or steps to say something of."""
    lines = section.lines
    return any(line.style is Style.STEP or not _is_fixed_line(line, fixed) for line in lines)


def _has_prose(section: _Section, fixed: frozenset[str]) -> bool:
    """Return whether a section has steps, or is no mere list: half of what is its own is prose.

    A line that ends in a colon introduces a list, which speaks for itself.
    """
    if any(line.style is Style.STEP for line in section.lines):
        return True
    own = [line for line in section.lines if not _is_fixed_line(line, fixed)]
    prose = [line for line in own if line.style is Style.PARAGRAPH and line.text[-1:] != ":"]
    return bool(own) and 2 * len(prose) >= len(own)


def _group_tasks(tasks: Sequence[_Task]) -> list[list[_Task]]:
    """Return the sections of each question, in their order."""
    return group_by_room(tasks, _estimate_answer, ROOM, MOST_AT_ONCE)


def _estimate_answer(task: _Task) -> int:
    """Return how long the words for a section are at most: a paragraph for it and each step."""
    return _LONGEST_PARAGRAPH * (1 + sum(line.style is Style.STEP for line in task.section.lines))


def _group_findings(
    written: Sequence[Sequence[Statement]], derived: Sequence[_Section], findings: Sequence[Finding]
) -> list[list[Finding]]:
    """Return the findings of each section: by their passage, else by their step.

    What fits none of them is of all sections that are not as they were derived. A sentence that the
    text no longer says is found among the derived lines.
    """
    changed = [
        n
        for n, (lines, part) in enumerate(zip(written, derived, strict=True))
        if tuple(lines) != part.lines
    ]
    found: list[list[Finding]] = [[] for _ in written]
    sections = [(*lines, *part.lines) for lines, part in zip(written, derived, strict=True)]
    for item in findings:
        places = [n for n, lines in enumerate(sections) if _has_quoted_line(item, lines)]
        places = places or [n for n, lines in enumerate(sections) if _has_step_number(item, lines)]
        # A section too many makes a question longer, one too few leaves the error in.
        for place in places or changed or range(len(sections)):
            found[place].append(item)
    return found


def _has_quoted_line(item: Finding, lines: Sequence[Statement]) -> bool:
    """Return whether a finding shows one of the lines."""
    passage = item.evidence.split("\n")[0]
    texts = [line.text for line in lines if len(line.text) >= _SHORTEST_QUOTE]
    is_shown = any(text in passage or text in item.message for text in texts)
    return is_shown or (bool(passage) and any(passage in text for text in texts))


def _has_step_number(item: Finding, lines: Sequence[Statement]) -> bool:
    numbers = {line.text.split(" ")[0] for line in lines if line.style is Style.STEP}
    return any(number in numbers for number in _STEP_NUMBER.findall(item.message))


def _build_section_record(task: _Task) -> dict[str, object]:
    lines = enumerate(task.section.lines, start=1)
    return {
        "section": task.number,
        "heading": task.section.heading.text,
        "lines": [f"{number} {line.style}: {line.text}" for number, line in lines],
    }


def _is_fixed_line(line: Statement, fixed: frozenset[str]) -> bool:
    """Return whether a line is none to explain: a heading, one of all SOPs, or an expert's."""
    is_instruction = any(item.startswith("step ") for item in line.states)
    return line.style is Style.STEP or bool(line.excused) or is_instruction or line.text in fixed


def _insert_paragraphs(
    lines: Sequence[Statement], given: Sequence[Mapping[str, Any]]
) -> tuple[Statement, ...]:
    """Return the lines with the paragraphs put in; what has no place is left out.

    Paragraphs do not part a list or a table from the sentence above it.
    """
    added: dict[int, list[str]] = {}
    for item in [item for part in given for item in part["insertions"]]:
        added.setdefault(item["after"], []).append(_normalize_spaces(item["text"]))
    written = [make_own_paragraph(text) for text in added.get(0, ()) if text]
    for number, line in enumerate(lines, start=1):
        written.append(line)
        follows = lines[number] if number < len(lines) else None
        if follows is None or follows.style in {Style.PARAGRAPH, Style.STEP}:
            written += [make_own_paragraph(text) for text in added.get(number, ()) if text]
    return tuple(written)


def _list_insertions(before: Sequence[Statement]) -> list[dict[str, Any]]:
    """Return what was put in in the round before, in the words of an answer; none at first."""
    if not before:
        return []
    insertions: list[dict[str, object]] = []
    number = 0
    for line in before:
        if line.excused == OWN_WORDS:
            insertions.append({"after": number, "text": line.text})
        else:
            number += 1
    return [{"insertions": insertions}]


def _normalize_spaces(text: str) -> str:
    return " ".join(text.split())
