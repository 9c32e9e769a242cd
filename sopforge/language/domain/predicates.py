"""Predicates: conditions of a model that have a name, apart from how they become known.

An expression that names a predicate holds the condition itself, so that no reading of the model
knows of names. What is said of a name is said of the conditions that it is used for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.fields import Said


@dataclass(frozen=True, slots=True)
class Predicate:
    """A named condition; ``uses`` has what it is in the row, by the name with what it is about.

    ``said`` has the clauses that say that it is met and that it is not, None where the brief has
    none. One that is asked of items of a list ``is_of_items``; those uses have no truth in the row.

    >>> Predicate("covered", "the account holds the amount", {}).uses
    {}
    """

    name: str
    description: str
    uses: Mapping[str, Expression]
    said: Said | None = None
    is_of_items: bool = False


def map_named_conditions(predicates: Mapping[str, Predicate]) -> dict[Expression, str]:
    """Return the name of each condition that has one; of several, the first."""
    named: dict[Expression, str] = {}
    for predicate in predicates.values():
        for name, condition in predicate.uses.items():
            named.setdefault(condition, name)
    return named
