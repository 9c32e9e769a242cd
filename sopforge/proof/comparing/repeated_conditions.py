"""Conditions that a model states in several places, read otherwise in all of them.

One ambiguous sentence may lead to several rules: who takes "under 18" for "up to 18" does so in the
rule on children, and in that on adults.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from sopforge.language.domain.expressions.expressions import (
    Compare,
    Constant,
    Expression,
    Not,
    OneOf,
    iterate_parts,
)
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.logic.variants.changed_models import with_expressions
from sopforge.proof.dataset.mutants.expression_mistakes import derive_edits
from sopforge.proof.dataset.mutants.predicate_mistakes import put_others

OtherNumbers = Callable[[Constant], Iterable[Constant]]
"""Returns numbers that may stand in the place of one."""


def derive_repeated_mistakes(
    model: DomainModel, others: OtherNumbers
) -> Iterator[tuple[str, DomainModel]]:
    """Return the model with a condition, and its opposite, read otherwise wherever they stand.

    What is read otherwise is given in words. A condition in one place alone is left out.
    """
    for number, condition in enumerate(_list_repeated(model), start=1):
        for what, wrong in _iterate_readings(condition, others):
            put: dict[Expression, Expression] = {condition: wrong}
            if isinstance(condition, Compare):
                put[_negate(condition)] = _negate(wrong)
            changed = with_expressions(model, partial(put_others, others=put))
            yield f"in all places of condition {number}, {what}", changed


def _list_repeated(model: DomainModel) -> list[Compare | OneOf]:
    """Return the conditions in several places, of two opposite ones the first."""
    parts = iterate_parts(*collect_deciding_expressions(model))
    counts = Counter(part for part in parts if isinstance(part, Compare | OneOf))
    found: dict[Expression, int] = {}
    for part, count in counts.items():
        opposite = _negate(part)
        known = opposite if opposite in found else part
        found[known] = found.get(known, 0) + count
    return [part for part in counts if found.get(part, 0) > 1]


def _iterate_readings(
    condition: Compare | OneOf, others: OtherNumbers
) -> Iterator[tuple[str, Expression]]:
    for edit in derive_edits(condition):
        yield edit.words, edit.wrong
    if isinstance(condition, Compare):
        for other in _iterate_limits(condition, others):
            yield "another limit", other


def _iterate_limits(node: Compare, others: OtherNumbers) -> Iterator[Compare]:
    if isinstance(node.left, Constant) and not node.left.name:
        yield from (replace(node, left=other) for other in others(node.left))
    if isinstance(node.right, Constant) and not node.right.name:
        yield from (replace(node, right=other) for other in others(node.right))


def _negate(condition: Expression) -> Expression:
    if isinstance(condition, Compare):
        return replace(condition, relation=condition.relation.opposite)
    return Not(condition)
