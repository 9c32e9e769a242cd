"""Reminders in an SOP: what they look like, and which lines they repeat."""

from __future__ import annotations

from collections.abc import Iterable

from sopforge.rendering.sop_document import Line, Style
from sopforge.rendering.sop_references import referred_to

REMINDER = "reminder"


def reminder(heading: str, line: Line) -> Line:
    """Return the passage that repeats a line of the section or step with the given heading."""
    text = f"As a reminder, {referred_to(heading)} says, in its place among the rest: {line.text}"
    return Line(Style.PARAGRAPH, text, excused=REMINDER)


def untrue_reminders(lines: Iterable[Line]) -> list[Line]:
    """Return the reminders that repeat no line which stands under the heading that they name."""
    said, heading, found = set(), "", []
    for line in lines:
        if line.style in {Style.SECTION, Style.STEP}:
            heading = line.text
        elif line.excused == REMINDER:
            found.append(line)
        elif not line.excused:
            said.add(reminder(heading, line).text)
    return [line for line in found if line.text not in said]
