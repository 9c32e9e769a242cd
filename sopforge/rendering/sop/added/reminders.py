"""Reminders in an SOP: what they look like, and which lines they repeat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.references import format_heading_reference

REMINDER = "reminder"
WORDINGS = (
    "Among other things, {place} states: {line}",
    "One of the instructions in {place} reads: {line}",
    "Keep in mind what {place} states in its order: {line}",
    "For reference, {place} states, together with what stands around it: {line}",
    "In its order, {place} provides: {line}",
)
"""How a reminder says whose words it repeats."""


def make_reminder(heading: str, line: Line, wording: int = 0) -> Line:
    """Return the passage that repeats a line of the section or step with the given heading.

    It says that the line stands there among others: alone it may say more than it does there.
    """
    place = format_heading_reference(heading)
    text = WORDINGS[wording % len(WORDINGS)].format(place=place, line=line.text)
    return Line(Style.PARAGRAPH, text, excused=REMINDER)


def add_lead_in(reminder: Line, lead_in: str) -> Line:
    """Return a reminder after a sentence that leads to it, as it is where there is none."""
    return replace(reminder, text=f"{lead_in} {reminder.text}") if lead_in else reminder


def find_untrue_reminders(lines: Iterable[Line], lead_ins: Iterable[str] = ()) -> list[Line]:
    """Return the reminders that repeat no line which stands under the heading that they name.

    Sentences that may lead to a reminder are no part of what it repeats.
    """
    known = ["", *lead_ins]
    said, heading, found = set(), "", []
    for line in lines:
        if line.style in {Style.SECTION, Style.STEP}:
            heading = line.text
        elif line.excused == REMINDER:
            found.append(line)
        elif not line.excused:
            reminders = [make_reminder(heading, line, n) for n in range(len(WORDINGS))]
            said |= {add_lead_in(item, lead_in).text for item in reminders for lead_in in known}
    return [line for line in found if line.text not in said]
