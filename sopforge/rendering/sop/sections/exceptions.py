"""What the SOP says for when tools refuse, and what they check."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sopforge.domain.guards import list_guard_checks
from sopforge.domain.model import DomainModel, Tool
from sopforge.logic.english import phrase_expression
from sopforge.logic.phrasing.brackets import bracket_if_open
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.frames import GUARD, IN_ORDER
from sopforge.rendering.sop.general import (
    render_built_in_refusals,
    render_check_rules,
    render_refusal_rules,
)
from sopforge.rendering.sop.sections.conditions import list_stated_items

EXCEPTIONS = "Exceptions"


def render_exceptions(model: DomainModel) -> Iterator[Line]:
    """Return what to do where a tool refuses."""
    yield from (Line(Style.PARAGRAPH, text) for text in render_refusal_rules(model))
    yield from (Line(Style.BULLET, text) for text in render_built_in_refusals(model))
    yield from (Line(Style.PARAGRAPH, text) for text in render_check_rules(model))
    guards: dict[str, Line] = {}
    for tool in model.tools.values():
        for line in _render_guards(model, tool):
            # A tool that steps call about different records may check the same each time.
            known = guards.setdefault(line.text, line)
            if known is not line:
                guards[line.text] = replace(known, states=(*known.states, *line.states))
    yield from guards.values()


def _render_guards(model: DomainModel, tool: Tool) -> Iterator[Line]:
    for check in list_guard_checks(tool.guard):
        condition = bracket_if_open(check.test, phrase_expression(check.test, model.fields))
        text = GUARD.render(
            tool=tool.offered_name,
            condition=condition,
            code=check.refusal,
            order=IN_ORDER if check.is_ordered else "",
        )
        yield Line(
            Style.BULLET, text, list_stated_items(f"guard {tool.name}.{check.id}", check.test)
        )
