"""References between passages of the SOP, numbered once the sections have their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sopforge.domain.model import DomainModel
from sopforge.rendering.sop.document import Line
from sopforge.rendering.sop.draft import Section

PROCEDURE = "Main procedure"
RECORDS = "Records"
RESULTS = "Results"
_STEP = re.compile(r"\{step (\d+)\}")
_NUMBERED = re.compile(r"(\d+)(?:\.|(\.\d+)) (.+)")
_SECTION = re.compile(r"\{section ([^}]+)\}")


def format_step_number(model: DomainModel, step: str) -> str:
    """Return a step's number, for a heading or a reference."""
    return f"{{step {list(model.steps).index(step) + 1}}}"


def to_step(model: DomainModel, step: str) -> str:
    """Return a reference to a step, as it stands after the word "step"."""
    return f"{format_step_number(model, step)} ({model.steps[step].title})"


def to_steps(model: DomainModel, steps: Iterable[str], word: str) -> str:
    """Return references to several steps."""
    *others, last = [f"step {to_step(model, step)}" for step in steps]
    return f"{', '.join(others)} {word} {last}" if others else last


def to_section(title: str) -> str:
    """Return a reference to a section."""
    return f"{{section {title}}}"


def format_heading_reference(heading: str) -> str:
    """Return a heading as other passages refer to it."""
    found = _NUMBERED.fullmatch(heading)
    if found is None:
        return heading[:1].lower() + heading[1:]
    section, step, title = found.groups()
    return f"step {section}{step} ({title})" if step else f"section {section} ({title})"


def number_references(lines: Iterable[Line], sections: Sequence[Section]) -> list[Line]:
    """Put the numbers of sections and steps where they are referred to."""
    # A draft may write a title with other capitals.
    named = {
        section.title.lower(): f"{place} ({section.title})"
        for place, section in enumerate(sections, start=1)
    }
    procedure = named[PROCEDURE.lower()].partition(" ")[0]

    def render_text(line: Line) -> str:
        known = _STEP.sub(rf"{procedure}.\1", line.text)
        return _SECTION.sub(lambda found: f"section {named[found[1].lower()]}", known)

    return [line if line.excused else replace(line, text=render_text(line)) for line in lines]
