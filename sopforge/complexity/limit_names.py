"""Figures of limits in a text, and the names that stand for those that an annex gives."""

from __future__ import annotations

import re
from collections.abc import Collection

from sopforge.complexity.variant import Variant
from sopforge.domain.model import PolicyConstant
from sopforge.domain.values.types import DateType, NumberType, require_integer, to_cell
from sopforge.logic.phrasing.grammar import format_figure
from sopforge.rendering.sop.added.indirect_limits import (
    compute_figures,
    find_annex_letter,
    find_limit_name,
    format_limit_use,
)


def with_limits_named(text: str, names: Collection[str], variant: Variant) -> str:
    """Return a text with the limits of these constants named that the annex gives; else "".

    There is nothing to return where the figure of such a limit stands more than once, or not as
    the annex writes it: then it cannot be distinguished from other figures.
    """
    lines = variant.sop.lines
    amounts = compute_figures(lines)
    for item in (variant.model.policy[name] for name in names if name in variant.model.policy):
        limit, number = find_limit_name(lines, item.meaning), format_limit(item)
        if not limit or number is None:
            continue
        amount = amounts.get(limit, "")
        alike = {amount, number}
        if any(len(find_amounts(shown, text)) != 1 for shown in alike):
            return ""
        use = format_limit_use(limit, find_annex_letter(lines))
        text = re.sub(build_amount_pattern(amount), use, text)
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


def find_amounts(amount: str, text: str) -> list[str]:
    """Return each place of a text at which an amount stands, and no other with the same digits."""
    return re.findall(build_amount_pattern(amount), text)


def build_amount_pattern(amount: str) -> str:
    """Return the pattern of an amount as one of its own."""
    # 5 stands in "at least 5." but not in 1.5, 5.2, -5, T5 or "5".
    return rf"(?<![\w.\"-]){re.escape(amount)}(?![\w\"]|\.\d)"
