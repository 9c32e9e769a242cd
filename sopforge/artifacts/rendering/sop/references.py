"""References between passages of the SOP, numbered once the sections have their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.language.domain.model import DomainModel, ProcedurePart
from sopforge.language.english.nouns import join_items
from sopforge.language.english.vocabulary import LIMITS_SECTION

PROCEDURE = "Main procedure"
PART = "Sub-procedure: "
"""How the titles of sections begin that are parts of the procedure."""
RECORDS = "Records"
DEFINITIONS = "Definitions"
ANNEX = "Annex: "
"""How the titles of sections begin that stand after all others; references name what follows."""
RESULTS = "Results"
INPUTS = "Inputs"
_STEP = re.compile(r"\{step (\w+)\}")
_STEP_NUMBER = re.compile(r"\{number of step (\w+)\}")
_PART = re.compile(r"\{part (\w+)\}")
_NUMBERED = re.compile(r"(\d+)(?:\.|(\.\d+)) (.+)")
_SECTION = re.compile(r"\{section ([^}]+)\}")
_SECTIONS = re.compile(r"\{sections ([^}]+)\}")
_POINTER = re.compile(r" \(see section \d+\)")
_SECTION_NUMBER = re.compile(r"\{number of section ([^}]+)\}")


def to_step(step: str) -> str:
    """Return a reference to a step, as it stands after the word "step"."""
    return f"{{step {step}}}"


def to_step_number(step: str) -> str:
    """Return a reference to a step by its number alone, for a heading or a range."""
    return f"{{number of step {step}}}"


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
        follows = bool(runs) and is_next_step(model, runs[-1][-1], step)
        runs[-1:] = [[*runs[-1], step]] if follows else [*runs[-1:], [step]]
    named = [part for run in runs for part in _name_run(run)]
    return f"step{'s' * (len(steps) > 1)} {join_items(named)}"


def _name_run(steps: Sequence[str]) -> list[str]:
    """Return the numbers of steps that follow one another."""
    numbers = list(map(to_step_number, steps))
    return [f"{numbers[0]} to {numbers[-1]}"] if len(numbers) > 2 else numbers  # noqa: PLR2004 - a pair is no range


def to_steps(steps: Iterable[str], word: str) -> str:
    """Return references to several steps."""
    return join_items([f"step {to_step(step)}" for step in steps], word)


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
    """Return references to those of several sections that a text has, in their order there."""
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


@dataclass(frozen=True, slots=True)
class References:
    """The numbers that the headings of one document have.

    ``steps`` has them by the ids of steps, ``sections`` by titles in small letters; each with the
    title in brackets, as references name it. ``parts`` are the titles of the parts' sections.
    """

    steps: Mapping[str, str]
    sections: Mapping[str, str]
    parts: Mapping[str, str]

    def write(self, text: str) -> str:
        """Return a text with numbers where it refers to sections and steps."""
        text = _STEP.sub(lambda found: self.steps[found[1]], text)
        text = _STEP_NUMBER.sub(lambda found: self.steps[found[1]].partition(" ")[0], text)
        text = _SECTION_NUMBER.sub(lambda found: self._call(found[1]), text)
        text = _SECTIONS.sub(lambda found: self._list_sections(found[1].split("; ")), text)
        text = _PART.sub(lambda found: f"section {self._find(self.parts[found[1]])}", text)
        return _SECTION.sub(lambda found: f"section {self._find(found[1])}", text)

    def read(self, text: str) -> str:
        """Return a text with references to steps as the grammar has them.

        What says where a condition is defined says nothing else.
        """
        for step, named in self.steps.items():
            text = text.replace(named, to_step(step))
        limits = LIMITS_SECTION.lower()
        if limits in self.sections:
            pointer = to_section_number(LIMITS_SECTION)
            text = text.replace(f"(see {self._call(limits)})", f"(see {pointer})")
        return _POINTER.sub("", text)

    def point(self, title: str) -> str:
        """Return what says after a word that it is explained in a section."""
        return f" (see {self._call(title)})"

    def _find(self, title: str) -> str:
        return self.sections[title.lower()]

    def _call(self, title: str) -> str:
        return f"section {self._find(title).partition(' ')[0]}"

    def _list_sections(self, titles: Sequence[str]) -> str:
        known = {title.lower() for title in titles}
        return join_items([f"section {x}" for title, x in self.sections.items() if title in known])


def find_references(statements: Iterable[Statement], model: DomainModel) -> References:
    """Return the numbers that the headings of a document have, by what they state."""
    steps: dict[str, str] = {}
    sections: dict[str, str] = {}
    for item in statements:
        number, _, title = item.text.partition(" ")
        if item.style is Style.STEP and item.states:
            steps[item.states[0].removeprefix("step ")] = f"{number} ({title})"
        elif item.style is Style.SECTION:
            # A draft may write a title with other capitals.
            named = title.removeprefix(ANNEX).lower()
            sections[named] = f"{number.removesuffix('.')} ({title})"
    parts = {name: name_part_section(part) for name, part in model.parts.items()}
    return References(steps, sections, parts)


def number_headings(
    model: DomainModel, sections: Sequence[tuple[str, Sequence[Statement]]]
) -> list[Statement]:
    """Return the statements of sections below their headings, in which all have numbers."""
    parts = {name_part_section(part).lower(): name for name, part in model.parts.items()}
    found: list[Statement] = []
    for number, (title, statements) in enumerate(sections, start=1):
        found.append(Statement(Style.SECTION, f"{number}. {title}"))
        part = parts.get(title.lower(), "")
        order = [f"step {step.id}" for step in model.list_steps_in(part)]
        for item in statements:
            if item.style is Style.STEP:
                place = order.index(item.states[0]) + 1
                found.append(replace(item, text=f"{number}.{place} {item.text}"))
            else:
                found.append(item)
    references = find_references(found, model)
    return [
        item if item.excused else replace(item, text=references.write(item.text)) for item in found
    ]
