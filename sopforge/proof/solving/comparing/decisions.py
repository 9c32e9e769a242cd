"""Whether two decisions come to the same in every case, and a case in which they do not."""

from __future__ import annotations

from sopforge.language.domain.expressions.expressions import AllOf, Expression, Not
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Decision, HitPolicy, Table
from sopforge.language.english.meaning import Meaning
from sopforge.language.english.terms import drop_names
from sopforge.language.logic.readings.scalar import evaluate, holds
from sopforge.language.logic.tables import (
    build_agreement,
    build_coverage_condition,
    build_decision_value,
    build_presence,
    build_result_presence,
)
from sopforge.language.logic.variants.substitution import Replacement
from sopforge.proof.solving.comparing.differences import build_difference, find_differing_row
from sopforge.proof.solving.questions import Answer, NoRow, Row

_AGREEING = frozenset({HitPolicy.UNIQUE, HitPolicy.ANY})
NOTHING = "no rule applies"
MISSING = "no value"


def compare_decisions(model: DomainModel, stated: Decision, known: Decision) -> Answer:
    """Return the least row that two decisions of one type decide differently, or the proof of none.

    Where rules that apply together must agree, each stated rule counts, not the first alone. What
    else they read has the value that the model's own decisions give it.
    """
    pair = _build_replacement(stated), _build_replacement(known)
    # Shapes spare the solver, but of rules that must agree a value has the first one alone.
    shapes = [_compute_shapes(model, item) for item in pair]
    if shapes[0] == shapes[1] and not _is_agreeing(stated):
        return NoRow()
    found = [build_difference([pair])]
    if isinstance(stated, Table) and _is_agreeing(stated):
        found += _build_contradictions(stated, build_decision_value(known))
    return find_differing_row(model, found)


def describe_decided_value(decision: Decision, row: Row) -> str:
    """Return in words what a decision comes to on a row."""
    seen = {**row.values, **row.records}
    if not holds(build_coverage_condition(decision), seen):
        return NOTHING
    value = build_decision_value(decision)
    if not holds(build_presence(value), seen):
        return MISSING
    try:
        return value.type.to_cell(evaluate(value, seen))
    except (ValueError, OverflowError):
        return NOTHING  # a day that is worked out from one that is missing is no day


def _build_replacement(decision: Decision) -> Replacement:
    return Replacement(build_decision_value(decision), build_result_presence(decision))


def _compute_shapes(model: DomainModel, known: Replacement) -> tuple[object, ...]:
    parts = [known.value, *([known.present] if known.present else [])]
    return tuple(drop_names(Meaning(model.fields).interpret(part)) for part in parts)


def _is_agreeing(decision: Decision) -> bool:
    return isinstance(decision, Table) and decision.hit in _AGREEING


def _build_contradictions(stated: Table, known: Expression) -> list[Expression]:
    """Return for each rule with a condition that it applies and gives another value."""
    return [
        AllOf((rule.when, Not(build_agreement(rule.then, known))))
        for rule in stated.rules
        if rule.when is not None
    ]
