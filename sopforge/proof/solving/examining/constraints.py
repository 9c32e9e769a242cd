"""Constraints that no row satisfies: which of them contradict, and within which ranges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sopforge.findings import Finding, make_error_finding, make_warning_finding
from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import NumberType, OrderedType
from sopforge.language.english.words import phrase_expression
from sopforge.proof.solving.questions import NoRow, find_row


def make_contradiction_finding(model: DomainModel) -> Finding:
    """Return the finding about constraints that cannot all be met: fewest, with their words.

    Without any of those that it names, some row satisfies the others of them.
    """
    kept = find_least_contradiction(model)
    named = [model.constraints[number] for number in kept]
    texts = "; ".join(phrase_expression(constraint, model.fields) for constraint in named)
    ranges = [
        _describe_range(model.fields[name])
        for name in model.fields
        if name in collect_all_read_fields(named)
    ]
    message = "no row satisfies these together" if len(kept) > 1 else "no row satisfies this"
    return make_error_finding(
        "constraints-contradict",
        f"{message}: {texts}",
        where=", ".join(f"constraints.{number}" for number in kept),
        evidence="; ".join(text for text in ranges if text),
        hint="relax one of the constraints, or widen the ranges of their fields",
    )


def find_idle_constraints(model: DomainModel) -> list[Finding]:
    """Warn of constraints that exclude nothing: each row that meets the others meets them too."""
    findings = []
    kept = list(model.constraints)
    for number, constraint in enumerate(model.constraints):
        others = tuple(other for other in kept if other is not constraint)
        fewer = replace(model, constraints=others)
        if not isinstance(find_row(fewer, (), [constraint], is_shown=False), NoRow):
            continue
        # Of two that say the same, one is left.
        kept = list(others)
        text = phrase_expression(constraint, model.fields)
        findings.append(
            make_warning_finding(
                "constraint-excludes-nothing",
                f"no row breaks this, with or without the constraint: {text}",
                where=f"constraints.{number}",
                hint="delete the constraint, or correct its condition",
            )
        )
    return findings


def find_least_contradiction(model: DomainModel) -> Sequence[int]:
    """Return the numbers of constraints that contradict each other, none of which is spare.

    They are left out one at a time, in order; one stays if what is left is not proved to be a
    contradiction.
    """
    kept = list(range(len(model.constraints)))
    for number in range(len(model.constraints)):
        # Of what is still kept, not of all: two that are alike would both be left out.
        rest = [other for other in kept if other != number]
        fewer = replace(model, constraints=tuple(model.constraints[other] for other in rest))
        if rest and isinstance(find_row(fewer, (), is_shown=False), NoRow):
            kept = rest
    return kept


def _describe_range(item: Field) -> str:
    """Return the range of a number or date in words; nothing for other fields."""
    if not isinstance(item.type, OrderedType):
        return ""
    low, high = item.type.bound_cells
    unit = f" {item.type.unit}" if isinstance(item.type, NumberType) and item.type.unit else ""
    return f"{item.name} is from {low} to {high}{unit}"
