"""Reminders in an SOP: what they look like, and which lines they repeat."""

from __future__ import annotations

from collections.abc import Iterable

from sopforge.rendering.sop_document import Line, Style

REMINDER = "reminder"
_OPENING = 'As a reminder, "'
_MIDDLE = '" says, with what else stands there and in its order: '


def reminder(heading: str, line: Line) -> Line:
    """Return the passage that repeats a line of the section or step with the given heading."""
    return Line(Style.PARAGRAPH, f"{_OPENING}{heading}{_MIDDLE}{line.text}", excused=REMINDER)


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
