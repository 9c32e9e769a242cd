"""Lines of an SOP that state a condition or a formula of a model, each a whole of its own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sopforge.domain.guards import list_guard_checks
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Formula
from sopforge.rendering.sop.document import Line, Style

_WHOLE = frozenset({Style.PARAGRAPH, Style.BULLET})
_APART = frozenset({*_WHOLE, Style.TITLE, Style.SECTION, Style.STEP})


def select_conditional_lines(lines: Sequence[Line], model: DomainModel) -> list[Line]:
    """Return the lines that state one, in order; none opens a list or is a part of one."""
    named = collect_conditional_names(model)
    # After the last line comes nothing that could be a part of it, as before a title.
    following = [*(after.style for _, after in pairwise(lines)), Style.TITLE]
    return [
        line
        for line, after in zip(lines, following, strict=True)
        if line.style in _WHOLE
        and after in _APART
        and named & set(line.states)
        and not line.excused
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
