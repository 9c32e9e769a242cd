"""How the SOP closes: who takes cases over, and what is kept of each."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.references import RESULTS, to_section_number, to_steps
from sopforge.artifacts.rendering.sop.sections.control import render_retention
from sopforge.language.domain.documents.schema import ControlDocument
from sopforge.language.domain.model import DomainModel
from sopforge.language.english.nouns import conjugate_after, name_office

ESCALATION = "Escalation"
BY_TOOLS = "Change records only with the tools of this procedure, never by hand."


def render_escalation(model: DomainModel, owner: str) -> Iterator[Statement]:
    """Return who takes over which cases; ``owner`` is the office that answers for the SOP."""
    text = "Close a case only where a step says so."
    yield Statement(Style.PARAGRAPH, text)
    yield from render_hand_overs(model)
    reason = " because a tool does not respond" if model.called else ""
    yield Statement(
        Style.PARAGRAPH,
        "Apply the rules as written; do not replace them with your own judgment. If a step cannot"
        f" be carried out{reason}, leave the case open and pass it to"
        f" {name_answering_office(owner)} with your findings so far.",
    )


def render_hand_overs(model: DomainModel) -> Iterator[Statement]:
    """Return at which steps each office takes cases over."""
    is_alone = len(model.hand_overs) == 1
    if model.hand_overs and not is_alone:
        text = "Cases are handed over as follows:"
        yield Statement(Style.PARAGRAPH, text)
    for office, steps in model.hand_overs.items():
        named, take = name_office(office), conjugate_after(office, "takes")
        text = f"{named[:1].upper()}{named[1:]} {take} over at {to_steps(steps, 'or')}"
        if is_alone:
            text = f"{text} and {conjugate_after(office, 'decides')} how to proceed"
        style = Style.PARAGRAPH if is_alone else Style.BULLET
        yield Statement(style, f"{text}.", tuple(f"step {step}" for step in steps))


def name_answering_office(owner: str) -> str:
    """Return who answers for the procedure, in words."""
    return name_office(owner) if owner else "the person responsible for this procedure"


def render_records(model: DomainModel, control: ControlDocument) -> Iterator[Statement]:
    """Return what is kept of a case."""
    yield Statement(Style.PARAGRAPH, "Keep the following on record for each case:")
    kept = [
        "its inputs",
        *(["each tool call, with its input and its reply or refusal"] if model.called else []),
        "the steps carried out, in order",
        f"the results ({to_section_number(RESULTS)})",
    ]
    yield from (Statement(Style.BULLET, f"{text};") for text in kept[:-1])
    yield Statement(Style.BULLET, f"{kept[-1]}.")
    if any(tool.effects for tool in model.tools.values()):
        yield Statement(Style.PARAGRAPH, BY_TOOLS)
    yield from render_retention(control)
