"""Rules of an SOP that stand in its last section, and the text with each put back.

``put_back`` reads nothing but the text: a pointer names a part of that section, which holds one
line, and that may be a pointer again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from sopforge.rendering.sop.document import Line, Style

REFERENCE = "reference"
RULES_SECTION = "Particular cases"
POINTERS = (
    "Apply {part} here.",
    "At this point, {part} applies.",
    "Here, follow {part}.",
)
"""How a line says where to read on; each has the same reading."""
POINTERS_OF_RESULTS = (
    "{result} in the cases of {part}.",
    "{result} if the conditions in {part} are met.",
    "{result} if {part} applies.",
)
"""How a line that begins with its result does so: the conditions are what is in that section."""
POINTERS_OF_TRANSITIONS = (
    "In the cases of {part}, {result}.",
    "If the conditions in {part} are met, {result}.",
    "If {part} applies, {result}.",
)
"""How a transition does so, whose result stands last."""
_HEADING = re.compile(rf"(?:\d+\. )?{RULES_SECTION}\Z")
_PART_NAMED = r"section \d+\.\d+"
_RESULT = r"(?P<result>\"[^\"]+\"|-?\d[\d.]* [a-z]+)"
_TRANSITION = r"(?P<transition>go to step \d[^)]*\))"


def _compile_forms(forms: Iterable[str]) -> str:
    escaped = "|".join(re.escape(text) for text in forms)
    return escaped.replace(r"\{part\}", _PART_NAMED).replace(r"\{result\}", "")


_BEFORE_TRANSITIONS = [text.removesuffix("{result}.") for text in POINTERS_OF_TRANSITIONS]
POINTER = re.compile(
    rf"(?:{_compile_forms(POINTERS)})|{_RESULT}(?:{_compile_forms(POINTERS_OF_RESULTS)})"
    rf"|(?:{_compile_forms(_BEFORE_TRANSITIONS)}){_TRANSITION}\."
)
_NAMED = re.compile(_PART_NAMED)
_BEFORE_CONDITION = re.compile(rf"{_RESULT} if ")
_AFTER_CONDITION = re.compile(rf"If .+, (?:then )?{_TRANSITION}\.")
_PART = re.compile(r"(\d+\.\d+) \S")


def make_pointer(line: Line, part: str, wording: int = 0) -> Line:
    """Return what stands in the place of a line; it says its result, and in which part to read on.

    A line whose result is neither a label, nor an amount, nor a step has none there.
    """
    before, after = _BEFORE_CONDITION.match(line.text), _AFTER_CONDITION.fullmatch(line.text)
    known, result = POINTERS, ""
    if before is not None:
        known, result = POINTERS_OF_RESULTS, before["result"]
    elif after is not None:
        known, result = POINTERS_OF_TRANSITIONS, after["transition"]
    text = known[wording % len(known)].format(part=f"section {part}", result=result)
    return Line(line.style, text, excused=REFERENCE)


def is_result_said(line: Line) -> bool:
    """Return whether a line says a result that its pointer can say, too."""
    return bool(_BEFORE_CONDITION.match(line.text) or _AFTER_CONDITION.fullmatch(line.text))


def make_part_heading(part: str, title: str) -> Line:
    """Return the heading of a part of the section; it has the form of a step's."""
    return Line(Style.STEP, f"{part} {title[:1].upper()}{title[1:]}")


def put_back(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines with each pointer's rule in its place, and without their section.

    A pointer without exactly one part of that name in the section, to a rule with another result,
    or that leads in a circle, stays as it is.
    """
    parts = _index_parts(lines)
    return tuple(_follow_pointers(line, parts) for line in _without_section(lines))


def _index_parts(lines: Sequence[Line]) -> dict[str, Line]:
    """Return the line of each part of the section by what a pointer to it says."""
    named, section = [], ""
    for heading, line in pairwise(lines):
        if heading.style is Style.SECTION:
            section = heading.text
        found = _PART.match(heading.text) if heading.style is Style.STEP else None
        if found is not None and _HEADING.match(section):
            named.append((f"section {found[1]}", line))
    names = [name for name, _ in named]
    return {name: line for name, line in named if names.count(name) == 1}


def _follow_pointers(line: Line, parts: Mapping[str, Line]) -> Line:
    """Return the line to which pointers lead, by as many of them as there are parts at most."""
    meant, results = line, set[str]()
    for _ in range(len(parts) + 1):
        pointer = POINTER.fullmatch(meant.text) if meant.excused == REFERENCE else None
        if pointer is None:
            said = _find_result(meant)
            return meant if all(_has_result(said, result) for result in results) else line
        results |= {pointer["result"], pointer["transition"]} - {None}
        part = _NAMED.findall(meant.text)[-1]
        if part not in parts:
            return line
        meant = replace(parts[part], style=line.style)
    return line


def _has_result(said: str, result: str) -> bool:
    """Return whether a rule's result is that of its pointer: 2 points are not 12 points."""
    return re.search(rf"(?<![\w.-]){re.escape(result)}(?!\w)", said) is not None


def _find_result(line: Line) -> str:
    """Return the part of a rule that says its result, "" where that is neither label nor step."""
    after = _AFTER_CONDITION.fullmatch(line.text)
    if after is not None:
        return after["transition"]
    return "" if line.text.startswith("If ") else line.text.partition(" if ")[0]


def _without_section(lines: Sequence[Line]) -> list[Line]:
    kept, is_moved = [], False
    for line in lines:
        if line.style is Style.SECTION:
            is_moved = _HEADING.match(line.text) is not None
        if not is_moved:
            kept.append(line)
    return kept
