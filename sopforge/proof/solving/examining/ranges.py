"""Results that leave the range of their field, where the ranges of what they read allow it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sopforge.findings import Finding, make_error_finding, make_warning_finding
from sopforge.language.domain.expressions.expressions import (
    AnyOf,
    Compare,
    Constant,
    Expression,
    Relation,
)
from sopforge.language.domain.rules import Decision, Formula, HitPolicy
from sopforge.language.domain.values.types import OrderedType
from sopforge.language.logic.tables import (
    build_coverage_condition,
    build_decision_value,
    build_presence,
    build_rule_condition,
)
from sopforge.proof.solving.examining.inquiry import Inquiry
from sopforge.proof.solving.examining.led_cases import find_case
from sopforge.proof.solving.examining.wording import describe_case
from sopforge.proof.solving.questions import NoRow, Row, find_changeable_fields
from sopforge.proof.solving.unfolding import Moment

_HINT = "change the rule or add a constraint, or widen 'min' and 'max' of '{}'"


def examine_ranges(
    inquiry: Inquiry, decision: Decision, moments: Sequence[Moment] = ()
) -> list[Finding]:
    """Return the results of a decision that leave its field's range, each with a case.

    ``moments`` are those at which the procedure decides it, as for ``examine_table``.
    """
    kind, findings = inquiry.model.fields[decision.target].type, []
    if not isinstance(kind, OrderedType):
        return []
    is_changed = decision.target in find_changeable_fields(inquiry.model)
    for what, conditions, value in _list_results(decision):
        outside = _build_outside(value, kind)
        if outside is None:
            continue
        ends = f"{kind.to_cell(kind.minimum)} to {kind.to_cell(kind.maximum)}"
        where, hint = f"decisions.{decision.name}{what}", _HINT.format(decision.target)
        answer = find_case(inquiry, decision, moments, [*conditions, outside])
        if isinstance(answer, Row):
            case = describe_case(inquiry.model, answer)
            message = f"the value of '{decision.target}' leaves {ends} for {case}"
            evidence = str(answer) or "any case"
            findings.append(
                make_error_finding(
                    "out-of-range", message, where=where, evidence=evidence, hint=hint
                )
            )
        elif not isinstance(answer, NoRow) or (is_changed and not moments):
            message = f"the solver's budget ran out on: whether the value leaves {ends}"
            findings.append(
                make_warning_finding("out-of-range-undecided", message, where=where, hint=hint)
            )
    return findings


def _list_results(decision: Decision) -> Iterator[tuple[str, list[Expression], Expression]]:
    """Yield where each result of a decision stands, when it counts, and the result."""
    if isinstance(decision, Formula) or decision.hit is HitPolicy.COLLECT:
        value = build_decision_value(decision)
        asked = [build_coverage_condition(decision), build_presence(value)]
        yield "", [item for item in asked if item is not None], value
        return
    for rule in decision.rules:
        asked = [build_rule_condition(decision, rule), build_presence(rule.then)]
        yield f", rule {rule.id}", [item for item in asked if item is not None], rule.then


def _build_outside(value: Expression, kind: OrderedType) -> Expression | None:
    """Return that a value is under or over a type's ends; None where its own type excludes that."""
    if not isinstance(value.type, OrderedType):
        return None
    sides: list[Expression] = []
    if value.type.minimum < kind.minimum:
        sides.append(Compare(Relation.LT, value, Constant(kind, kind.minimum)))
    if value.type.maximum > kind.maximum:
        sides.append(Compare(Relation.GT, value, Constant(kind, kind.maximum)))
    return AnyOf(tuple(sides)) if sides else None
