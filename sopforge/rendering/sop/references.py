"""References between passages of the SOP, numbered once the sections have their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from sopforge.domain.model import DomainModel, ProcedurePart
from sopforge.logic.phrasing.grammar import join_items
from sopforge.rendering.sop.document import Line
from sopforge.rendering.sop.draft import Section

PROCEDURE = "Main procedure"
PART = "Sub-procedure: "
"""How the titles of sections begin that are parts of the procedure."""
RECORDS = "Records"
ANNEX = "Annex: "
"""How the titles of sections begin that stand after all others; references name what follows."""
RESULTS = "Results"
INPUTS = "Inputs"
MEANT = {"inputs": INPUTS, "records": RECORDS, "results": RESULTS}
"""What is referred to by the number of its section alone, after these words."""
_STEP = re.compile(r"\{step (\d+)(?: of (\w+))?\}")
_PART = re.compile(r"\{part (\w+)\}")
_NUMBERED = re.compile(r"(\d+)(?:\.|(\.\d+)) (.+)")
_SECTION = re.compile(r"\{section ([^}]+)\}")
_SECTIONS = re.compile(r"\{sections ([^}]+)\}")
_SECTION_NUMBER = re.compile(r"\{number of section ([^}]+)\}")


def format_step_number(model: DomainModel, step: str) -> str:
    """Return a step's number, for a heading or a reference."""
    part = model.steps[step].part
    number = [item.id for item in model.list_steps_in(part)].index(step) + 1
    return f"{{step {number}{f' of {part}' if part else ''}}}"


def to_step(model: DomainModel, step: str) -> str:
    """Return a reference to a step, as it stands after the word "step"."""
    return f"{format_step_number(model, step)} ({model.steps[step].title})"


def call_section(heading: str) -> str:
    """Return how references call the section of a heading: by its number, if it has one.

    >>> call_section("15. Limits and amounts"), call_section("Records")
    ('section 15', 'Records')
    """
    number = heading.partition(". ")[0]
    return f"section {number}" if number.isdigit() else heading


def is_next_step(model: DomainModel, step: str, other: str) -> bool:
    """Return whether the text has a step right after another one."""
    order = [item.id for item in model.list_steps_in(model.steps[step].part)]
    return (step, other) in pairwise(order)


def to_step_numbers(model: DomainModel, steps: Sequence[str]) -> str:
    """Return references to steps by their numbers alone, three or more in turn as a range."""
    runs: list[list[str]] = []
    for step in steps:
        order = [item.id for item in model.list_steps_in(model.steps[step].part)]
        follows = bool(runs) and [runs[-1][-1], step] in map(list, pairwise(order))
        runs[-1:] = [[*runs[-1], step]] if follows else [*runs[-1:], [step]]
    named = [part for run in runs for part in _name_run(model, run)]
    return f"step{'s' * (len(steps) > 1)} {join_items(named)}"


def _name_run(model: DomainModel, steps: Sequence[str]) -> list[str]:
    """Return the numbers of steps that follow one another."""
    numbers = [format_step_number(model, step) for step in steps]
    return [f"{numbers[0]} to {numbers[-1]}"] if len(numbers) > 2 else numbers  # noqa: PLR2004 - a pair is no range


def to_steps(model: DomainModel, steps: Iterable[str], word: str) -> str:
    """Return references to several steps."""
    *others, last = [f"step {to_step(model, step)}" for step in steps]
    return f"{', '.join(others)} {word} {last}" if others else last


def name_part_section(part: ProcedurePart) -> str:
    """Return the title of the section that states a part of the procedure."""
    return f"{PART}{' '.join(part.title.split())}"


def to_part(part: str) -> str:
    """Return a reference to the section of a part."""
    return f"{{part {part}}}"


def to_section(title: str) -> str:
    """Return a reference to a section."""
    return f"{{section {title}}}"


def to_sections(titles: Iterable[str]) -> str:
    """Return references to several sections, in the order in which they stand in the text."""
    return f"{{sections {'; '.join(titles)}}}"


def to_section_number(title: str) -> str:
    """Return a reference to a section by its number alone."""
    return f"{{number of section {title}}}"


def format_heading_reference(heading: str) -> str:
    """Return a heading as other passages refer to it."""
    found = _NUMBERED.fullmatch(heading)
    if found is None:
        return heading[:1].lower() + heading[1:]
    section, step, title = found.groups()
    return f"step {section}{step} ({title})" if step else f"section {section} ({title})"


def number_references(
    lines: Iterable[Line], sections: Sequence[Section], parts: Mapping[str, ProcedurePart]
) -> list[Line]:
    """Put the numbers of sections and steps where they are referred to."""
    # A draft may write a title with other capitals.
    named = {
        section.title.removeprefix(ANNEX).lower(): f"{place} ({section.title})"
        for place, section in enumerate(sections, start=1)
    }
    titles = {"": PROCEDURE, **{name: name_part_section(part) for name, part in parts.items()}}
    numbers = {name: named[title.lower()].partition(" ")[0] for name, title in titles.items()}

    def name_number(found: re.Match[str]) -> str:
        return f"section {named[found[1].lower()].partition(' ')[0]}"

    def name_sections(found: re.Match[str]) -> str:
        titles = {title.lower() for title in found[1].split("; ")}
        return join_items([f"section {name}" for title, name in named.items() if title in titles])

    def render_text(line: Line) -> str:
        known = _STEP.sub(lambda found: f"{numbers[found[2] or '']}.{found[1]}", line.text)
        known = _SECTION_NUMBER.sub(name_number, known)
        known = _SECTIONS.sub(name_sections, known)
        known = _PART.sub(lambda found: f"section {named[titles[found[1]].lower()]}", known)
        return _SECTION.sub(lambda found: f"section {named[found[1].lower()]}", known)

    return [line if line.excused else replace(line, text=render_text(line)) for line in lines]
