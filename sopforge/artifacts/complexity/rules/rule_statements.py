"""Statements of rules and transitions, and how one with another condition is said."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sopforge.artifacts.complexity.last_sections import drop_last_sections
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import ITEM, Statement
from sopforge.language.domain.expressions.expressions import (
    AnyOf,
    Expression,
)
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Table
from sopforge.language.english.terms import Term

_KINDS = frozenset({"rule", "setrule", "edge"})
_LONGEST = 220


@dataclass(frozen=True)
class RuleStatement:
    """A statement of a rule or a transition, or of ``count`` neighbours that have one result.

    ``condition`` is met where that of one of them is.
    """

    statement: Statement
    condition: Expression
    result: Term
    count: int = 1

    @property
    def states(self) -> str:
        """The first rule or edge that it states."""
        return self.statement.states[0]

    def write_like(
        self, variant: Variant, condition: Expression, result: Term, excused: str
    ) -> Statement | None:
        """Return a statement of the same kind with another condition, which states nothing.

        None where there are no short words for it, or where it would give a limit away whose figure
        stands elsewhere.
        """
        known, asked = self.statement, variant.writer.mean(condition)
        term: Term = ("goes", asked, result) if known.kind == "edge" else ("rule", result, asked)
        made = variant.state(known.style, known.kind, term, excused=excused)
        is_short = made is not None and len(made.text) <= _LONGEST and ITEM not in made.text
        return made if is_short else None


def collect_rule_statements(variant: Variant) -> list[RuleStatement]:
    """Return the statements of rules and transitions that have a condition, in order."""
    found = []
    for item in drop_last_sections(variant.sop.statements):
        named = [x for x in item.states if x.startswith(("rule ", "edge "))]
        asked = [_find_condition(variant.model, x) for x in named]
        known = [x for x in asked if x is not None]
        if not known or len(known) < len(asked):
            continue
        condition = known[0] if len(known) == 1 else AnyOf(tuple(known))
        match item.term:
            case ("rule", result, _) if item.kind in _KINDS:
                found.append(RuleStatement(item, condition, result, len(known)))
            case ("goes", _, result):
                found.append(RuleStatement(item, condition, result, len(known)))
            case _:
                pass
    return found


def _find_condition(model: DomainModel, name: str) -> Expression | None:
    """Return the condition of a rule or an edge as traces name it, None where it has none."""
    kind, _, rest = name.partition(" ")
    if kind == "rule":
        target, _, rule = rest.partition(".")
        table = model.decisions[target]
        rules = table.rules if isinstance(table, Table) else ()
        return next((item.when for item in rules if item.id == rule), None)
    edges = (edge for step in model.steps.values() for edge in step.edges)
    return next((edge.when for edge in edges if edge.id == rest), None)


def stand_alone(variant: Variant, item: Statement) -> Statement:
    """Return a statement as it reads away from the sentence under which it stands.

    A rule that gives its value alone names its field.
    """
    kind, _, name = item.states[0].partition(" ") if item.states else ("", "", "")
    match item.term:
        case ("rule", value, asked) if kind == "rule":
            target: Term = ("field", name.partition(".")[0])
            made = variant.restate(
                replace(item, kind="answer"), ("answers", asked, ("sets", target, value))
            )
            return made or item
    return item
