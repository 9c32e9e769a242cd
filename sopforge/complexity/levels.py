"""The levels L0 to L3: at each the operators are applied in their doses, at L0 none."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import get_args

from sopforge.complexity.registry import load_operators
from sopforge.complexity.variant import Operator, Variant
from sopforge.domain.documents.schema import ComplexityDocument, HarderLevel, Level, TextLevel

OPERATORS: tuple[Operator, ...] = load_operators()
"""All operators in the order in which they are applied."""

DOSES: Mapping[HarderLevel, Mapping[str, int]] = MappingProxyType(
    {
        level: {item.name: item.usual for item in OPERATORS if item.level == level}
        for level in get_args(HarderLevel)
    }
)
"""What each level puts in beyond the one below it, unless the brief says otherwise."""


TEXT_LEVELS = frozenset(get_args(TextLevel))
"""The levels at which operators change text, tools and data; those above have dials."""
USUAL = ComplexityDocument()


def compute_doses(level: Level, asked: ComplexityDocument) -> dict[str, int]:
    """Return the dose of each operator at a level; a dose holds until a higher level changes it."""
    doses = {operator.name: 0 for operator in OPERATORS}
    for name, usual in DOSES.items():
        # As texts: L1 comes before L2, and L2 before L3.
        if level in TEXT_LEVELS and name <= level:
            said = asked.doses.get(name)
            doses |= {**usual, **(said.model_dump(exclude_none=True) if said else {})}
    return doses


def compute_greatest_doses(asked: ComplexityDocument) -> dict[str, int]:
    """Return the greatest dose of each operator at any level that is asked for."""
    levels = [compute_doses(level, asked) for level in asked.levels]
    return {item.name: max(doses[item.name] for doses in levels) for item in OPERATORS}


def apply_level(
    plain: Variant, level: Level, seed: int, asked: ComplexityDocument = USUAL
) -> Variant:
    """Return the plain variant at a level, in the doses that are asked for."""
    return apply_doses(plain, compute_doses(level, asked), seed)


def apply_doses(plain: Variant, doses: Mapping[str, int], seed: int) -> Variant:
    """Return the plain variant with the operators applied in these doses."""
    variant = plain
    for operator in OPERATORS:
        variant = operator.apply(variant, doses.get(operator.name, 0), seed)
    return variant
