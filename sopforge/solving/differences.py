"""Where two readings of the same cases differ: of two models, or of one with a value changed."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.domain.expressions import AnyOf, Expression, Not
from sopforge.domain.fields import Entity
from sopforge.domain.model import DomainModel
from sopforge.errors import Fault, MaterialError
from sopforge.logic.substitution import Known
from sopforge.logic.tables import same_value
from sopforge.solving.questions import Answer, Undecided, find_row
from sopforge.solving.unfolding import (
    FALSE,
    TRUE,
    TooManyStepsError,
    answers_of,
    both,
    unfold,
)


def distinguish(model: DomainModel, other: DomainModel) -> Answer:
    """Return a row that two models of the same fields answer differently, or the proof of none.

    Raises:
        MaterialError: the models have other fields or types.
    """
    kinds, others = (
        {
            n: (item.type, bool(item.missing), bool(item.malformed))
            for n, item in part.fields.items()
        }
        for part in (model, other)
    )
    odd = sorted(name for name in {**kinds, **others} if kinds.get(name) != others.get(name))
    if odd:
        message = f"the models differ in their fields: {', '.join(odd)}"
        hint = "only rules, policy and procedure may differ"
        raise MaterialError(Fault("fields-differ", message, "model.entities", hint))
    if [_shape(model, item) for item in model.references] != [
        _shape(other, item) for item in other.references
    ]:
        message = "the models differ in the records that cases refer to"
        hint = "only rules, policy and procedure may differ"
        raise MaterialError(Fault("fields-differ", message, "model.entities", hint))
    try:
        sides = [answers_of(part, unfold(part)) for part in (model, other)]
    except TooManyStepsError:
        return Undecided()
    return find_difference(model, *sides)


def _shape(model: DomainModel, entity: Entity) -> tuple[str, str, frozenset[str], bool]:
    """Return what rows depend on: how an entity is found, what it holds, whether it may lack."""
    return entity.name, entity.key, frozenset(entity.fields), model.may_lack(entity)


def find_difference(
    model: DomainModel,
    left: dict[str, Known],
    right: dict[str, Known],
) -> Answer:
    """Return a row on which two readings of the outcomes differ, or the proof that none does."""
    return find_row(model, [difference(left, right)])


def difference(left: Mapping[str, Known], right: Mapping[str, Known]) -> Expression:
    """Return the condition that two readings of the outcomes differ."""
    found: Expression = FALSE
    for name, known in left.items():
        found = _either(found, differs(known, right[name]))
    return found


def differs(left: Known, right: Known) -> Expression:
    """Return the condition that two values differ, or that only one of them is there."""
    first, second = left.present or TRUE, right.present or TRUE
    values = both(both(first, second), Not(same_value(left.value, right.value)))
    return _either(values, Not(same_value(first, second)))


def _either(left: Expression, right: Expression) -> Expression:
    return right if left is FALSE else AnyOf((left, right))
