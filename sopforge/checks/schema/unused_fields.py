"""Schema: every field matters, or says that it is a distractor; every constant is read."""

from __future__ import annotations

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.findings import Finding, make_error_finding, make_warning_finding
from sopforge.language.domain.expressions.expressions import (
    collect_all_read_fields,
    collect_named_constants,
)
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import (
    DomainModel,
    collect_deciding_expressions,
    collect_tool_inputs,
)
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.workspace import DOMAIN, Workspace


class UnusedFields:
    """Tools return observed fields, decisions set derived fields, and nothing reads distractors."""

    name = "unused-fields"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model
        expressions = collect_deciding_expressions(model)
        tools = model.tools.values()
        read = model.expand_columns(collect_all_read_fields(expressions))
        takes = model.expand_columns(name for tool in tools for name in tool.takes)
        returns = model.expand_columns(name for tool in tools for name in tool.returns)
        findings = [
            finding
            for item in {item.place: item for item in model.fields.values()}.values()
            for finding in _check_field(item, model, read=read, takes=takes, returns=returns)
        ]
        return [
            *findings,
            *_find_unnoticed_inputs(model),
            *_find_unused_constants(model),
            *_find_unused_predicates(model),
            *_find_unused_functions(model),
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        model = workspace.model
        used = min(
            collect_all_read_fields(collect_deciding_expressions(model)) & set(model.case.fields)
        )

        def call_it_a_distractor(document: Parsed) -> None:
            entity = next(iter(document["model"]["entities"].values()))
            entity["fields"][used]["role"] = "distractor"

        return edit_yaml(workspace, DOMAIN, call_it_a_distractor)


def _find_unnoticed_inputs(model: DomainModel) -> list[Finding]:
    """Report malformed inputs that make no difference to any case."""
    called = {step.call for step in model.steps.values()}
    taken = {name for tool in model.tools.values() if tool.name in called for name in tool.takes}
    conditions = [edge.when for step in model.steps.values() for edge in step.edges if edge.when]
    asked = collect_all_read_fields(conditions)
    return [
        make_error_finding(
            "malformed-not-noticed",
            f"'{item.name}' is malformed in some tasks, but no step checks that",
            where=f"fields.{item.name}",
            hint="call a tool that takes it, or test well_formed(...) on an edge",
        )
        for item in model.malformable
        if item.name not in taken and name_malformed_mark(item.name) not in asked
    ]


def _find_unused_constants(model: DomainModel) -> list[Finding]:
    drawing = (part for item in model.fields.values() for part in item.sampling.expressions)
    expressions = [*collect_deciding_expressions(model), *model.constraints, *drawing]
    used = frozenset().union(*(collect_named_constants(expression) for expression in expressions))
    return [
        make_warning_finding(
            "policy-not-used",
            f"no rule reads the {kind} '{name}'",
            where=f"{place}.{name}",
            hint=f"use the {kind} in a rule, an edge, a guard or an expression, or delete it",
        )
        for place, kind, known in (
            ("policy", "constant", model.policy),
            ("calendars", "calendar", model.calendars),
        )
        for name in known
        if name not in used
    ]


def _find_unused_predicates(model: DomainModel) -> list[Finding]:
    return [
        make_warning_finding(
            "predicate-not-used",
            f"nothing uses the predicate '{name}'",
            where=f"predicates.{name}",
            hint="use it in a rule, an edge, a guard or a constraint, or delete it",
        )
        for name, predicate in model.predicates.items()
        if not predicate.uses and not predicate.is_of_items
    ]


def _find_unused_functions(model: DomainModel) -> list[Finding]:
    return [
        make_warning_finding(
            "function-not-used",
            f"nothing uses the function '{name}'",
            where=f"functions.{name}",
            hint="use it in an expression, or delete it",
        )
        for name in model.unused_functions
    ]


def is_never_known(item: Field, model: DomainModel) -> bool:
    """Return whether nothing ever reveals a field or works it out."""
    tools = model.tools.values()
    returns = model.expand_columns(name for tool in tools for name in tool.returns)
    is_hidden = item.role is Role.OBSERVED and item.name not in returns
    return is_hidden or (item.role is Role.DERIVED and item.name not in model.decisions)


def _check_field(
    item: Field,
    model: DomainModel,
    *,
    read: frozenset[str],
    takes: frozenset[str],
    returns: frozenset[str],
) -> list[Finding]:
    """Return what is wrong with the use of a field, by its role."""
    name, where = item.name, item.place
    findings = []
    if item.role is Role.DISTRACTOR and name in read | takes:
        message = (
            f"the field '{item.column or name}' is declared a distractor, but a rule or a tool"
            " reads it"
        )
        hint = "set its role to input or observed, or remove it from rules and parameters"
        findings.append(make_error_finding("distractor-matters", message, where=where, hint=hint))
    if item.role is Role.OBSERVED and name not in returns:
        message = f"no tool returns the observed field '{item.column or name}'"
        hint = "list it under 'returns' of a lookup or an action, or delete it"
        findings.append(make_error_finding("field-not-revealed", message, where=where, hint=hint))
    if item.role is Role.DERIVED and name not in model.decisions:
        message = f"no decision gives the derived field '{item.column or name}' a value"
        hint = "add a decision with its name, or set its role to observed if the record has it"
        findings.append(make_error_finding("field-not-derived", message, where=where, hint=hint))
    if item.role is Role.SECRET and name not in _collect_guard_fields(model):
        message = f"no guard compares the secret '{item.column or name}'"
        hint = "compare an input with it in a guard of a lookup or an action, or delete it"
        findings.append(make_warning_finding("field-not-used", message, where=where, hint=hint))
    decided = {target for step in model.steps.values() for target in step.decide}
    is_asked_for = item.scored and name in decided
    if item.role is Role.DERIVED and name not in read | returns and not is_asked_for:
        shown = item.column or name
        message = f"nothing uses the derived field '{shown}'"
        hint = "use it in a rule, an edge or a guard, return it from a tool, or delete it"
        if name in takes:
            message = f"tools take the derived field '{shown}', but nothing depends on its value"
            hint = (
                "check it in a guard of the tool, or write 'scored: true', so that a mistake in"
                " it counts"
            )
        findings.append(make_warning_finding("field-not-used", message, where=where, hint=hint))
    return findings


def _collect_guard_fields(model: DomainModel) -> frozenset[str]:
    """Return the fields that guards read."""
    inputs = (collect_tool_inputs(tool) for tool in model.tools.values())
    return model.expand_columns(name for names in inputs for name in names)


CHECK = UnusedFields()
