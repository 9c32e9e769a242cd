"""What the SOP says for when things go otherwise: refusals, cases handed over, and the record."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.domain.guards import guard_checks
from sopforge.domain.model import DomainModel, Tool
from sopforge.logic.brackets import fenced
from sopforge.logic.english import english
from sopforge.rendering.sop_conditions import stated
from sopforge.rendering.sop_document import Line, Style
from sopforge.rendering.sop_general import refusal_rules
from sopforge.rendering.sop_references import to_section, to_steps
from sopforge.rendering.sop_results import RESULTS

EXCEPTIONS = "Exceptions"


def exception_lines(model: DomainModel) -> Iterator[Line]:
    """Return what to do where a tool refuses."""
    yield from (Line(Style.PARAGRAPH, text) for text in refusal_rules(model))
    for tool in model.tools.values():
        yield from _guards(model, tool)


def _guards(model: DomainModel, tool: Tool) -> Iterator[Line]:
    for check in guard_checks(tool.guard):
        condition = fenced(check.test, english(check.test, model.fields))
        text = f"{tool.name} checks that {condition}, or refuses: {check.refusal}."
        yield Line(Style.BULLET, text, stated(f"guard {tool.name}.{check.id}", check.test))


def escalation_lines(model: DomainModel) -> Iterator[Line]:
    """Return who takes a case over that the procedure does not settle."""
    ends = [step.id for step in model.steps.values() if step.end is not None]
    yield Line(
        Style.PARAGRAPH,
        f"A case is closed at {to_steps(model, ends, 'or')}, and nowhere else. What is to be done"
        " with it then is said there.",
    )
    yield Line(
        Style.PARAGRAPH,
        "Do not decide by judgment what the rules decide. Where a step cannot be carried out as it"
        " stands, because a tool gives no answer at all, leave the case open and hand it to the"
        " person who answers for this procedure, with what was found so far.",
    )


def record_lines(model: DomainModel) -> Iterator[Line]:
    """Return what is kept of a case."""
    yield Line(Style.PARAGRAPH, "For each case, keep on record:")
    kept = [
        "the entries as the task states them",
        "each call of a tool, with what it was given and what it returned or refused",
        "the steps that the case went through, in their order",
        f"the results, as {to_section(RESULTS)} lists them",
    ]
    yield from (Line(Style.BULLET, f"{text};") for text in kept[:-1])
    yield Line(Style.BULLET, f"{kept[-1]}.")
    changing = [tool.name for tool in model.tools.values() if tool.effects]
    if changing:
        text = f"Records are changed by {' and '.join(changing)} only, never by hand."
        yield Line(Style.PARAGRAPH, text)
