"""The names under which lines of an SOP state conditions and formulas of a model."""

from __future__ import annotations

from sopforge.domain.guards import guard_checks
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Formula


def conditional(model: DomainModel) -> frozenset[str]:
    """Return the names of rules, ways and checks that have a condition, and of formulas."""
    names = []
    for decision in model.decisions.values():
        if isinstance(decision, Formula):
            names.append(f"decision {decision.target}")
        else:
            names += [f"rule {decision.target}.{rule.id}" for rule in decision.rules if rule.when]
    for step in model.steps.values():
        names += [f"edge {edge.id}" for edge in step.edges if edge.when is not None]
    for tool in model.tools.values():
        names += [f"guard {tool.name}.{check.id}" for check in guard_checks(tool.guard)]
    return frozenset(names)
