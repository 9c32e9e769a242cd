"""Figures of limits in a text, and the names of those that a section of their own gives."""

from __future__ import annotations

import re
from collections.abc import Collection

from sopforge.complexity.variant import Variant
from sopforge.domain.model import PolicyConstant
from sopforge.domain.values.types import DateType, NumberType, require_integer, to_cell
from sopforge.logic.phrasing.grammar import format_figure
from sopforge.rendering.sop.added.indirect_limits import (
    compute_figures,
    find_limits_section,
    format_limit_use,
    name_limit,
)


def with_limits_named(text: str, names: Collection[str], variant: Variant) -> str:
    """Return a text with the limits of these constants named that stand in their own section.

    There is nothing to return where the figure of such a limit stands more than once, or not as
    that section writes it: then it cannot be distinguished from other figures.
    """
    lines = variant.sop.lines
    amounts, section = compute_figures(lines), find_limits_section(lines)
    for item in (variant.model.policy[name] for name in names if name in variant.model.policy):
        limit, number = name_limit(item.meaning), format_limit(item)
        if limit not in amounts or number is None:
            continue
        amount = amounts[limit]
        alike = {amount, number}
        if any(len(find_amounts(shown, text)) != 1 for shown in alike):
            return ""
        use = format_limit_use(limit, section)
        text = put_for_amount(use, amount, text)
    return text


def format_limit(item: PolicyConstant) -> str | None:
    """Return how a text writes a number or a day, None for another constant."""
    match item.constant.type:
        case NumberType() as kind:
            return format_figure(kind, require_integer(item.constant.value))
        case DateType() as kind:
            return to_cell(kind, item.constant.value)
        case _:
            return None


def put_for_amount(use: str, amount: str, text: str) -> str:
    """Return a text with other words at each place at which an amount stands."""
    return use.join(re.split(build_amount_pattern(amount), text))


def find_amounts(amount: str, text: str) -> list[str]:
    """Return each place of a text at which an amount stands, and no other with the same digits."""
    return re.findall(build_amount_pattern(amount), text)


def build_amount_pattern(amount: str) -> str:
    """Return the pattern of an amount as one of its own."""
    # 5 stands in "at least 5." but not in 1.5, 5.2, -5, T5 or "5".
    return rf"(?<![\w.\"-]){re.escape(amount)}(?![\w\"]|\.\d)"
