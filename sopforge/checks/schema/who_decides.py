"""Schema: tools reveal facts, the agent decides; copying tool results is never the answer."""

from __future__ import annotations

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.rules import Table
from sopforge.workspace import DOMAIN, Workspace

_HINTS = {
    Role.OUTCOME: "return the facts from which the agent decides, instead of the decision",
    Role.INPUT: "remove it from 'returns', because the task states it; if only the record has it,"
    " set its role to observed",
    Role.TOLD: "remove it from 'returns', because a text of the case tells it; if only the record"
    " has it, set its role to observed",
    Role.DISTRACTOR: "remove it from 'returns', because the task states it at level L3; if no rule"
    " reads it, set its role to observed",
    Role.SECRET: (
        "compare it in a guard, because a secret is never shown; or set its role to observed"
    ),
}


class WhoDecides:
    """No tool returns an outcome. The agent decides each outcome by a table or a branch."""

    name = "who-decides"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model
        return [
            *_find_returned_outcomes(model),
            *_check_undecided_outcomes(model),
            *_find_misplaced_tables(model),
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        primary = workspace.model.primary.name

        def return_outcome(document: Parsed) -> None:
            tools = document["model"]["tools"].values()
            next(tool for tool in tools if tool["kind"] == "lookup")["returns"].append(primary)

        return edit_yaml(workspace, DOMAIN, return_outcome)


def _find_returned_outcomes(model: DomainModel) -> list[Finding]:
    allowed = {Role.OBSERVED, Role.DERIVED}
    # A distractor that matters has another role than it says.
    read = collect_all_read_fields(collect_deciding_expressions(model))
    taken = {name for tool in model.tools.values() for name in tool.takes}
    matters = {item.name for item in model.with_role(Role.DISTRACTOR)} & (read | taken)
    return [
        make_error_finding(
            "tool-returns-answer",
            f"{tool.name} returns '{item.name}', whose role is {item.role.value}",
            where=f"tools.{tool.offered_name}",
            hint=_HINTS[item.role],
        )
        for tool in model.tools.values()
        for item in model.list_tool_results(tool)
        if item.role not in allowed and item.name not in matters
    ]


def find_undecided_outcomes(model: DomainModel) -> list[Field]:
    """Return the outcomes that no step decides and no branch sets."""
    decided = {name for step in model.steps.values() for name in step.decide}
    has_branch = any(len(step.edges) > 1 for step in model.steps.values())
    set_at_ends = {name for step in model.steps.values() for name in step.end or {}}
    return [
        item
        for item in model.outcomes
        if item.name not in decided and not (has_branch and item.name in set_at_ends)
    ]


def _check_undecided_outcomes(model: DomainModel) -> list[Finding]:
    return [
        make_error_finding(
            "outcome-not-decided",
            f"no step decides the outcome '{item.name}'",
            where=f"fields.{item.name}",
            hint="list it under 'decide' of a step, or set it at the ends of branches",
        )
        for item in find_undecided_outcomes(model)
    ]


def _find_misplaced_tables(model: DomainModel) -> list[Finding]:
    """Report tables that a tool would have to work out."""
    returned = {name for tool in model.tools.values() for name in tool.returns}
    return [
        make_error_finding(
            "tool-decides",
            f"'{table.target}' has rules, but a tool returns it",
            where=f"decisions.{table.target}",
            hint="replace the rules with an expression or a table of numbers, because only the"
            " agent applies rules",
        )
        for table in model.decisions.values()
        if isinstance(table, Table) and table.target in returned
    ]


CHECK = WhoDecides()
