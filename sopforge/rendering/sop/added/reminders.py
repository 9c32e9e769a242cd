"""Reminders in an SOP: what they look like, and which lines they repeat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sopforge.domain.model import DomainModel
from sopforge.domain.rules import HitPolicy, Table
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.references import format_heading_reference

REMINDER = "reminder"
WORDINGS = (
    "{stem}; see {place}.",
    "As {place} states, {line}",
    "Under {place}, {line}",
    "{stem}, as set out in {place}.",
)
"""How a reminder says whose words it repeats, where the line is true by itself."""
WORDINGS_IN_ORDER = (
    "Unless an earlier rule in {place} applies, {line}",
    "In {place}, {stem}, unless an earlier rule there applies.",
)
"""How it does so where rules before the line may apply instead."""


def make_reminder(heading: str, line: Line, model: DomainModel, wording: int = 0) -> Line:
    """Return the passage that repeats a line of the section or step with the given heading.

    A line that stands after other rules is repeated with the words that they come first: alone it
    would say more than it does there.
    """
    known = _list_wordings(line, model)
    frame = known[wording % len(known)]
    stem = line.text.removesuffix(".")
    if not frame.startswith("{stem}"):
        stem = _lower_first(stem)
    words = _lower_first(line.text)
    place = format_heading_reference(heading)
    return Line(Style.PARAGRAPH, frame.format(place=place, line=words, stem=stem), excused=REMINDER)


def _list_wordings(line: Line, model: DomainModel) -> Sequence[str]:
    if is_after_others(line, model):
        return WORDINGS_IN_ORDER
    if _is_fragment(line.text):
        return [frame for frame in WORDINGS if "{line}" not in frame][:1]
    is_transition = line.states[:1] and line.states[0].startswith("edge ")
    # Whose transition it is comes first: nobody should take it at another step.
    return [frame for frame in WORDINGS if "{line}" in frame] if is_transition else WORDINGS


def is_after_others(line: Line, model: DomainModel) -> bool:
    """Return whether a line applies only where no rule or transition before it does."""
    kind, _, name = line.states[0].partition(" ") if line.states else ("", "", "")
    if kind == "rule":
        table = model.decisions.get(name.partition(".")[0])
        if not isinstance(table, Table) or table.hit is not HitPolicy.FIRST:
            return False
        return name != f"{table.target}.{table.rules[0].id}"
    steps = model.steps.values()
    return kind == "edge" and name in {edge.id for step in steps for edge in step.edges[1:]}


def add_lead_in(reminder: Line, lead_in: str) -> Line:
    """Return a reminder after a sentence that leads to it, as it is where there is none."""
    return replace(reminder, text=f"{lead_in} {reminder.text}") if lead_in else reminder


def find_untrue_reminders(
    lines: Iterable[Line], model: DomainModel, lead_ins: Iterable[str] = ()
) -> list[Line]:
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
            reminders = _iterate_reminders(heading, line, model)
            said |= {add_lead_in(item, lead_in).text for item in reminders for lead_in in known}
    return [line for line in found if line.text not in said]


def _iterate_reminders(heading: str, line: Line, model: DomainModel) -> Iterator[Line]:
    for number in range(max(len(WORDINGS), len(WORDINGS_IN_ORDER))):
        yield make_reminder(heading, line, model, number)


def _is_fragment(text: str) -> bool:
    """Return whether a line is no sentence: an amount to add, or a name with its formula."""
    return text[:1].isdigit() or ": " in text


def _lower_first(text: str) -> str:
    """Return a sentence as it stands inside another: a name in capitals stays."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text
