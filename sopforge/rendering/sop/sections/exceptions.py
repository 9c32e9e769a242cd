"""What the SOP says for when tools refuse, and what they check."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sopforge.domain.guards import GuardLeaf, list_guard_checks
from sopforge.domain.language.expressions import AllOf, AnyOf, Not, collect_all_read_fields
from sopforge.domain.model import DomainModel, Tool
from sopforge.logic.english import phrase_expression
from sopforge.logic.phrasing.brackets import bracket_if_open
from sopforge.logic.phrasing.denials import resolve_denials
from sopforge.logic.phrasing.idioms import unwrap_node
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.frames import (
    ALL_HOLD,
    ANY_HOLDS,
    GUARD,
    GUARD_LISTED,
    IN_ORDER,
    REFUSES,
)
from sopforge.rendering.sop.general import (
    render_built_in_refusals,
    render_check_rules,
    render_refusal_rules,
)
from sopforge.rendering.sop.sections.conditions import Case, is_listed, render_condition_list

EXCEPTIONS = "Exceptions"


def render_exceptions(model: DomainModel) -> Iterator[Line]:
    """Return what to do where a tool refuses."""
    yield from (Line(Style.PARAGRAPH, text) for text in render_refusal_rules(model))
    yield from (Line(Style.BULLET, text) for text in render_built_in_refusals(model))
    yield from (Line(Style.PARAGRAPH, text) for text in render_check_rules(model))
    guards: dict[tuple[str, ...], list[Line]] = {}
    for tool in model.tools.values():
        for check in list_guard_checks(tool.guard):
            lines = list(_render_guard(model, tool, check))
            # A tool that steps call about different records may check the same each time.
            known = guards.setdefault(tuple(line.text for line in lines), lines)
            if known is not lines:
                known[0] = replace(known[0], states=(*known[0].states, *lines[0].states))
    for lines in guards.values():
        yield from lines


def _render_guard(model: DomainModel, tool: Tool, check: GuardLeaf) -> Iterator[Line]:
    """Return one sentence on a check, or a list of the conditions of which it asks for some."""
    case = Case(f"guard {tool.name}.{check.id}", check.test)
    if is_listed(check.test) and not check.is_ordered:
        is_all = isinstance(unwrap_node(check.test), AllOf)
        opening = ALL_HOLD if is_all else ANY_HOLDS
        text = GUARD_LISTED.render(tool=tool.offered_name, opening=opening, code=check.refusal)
        yield Line(Style.BULLET, text, case.states)
        yield from render_condition_list(model, [case])
        return
    text = _phrase_denied(model, tool, check) or _phrase_required(model, tool, check)
    yield Line(Style.BULLET, text, case.states)


def _phrase_required(model: DomainModel, tool: Tool, check: GuardLeaf) -> str:
    """Return what a tool requires, and with which code it refuses otherwise."""
    return GUARD.render(
        tool=tool.offered_name,
        condition=bracket_if_open(check.test, phrase_expression(check.test, model.fields)),
        code=check.refusal,
        order=IN_ORDER if check.is_ordered else "",
    )


def _phrase_denied(model: DomainModel, tool: Tool, check: GuardLeaf) -> str:
    """Return when a tool refuses, "" where what it requires is said as well in no more words."""
    may_lack = any(model.fields[name].missing for name in collect_all_read_fields((check.test,)))
    is_group = isinstance(unwrap_node(check.test), AllOf | AnyOf)
    if check.is_ordered or is_group or may_lack:
        return ""  # what has no value is refused, though nothing is said of it
    denied = resolve_denials(Not(check.test))
    words = phrase_expression(denied, model.fields)
    if len(words) > len(phrase_expression(check.test, model.fields)):
        return ""
    return REFUSES.render(tool=tool.offered_name, code=check.refusal, condition=words)
