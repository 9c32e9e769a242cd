"""Whether two decisions come to the same in every case, and a case in which they do not."""

from __future__ import annotations

from sopforge.domain.language.expressions import AllOf, AnyOf, Expression, Not
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Decision, HitPolicy, Table
from sopforge.domain.values.types import to_cell
from sopforge.logic.phrasing.shape import shape
from sopforge.logic.readings.scalar import evaluate, holds
from sopforge.logic.tables import covered, decision_value, same_value
from sopforge.logic.variants.substitution import Replacement
from sopforge.solving.differences import differs
from sopforge.solving.questions import Answer, NoRow, Row, find_row

_AGREEING = frozenset({HitPolicy.UNIQUE, HitPolicy.ANY})
NOTHING = "no rule applies"


def differing_row(model: DomainModel, told: Decision, known: Decision) -> Answer:
    """Return the least row that two decisions of one type decide differently, or the proof of none.

    Where rules that apply together must agree, each rule that is told counts, not the first alone.
    What else they read has the value that the model's own decisions give it.
    """
    pair = _known(told), _known(known)
    if _shapes(pair[0]) == _shapes(pair[1]) and not _is_agreeing(told):
        return NoRow()
    found = differs(*pair)
    if isinstance(told, Table) and _is_agreeing(told):
        found = AnyOf((found, *_contradicting(told, decision_value(known))))
    return find_row(model, [found])


def decided_on(decision: Decision, row: Row) -> str:
    """Return in words what a decision comes to on a row."""
    seen = {**row.values, **row.records}
    if not holds(covered(decision), seen):
        return NOTHING
    value = decision_value(decision)
    try:
        return to_cell(value.type, evaluate(value, seen))
    except (ValueError, OverflowError):
        return NOTHING  # a day that is worked out from one that is missing is no day


def _known(decision: Decision) -> Replacement:
    return Replacement(decision_value(decision), covered(decision))


def _shapes(known: Replacement) -> tuple[object, ...]:
    return shape(known.value), known.present and shape(known.present)


def _is_agreeing(decision: Decision) -> bool:
    return isinstance(decision, Table) and decision.hit in _AGREEING


def _contradicting(told: Table, known: Expression) -> list[Expression]:
    """Return for each rule with a condition that it applies and gives another value."""
    return [
        AllOf((rule.when, Not(same_value(rule.then, known))))
        for rule in told.rules
        if rule.when is not None
    ]
