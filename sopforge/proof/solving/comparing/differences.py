"""The one question by which two procedures are compared: on which row do their answers differ?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from sopforge.language.domain.expressions.expressions import AnyOf, Expression
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.variants.substitution import Replacement
from sopforge.proof.solving.questions import Answer, Undecided, find_row
from sopforge.proof.solving.unfolded_places import TooManyStepsError
from sopforge.proof.solving.unfolding import FALSE, build_value_difference

Pair: TypeAlias = tuple[Replacement, Replacement]
"""What two procedures make of the same thing, over the same rows."""


def find_differing_row(
    model: DomainModel, differences: Iterable[Expression], within: Iterable[Expression] = ()
) -> Answer:
    """Return the least row of a model on which a difference occurs, or the proof that none does.

    ``within`` are conditions of the rows asked about, besides the model's own. It is undecided
    where the differences cannot be derived, for a procedure unfolds into too many steps.
    """
    try:
        found = join_differences(differences)
    except TooManyStepsError:
        return Undecided()
    return find_row(model, [found, *within])


def build_difference(pairs: Iterable[Pair]) -> Expression:
    """Return the condition that the values of some pair differ, or that only one is there."""
    # The same object is the proof that nothing differs.
    return join_differences(
        build_value_difference(left, right) for left, right in pairs if left is not right
    )


def join_differences(differences: Iterable[Expression]) -> Expression:
    """Return the condition that one of the differences occurs."""
    # All in one: joined in twos, many would nest deeper than Python's calls go.
    found = tuple(item for item in differences if item is not FALSE)
    if not found:
        return FALSE
    return AnyOf(found) if found[1:] else found[0]
