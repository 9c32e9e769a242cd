"""Misreadings of variants: models as who misreads what an operator made has them."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.artifacts.complexity.deepening import (
    more_branches,
    more_exceptions,
    more_order,
    more_parts,
    more_steps,
    more_windows,
)
from sopforge.artifacts.complexity.deepening.drawn_cases import draw_cases
from sopforge.artifacts.complexity.model_patches import DeepeningOperator, ModelOperator
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.distinguishing import find_distinguished
from sopforge.proof.solving.unfolded_places import TooManyStepsError

OPERATORS: tuple[ModelOperator, ...] = (
    more_steps.OPERATOR,
    more_branches.OPERATOR,
    more_parts.OPERATOR,
    more_order.OPERATOR,
    more_windows.OPERATOR,
    more_exceptions.OPERATOR,
)
"""What changes the model of a variant, in the order in which it does."""
_MEASURED = 600


def derive_misreadings(model: DomainModel) -> Mapping[str, DomainModel]:
    """Return the model as it is misread, by the name of each misreading that there can be.

    An agent that follows one of them faithfully lacks nothing but the understanding of what one
    operator made.
    """
    found = {
        item.misreading: item.misread(model)
        for item in OPERATORS
        if isinstance(item, DeepeningOperator)
    }
    return {name: other for name, other in found.items() if other is not model}


def measure_misreading(model: DomainModel, operator: DeepeningOperator, seed: int) -> int:
    """Return in how many percent of drawn cases a misreading comes to another outcome.

    It is 0 where loops unroll into too many steps for cases to be compared all at once.
    """
    cases = draw_cases(model, seed, _MEASURED)
    rows = {str(place): row for place, row in enumerate(cases.rows)}
    try:
        (apart,) = find_distinguished(model, rows, [operator.misread(model)])
    except TooManyStepsError:
        return 0
    return 100 * len(apart) // max(1, len(rows))
