"""The levels L0 to L3: each applies the operators up to its own, L0 none."""

from __future__ import annotations

from sopforge.complexity import distractor_fields, redundant_detail, redundant_tools
from sopforge.complexity.variant import Operator, Variant
from sopforge.domain.schema import Level

OPERATORS: tuple[Operator, ...] = (
    redundant_detail.OPERATOR,
    redundant_tools.OPERATOR,
    distractor_fields.OPERATOR,
)
DOSES: dict[Level, int] = {"L1": 6, "L2": 3, "L3": 4}


def at_level(plain: Variant, level: Level, seed: int) -> Variant:
    """Return the plain variant with the operators of all levels up to ``level`` applied."""
    variant = plain
    for operator in OPERATORS:
        if operator.level <= level:
            variant = operator.apply(variant, DOSES[operator.level], seed)
    return variant
