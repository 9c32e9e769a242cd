"""What the SOP says for when tools refuse, and what they check."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.domain.guards import guard_checks
from sopforge.domain.model import DomainModel, Tool
from sopforge.logic.english import english
from sopforge.logic.phrasing.brackets import fenced
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.general import built_in_refusals, check_rules, refusal_rules
from sopforge.rendering.sop.sections.conditions import stated

EXCEPTIONS = "Exceptions"


def exception_lines(model: DomainModel) -> Iterator[Line]:
    """Return what to do where a tool refuses."""
    yield from (Line(Style.PARAGRAPH, text) for text in refusal_rules(model))
    yield from (Line(Style.BULLET, text) for text in built_in_refusals(model))
    yield from (Line(Style.PARAGRAPH, text) for text in check_rules(model))
    for tool in model.tools.values():
        yield from _guards(model, tool)


def _guards(model: DomainModel, tool: Tool) -> Iterator[Line]:
    for check in guard_checks(tool.guard):
        condition = fenced(check.test, english(check.test, model.fields))
        text = f"{tool.name} checks that {condition}, or refuses: {check.refusal}."
        yield Line(Style.BULLET, text, stated(f"guard {tool.name}.{check.id}", check.test))
