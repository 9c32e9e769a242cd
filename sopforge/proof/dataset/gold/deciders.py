"""What decided a case: the last step at which it could have gone elsewhere, and by what there.

A refusal is decided by a check of a tool, by a rule, or by an edge; ``parts`` are the comparisons
of it any one of which, had it come out otherwise, would have changed what it says.
"""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.language.domain.expressions.expressions import AllOf, AnyOf, Expression, Not
from sopforge.language.domain.guards import list_guard_ids
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.values.types import Json
from sopforge.language.logic.guard_verdicts import judge_guard
from sopforge.language.logic.readings.scalar import holds
from sopforge.language.logic.tool_calls import Frame
from sopforge.language.logic.walking import Walk
from sopforge.proof.dataset.pairs.deciding import Branch, find_deciding_branch, has_acted


def describe_decider(model: DomainModel, row: Frame, walk: Walk) -> Mapping[str, Json]:
    """Return whether a case changes a record, and what decided that, if anything did.

    ``node`` is a check of a tool as ``TOOL.CHECK``, a rule as ``FIELD.RULE``, a field of which no
    rule applies, or an edge.
    """
    acts: dict[str, Json] = {"acts": has_acted(model, walk)}
    branch = find_deciding_branch(model, row, walk)
    if branch is None:
        return acts
    node = branch.node
    if branch.refusal:
        node = _find_guard_node(model.tools[model.steps[branch.step].call or ""], branch)
    return {
        **acts,
        "step": branch.step,
        "node": node,
        **({"refusal": branch.refusal} if branch.refusal else {}),
        "parts": list_alone(branch),
    }


def list_alone(branch: Branch) -> list[str]:
    """Return the comparisons of what decided that alone would have changed it."""
    if not branch.is_one_test:
        return []
    test = branch.tests[0]
    before = _evaluate(test, branch.seen, None)
    parts = branch.list_parts()
    return [name for name, part in parts if _evaluate(test, branch.seen, part) != before]


def _evaluate(test: Expression, seen: Frame, flipped: Expression | None) -> bool:
    """Return whether a condition holds, with one comparison taken for its opposite."""
    match test:
        case AllOf():
            return all(_evaluate(part, seen, flipped) for part in test.operands)
        case AnyOf():
            return any(_evaluate(part, seen, flipped) for part in test.operands)
        case Not():
            return not _evaluate(test.operand, seen, flipped)
        case _:
            return holds(test, seen) != (test is flipped)


def _find_guard_node(tool: Tool, branch: Branch) -> str:
    """Return the node of a guard that decided, the innermost that alone did."""
    name, _, check = branch.node.partition(".")
    if tool.guard is None or check not in list_guard_ids(tool.guard):
        return branch.node
    return f"{name}.{judge_guard(tool.guard, branch.seen).decider}"
