"""Schema: every field matters, or says that it is a distractor; every constant is read."""

from __future__ import annotations

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.domain.fields import Field, Role
from sopforge.domain.language.expressions import all_fields_read, constants_named
from sopforge.domain.model import DomainModel, deciding_expressions, tool_inputs
from sopforge.domain.values.malformed import malformed_mark
from sopforge.findings import Finding, error, warning
from sopforge.workspace import DOMAIN, Workspace


class UnusedFields:
    """Observed and derived fields are returned and used; distractors are read by nothing."""

    name = "unused-fields"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model
        read = all_fields_read(deciding_expressions(model))
        takes = frozenset(name for tool in model.tools.values() for name in tool.takes)
        returns = frozenset(name for tool in model.tools.values() for name in tool.returns)
        findings = [
            finding
            for item in model.fields.values()
            for finding in _of_field(item, model, read=read, takes=takes, returns=returns)
        ]
        return [*findings, *_unnoticed(model), *_unused_policy(model)]

    def spoil(self, workspace: Workspace) -> Workspace:
        model = workspace.model
        used = min(all_fields_read(deciding_expressions(model)) & set(model.case.fields))

        def call_it_a_distractor(document: Parsed) -> None:
            entity = next(iter(document["model"]["entities"].values()))
            entity["fields"][used]["role"] = "distractor"

        return edit_yaml(workspace, DOMAIN, call_it_a_distractor)


def _unnoticed(model: DomainModel) -> list[Finding]:
    """Report malformed inputs that make no difference to any case."""
    called = {step.call for step in model.steps.values()}
    taken = {name for tool in model.tools.values() if tool.name in called for name in tool.takes}
    ways = [edge.when for step in model.steps.values() for edge in step.edges if edge.when]
    asked = all_fields_read(ways)
    return [
        error(
            "malformed-not-noticed",
            f"'{item.name}' is malformed in some tasks, and no step notices",
            where=f"fields.{item.name}",
            hint="call a tool that takes it, or ask for well_formed(...) before a way",
        )
        for item in model.malformable
        if item.name not in taken and malformed_mark(item.name) not in asked
    ]


def _unused_policy(model: DomainModel) -> list[Finding]:
    drawing = (part for item in model.fields.values() for part in item.sampling.expressions)
    expressions = [*deciding_expressions(model), *model.constraints, *drawing]
    used = frozenset().union(*(constants_named(expression) for expression in expressions))
    return [
        warning(
            "policy-not-used",
            f"no rule reads '{name}'",
            where=f"{'policy' if name in model.policy else 'calendars'}.{name}",
            hint="name it in a rule, an edge, a guard or an expression, or drop it",
        )
        for name in (*model.policy, *model.calendars)
        if name not in used
    ]


def is_never_known(item: Field, model: DomainModel) -> bool:
    """Tell whether nothing ever reveals a field or works it out."""
    returns = {name for tool in model.tools.values() for name in tool.returns}
    is_hidden = item.role is Role.OBSERVED and item.name not in returns
    return is_hidden or (item.role is Role.DERIVED and item.name not in model.decisions)


def _of_field(
    item: Field,
    model: DomainModel,
    *,
    read: frozenset[str],
    takes: frozenset[str],
    returns: frozenset[str],
) -> list[Finding]:
    """Return what is wrong with the use of a field, by its role."""
    name, where = item.name, f"fields.{item.name}"
    findings = []
    if item.role is Role.DISTRACTOR and name in read | takes:
        message = f"the distractor '{name}' matters: a rule or a tool reads it"
        hint = "say role: input or observed, or leave it out of rules and parameters"
        findings.append(error("distractor-matters", message, where=where, hint=hint))
    if item.role is Role.OBSERVED and name not in returns:
        message = f"no tool returns the observed field '{name}'"
        hint = "list it under 'returns' of a lookup or an action, or drop it"
        findings.append(error("field-not-revealed", message, where=where, hint=hint))
    if item.role is Role.DERIVED and name not in model.decisions:
        message = f"nothing works out the derived field '{name}'"
        hint = "write a decision of its name, or say role: observed if the record has it"
        findings.append(error("field-not-derived", message, where=where, hint=hint))
    if item.role is Role.SECRET and name not in _compared(model):
        message = f"no guard compares the secret '{name}'"
        hint = "compare an input with it in a guard of a lookup or an action, or drop it"
        findings.append(warning("field-not-used", message, where=where, hint=hint))
    decided = {target for step in model.steps.values() for target in step.decide}
    is_asked_for = item.scored and name in decided
    if item.role is Role.DERIVED and name not in read | returns and not is_asked_for:
        message = f"nothing uses the derived field '{name}'"
        hint = "use it in a rule, an edge or a guard, return it from a tool, or drop it"
        findings.append(warning("field-not-used", message, where=where, hint=hint))
    return findings


def _compared(model: DomainModel) -> frozenset[str]:
    """Return the fields that guards read."""
    return frozenset().union(*(tool_inputs(tool) for tool in model.tools.values()))


CHECK = UnusedFields()
