"""The levels L0 to L3: at each the operators are applied in their doses, at L0 none."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sopforge.complexity import (
    cross_references,
    distractor_inputs,
    distractor_returns,
    equivalent_tools,
    general_tools,
    indirect_thresholds,
    partial_tools,
    redundant_detail,
    superseded,
    superseded_tools,
    tangents,
)
from sopforge.complexity.variant import Operator, Variant
from sopforge.domain.schema import ComplexityDocument, HarderLevel, Level

OPERATORS: tuple[Operator, ...] = (
    cross_references.OPERATOR,
    indirect_thresholds.OPERATOR,
    redundant_detail.OPERATOR,
    superseded.OPERATOR,
    tangents.OPERATOR,
    equivalent_tools.OPERATOR,
    partial_tools.OPERATOR,
    superseded_tools.OPERATOR,
    general_tools.OPERATOR,
    distractor_inputs.OPERATOR,
    distractor_returns.OPERATOR,
)
"""All operators in the order in which they are applied: what quotes the text follows its makers."""

DOSES: Mapping[HarderLevel, Mapping[str, int]] = MappingProxyType(
    {
        "L1": {
            "cross_references": 2,
            "indirect_thresholds": 2,
            "redundant_detail": 2,
            "superseded": 4,
            "tangents": 4,
        },
        "L2": {
            "equivalent_tools": 2,
            "partial_tools": 3,
            "superseded_tools": 1,
            "general_tools": 6,
        },
        "L3": {"distractor_inputs": 4, "distractor_returns": 3},
    }
)
"""What each level puts in beyond the one below it, unless the brief says otherwise."""


USUAL = ComplexityDocument()


def doses_at(level: Level, asked: ComplexityDocument) -> dict[str, int]:
    """Return the dose of each operator at a level; a dose holds until a higher level changes it."""
    doses = {operator.name: 0 for operator in OPERATORS}
    for name, usual in DOSES.items():
        if name <= level:
            said = asked.doses.get(name)
            doses |= {**usual, **(said.model_dump(exclude_none=True) if said else {})}
    return doses


def most_asked(asked: ComplexityDocument) -> dict[str, int]:
    """Return the greatest dose of each operator at any level that is asked for."""
    levels = [doses_at(level, asked) for level in asked.levels]
    return {item.name: max(doses[item.name] for doses in levels) for item in OPERATORS}


def at_level(plain: Variant, level: Level, seed: int, asked: ComplexityDocument = USUAL) -> Variant:
    """Return the plain variant at a level, in the doses that are asked for."""
    return at_doses(plain, doses_at(level, asked), seed)


def at_doses(plain: Variant, doses: Mapping[str, int], seed: int) -> Variant:
    """Return the plain variant with the operators applied in these doses."""
    variant = plain
    for operator in OPERATORS:
        variant = operator.apply(variant, doses.get(operator.name, 0), seed)
    return variant
