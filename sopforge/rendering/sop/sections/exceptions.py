"""What the SOP says for when tools refuse, and what they check."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from sopforge.domain.guards import GuardLeaf, list_guard_checks
from sopforge.domain.language.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Expression,
    Not,
    OneOf,
    Read,
    Relation,
    collect_all_read_fields,
)
from sopforge.domain.model import DomainModel, Tool
from sopforge.domain.values.types import EnumType
from sopforge.logic.english import phrase_expression, phrase_line
from sopforge.logic.phrasing.brackets import bracket_if_open
from sopforge.logic.phrasing.denials import resolve_denials
from sopforge.logic.phrasing.idioms import unwrap_node
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.frames import (
    ALL_HOLD,
    ANY_HOLDS,
    CHECK,
    CHECK_IF_LISTED,
    CHECK_UNLESS,
    CHECK_UNLESS_LISTED,
    IN_ORDER,
    OTHERS,
)
from sopforge.rendering.sop.general import (
    find_only_refusing_tool,
    render_built_in_refusals,
    render_check_rules,
    render_refusal_rules,
)
from sopforge.rendering.sop.sections.conditions import Case, is_listed, render_condition_list

EXCEPTIONS = "Exceptions"
_DENIAL = re.compile(r"\b(?:not|no|neither|none|nothing)\b")


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
    """Return a line on a check, or a list of the conditions of which it asks for some."""
    denied = resolve_refusal(model, check) or _resolve_plain_refusal(model, check)
    test = denied or check.test
    case = Case(f"guard {tool.name}.{check.id}", test)
    is_only = find_only_refusing_tool(model) == tool.offered_name
    named = {"tool": "" if is_only else tool.offered_name, "code": check.refusal}
    if is_listed(test) and not check.is_ordered:
        is_all = isinstance(unwrap_node(test), AllOf)
        opening = ALL_HOLD if is_all else ANY_HOLDS if denied else OTHERS
        frame = CHECK_UNLESS_LISTED if is_all and not denied else CHECK_IF_LISTED
        yield Line(Style.BULLET, frame.render(opening=opening, **named), case.states)
        yield from render_condition_list(model, [case])
        return
    condition = phrase_expression(test, model.fields)
    order = IN_ORDER if check.is_ordered else ""
    in_a_row = phrase_line(test, model.fields)
    if in_a_row == condition and not denied:
        in_a_row = bracket_if_open(test, condition)
    frame = CHECK if denied else CHECK_UNLESS
    text = frame.render(condition=in_a_row, order=order, **named)
    yield Line(Style.BULLET, text, case.states)


def _resolve_plain_refusal(model: DomainModel, check: GuardLeaf) -> Expression | None:
    """Return when a tool refuses that asks for a label or a yes alone: where it is not there."""
    test = unwrap_node(check.test)
    is_yes = isinstance(test, Read) and not model.may_lack_value(test.field)
    is_plain = not check.is_ordered and (is_yes or _is_label(test))
    return resolve_denials(Not(check.test)) if is_plain else None


def collect_refusals(model: DomainModel) -> dict[str, str]:
    """Return the codes of checks, each with the tool that its line need not name, "" for none."""
    only = find_only_refusing_tool(model)
    checks = (list_guard_checks(tool.guard) for tool in model.tools.values())
    return {check.refusal: only for check in chain.from_iterable(checks)}


def _needs_value(model: DomainModel, test: Expression) -> bool:
    """Return whether a tool refuses what has no value, though no denial of its test would say so.

    That something is not one of some labels is true of what has no value, too.
    """
    inner = unwrap_node(test)
    if isinstance(inner, AllOf | AnyOf):
        return any(_needs_value(model, part) for part in inner.operands)
    may_lack = any(map(model.may_lack_value, collect_all_read_fields((test,))))
    return may_lack and not _is_label(inner)


def _is_label(test: Expression) -> bool:
    """Return whether a test asks for one of some labels alone."""
    inner = unwrap_node(test)
    return isinstance(inner, OneOf) or (
        isinstance(inner, Compare)
        and inner.relation is Relation.EQ
        and isinstance(inner.left.type, EnumType)
        and isinstance(inner.right, Constant)
    )


def format_reason(says: str) -> str:
    """Return the reason that a brief gives for a refusal as it stands in brackets.

    "" for one that has brackets itself.
    """
    words = " ".join(says.split()).removesuffix(".")
    return "" if re.search(r"[()]", words) else words


def resolve_refusal(model: DomainModel, check: GuardLeaf) -> Expression | None:
    """Return when a tool refuses, None where what it requires is said with fewer denials."""
    # Both "is neither" and "is one of" are said of the labels alone.
    is_other = isinstance(inner := unwrap_node(check.test), Not) and isinstance(
        unwrap_node(inner.operand), OneOf
    )
    if check.is_ordered or (_needs_value(model, check.test) and not is_other):
        return None
    denied = resolve_denials(Not(check.test))
    ours, theirs = (
        len(_DENIAL.findall(phrase_expression(condition, model.fields)))
        for condition in (denied, check.test)
    )
    return denied if ours <= theirs else None
