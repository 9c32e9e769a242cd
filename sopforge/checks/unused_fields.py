"""Schema: every field matters, or says that it is a distractor; every constant is read."""

from __future__ import annotations

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.domain.expressions import constants_named
from sopforge.domain.model import (
    DomainModel,
    Role,
    all_fields_read,
    deciding_expressions,
    tool_inputs,
)
from sopforge.findings import Finding, error, warning
from sopforge.workspace import DOMAIN, Workspace


class UnusedFields:
    """Observed and derived fields are returned and used; distractors are read by nothing."""

    name = "unused-fields"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model
        read = all_fields_read(deciding_expressions(model))
        compared = {name for tool in model.tools.values() for name in tool_inputs(tool)}
        takes = {name for tool in model.tools.values() for name in tool.takes}
        returns = {name for tool in model.tools.values() for name in tool.returns}
        findings = []
        for item in model.fields.values():
            where = f"fields.{item.name}"
            if item.role is Role.DISTRACTOR and item.name in read | takes:
                message = f"the distractor '{item.name}' matters: a rule or a tool reads it"
                findings.append(error("distractor-matters", message, where=where))
            if item.role is Role.OBSERVED and item.name not in returns:
                message = f"no tool returns the observed field '{item.name}'"
                findings.append(error("field-not-revealed", message, where=where))
            if item.role is Role.DERIVED and item.name not in model.decisions:
                message = f"nothing works out the derived field '{item.name}'"
                findings.append(error("field-not-derived", message, where=where))
            if item.role is Role.SECRET and item.name not in compared:
                message = f"no guard compares the secret '{item.name}'"
                hint = "compare an input with it in a guard of a lookup or an action, or drop it"
                findings.append(warning("field-not-used", message, where=where, hint=hint))
            if item.role is Role.DERIVED and item.name not in read | returns:
                message = f"nothing uses the derived field '{item.name}'"
                findings.append(warning("field-not-used", message, where=where))
        return findings + _unused_policy(model)

    def spoil(self, workspace: Workspace) -> Workspace:
        model = workspace.model
        used = min(all_fields_read(deciding_expressions(model)) & set(model.case.fields))

        def call_it_a_distractor(document: Parsed) -> None:
            entity = next(iter(document["model"]["entities"].values()))
            entity["fields"][used]["role"] = "distractor"

        return edit_yaml(workspace, DOMAIN, call_it_a_distractor)


def _unused_policy(model: DomainModel) -> list[Finding]:
    expressions = [*deciding_expressions(model), *model.constraints]
    used = frozenset().union(*(constants_named(expression) for expression in expressions))
    return [
        warning("policy-not-used", f"no rule reads '{name}'", where=f"policy.{name}")
        for name in (*model.policy, *model.calendars)
        if name not in used
    ]


CHECK = UnusedFields()
