"""Statements of a condition or a formula of a model, each in one line."""

from __future__ import annotations

from collections.abc import Sequence

from sopforge.artifacts.rendering.sop.document import ITEM, Statement, Style
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Formula

_WHOLE = frozenset({Style.PARAGRAPH, Style.BULLET})


def select_conditional_statements(
    statements: Sequence[Statement], model: DomainModel
) -> list[Statement]:
    """Return the statements of one line that state one, in order; none opens a table or list."""
    named = collect_conditional_names(model)
    return [
        item
        for item in statements
        if item.style in _WHOLE
        and item.kind not in {"opening", "table"}
        and ITEM not in item.text
        and named & set(item.states)
        and not item.excused
    ]


def collect_conditional_names(model: DomainModel) -> frozenset[str]:
    """Return the names of rules, edges and checks that have a condition, and of formulas."""
    names = []
    for decision in model.decisions.values():
        if isinstance(decision, Formula):
            names.append(f"decision {decision.target}")
        else:
            names += [f"rule {decision.target}.{rule.id}" for rule in decision.rules if rule.when]
    for step in model.steps.values():
        names += [f"edge {edge.id}" for edge in step.edges if edge.when is not None]
    for tool in model.tools.values():
        names += [f"guard {tool.name}.{check.id}" for check in list_guard_checks(tool.guard)]
    return frozenset(names)
