"""Decision tables as expressions: what a table's hit policy means, for every reading alike."""

from __future__ import annotations

from functools import reduce

from sopforge.domain.language import numbers
from sopforge.domain.language.expressions import (
    AllOf,
    AnyOf,
    Choice,
    Combination,
    Compare,
    Constant,
    Expression,
    Extreme,
    Not,
    Operation,
    Outermost,
    Relation,
    SetOperation,
    Subset,
)
from sopforge.domain.rules import Collect, Decision, Formula, HitPolicy, Rule, Table
from sopforge.domain.values.types import BooleanType, NumberType, SetType

TOTALS = frozenset({Collect.SUM, Collect.COUNT, Collect.UNION})
"""What of no results has a value too."""


def build_decision_value(decision: Decision) -> Expression:
    """Return the value of a decision on the rows that it covers."""
    if isinstance(decision, Formula):
        return decision.value
    if decision.hit is HitPolicy.COLLECT:
        return _build_collected_result(decision)
    return _build_first_result(decision)


def build_coverage_condition(decision: Decision) -> Expression | None:
    """Return the condition under which a decision has a value; None if it always has."""
    if isinstance(decision, Formula) or any(rule.when is None for rule in decision.rules):
        return None
    # The sum and the count of nothing are 0, its union is empty; nothing has no least or greatest.
    if decision.hit is HitPolicy.COLLECT and decision.collect in TOTALS:
        return None
    return AnyOf(tuple(rule.when for rule in decision.rules if rule.when is not None))


def build_equality(left: Expression, right: Expression) -> Expression:
    """Return the condition that two values of one type are equal."""
    if isinstance(left.type, NumberType):
        # Equal integers of other places are other numbers: 5 is 0.5 where there is one place.
        left, right = numbers.align_places((left, right))
    if isinstance(left.type, BooleanType):
        # Either side may be a condition, which is no integer to the solver and cannot be compared.
        return AnyOf((AllOf((left, right)), AllOf((Not(left), Not(right)))))
    if isinstance(left.type, SetType):
        return AllOf((Subset(left, right), Subset(right, left)))
    return Compare(Relation.EQ, left, right)


def build_rule_condition(table: Table, rule: Rule) -> Expression | None:
    """Return the condition under which a rule decides or takes part; None if it always does."""
    position = table.rules.index(rule)
    conditions = [earlier.when for earlier in table.rules[:position] if earlier.when is not None]
    if rule.when is None:
        return Not(AnyOf(tuple(conditions))) if conditions else None
    if table.hit is HitPolicy.FIRST and conditions:
        return AllOf((Not(AnyOf(tuple(conditions))), rule.when))
    return rule.when


def _build_first_result(table: Table) -> Expression:
    """Return the result of the first rule that holds; for unique and any, of the one there is."""
    *earlier, last = table.rules
    # Untested: whether any rule applies is asked apart, by `build_coverage_condition`.
    value = last.then
    for rule in reversed(earlier):
        value = build_choice(rule.when, rule.then, value)
    return value


def _build_collected_result(table: Table) -> Expression:
    """Return what the results of all rules that hold are made into."""
    rules = [rule for rule in table.rules if rule.when is not None]
    rest = table.rules[-1]
    if not rules:
        return rest.then
    match table.collect:
        case Collect.SUM:
            value = _build_total(
                [build_choice(rule.when, rule.then, _build_zero(rule.then)) for rule in rules]
            )
        case Collect.MINIMUM:
            value = _build_extreme(Extreme.MINIMUM, rules)
        case Collect.MAXIMUM:
            value = _build_extreme(Extreme.MAXIMUM, rules)
        case Collect.UNION:
            value = reduce(_build_union, [_build_members(rule) for rule in rules])
        case _:
            parts = [
                build_choice(rule.when, _build_one(rule.then), _build_zero(rule.then))
                for rule in rules
            ]
            value = _build_total(parts)
    if rest.when is not None:
        return value
    return build_choice(AnyOf(tuple(rule.when for rule in rules if rule.when)), value, rest.then)


def _build_members(rule: Rule) -> Expression:
    """Return the set that a rule adds: none of its labels where it does not hold."""
    return build_choice(rule.when, rule.then, Constant(rule.then.type, 0))


def _build_union(left: Expression, right: Expression) -> Expression:
    if not isinstance(left.type, SetType):
        raise TypeError(f"{left!r} is no set")
    return Combination(left.type, SetOperation.UNION, left, right)


def _build_total(parts: list[Expression]) -> Expression:
    return reduce(lambda left, right: numbers.build_arithmetic(Operation.ADD, left, right), parts)


def _build_extreme(extreme: Extreme, rules: list[Rule]) -> Expression:
    """Return the least or greatest result of the rules that hold; the first one's if none does."""
    first, *others = rules
    best, found = first.then, [first.when]
    for rule in others:
        pair = (best, rule.then)
        better = Outermost(numbers.compute_hull(pair), extreme, pair)
        # The first result is only a start: it counts beside another where an earlier rule holds.
        any_before = AnyOf(tuple(when for when in found if when is not None))
        best = build_choice(rule.when, build_choice(any_before, better, rule.then), best)
        found.append(rule.when)
    return best


def build_choice(
    condition: Expression | None, then: Expression, otherwise: Expression
) -> Expression:
    """Return ``then`` where a condition holds (None: always), else ``otherwise``, at one scale."""
    if condition is None:
        return then
    if isinstance(then.type, NumberType):
        then, otherwise = numbers.align_places((then, otherwise))
        return Choice(numbers.compute_hull((then, otherwise)), condition, then, otherwise)
    return Choice(then.type, condition, then, otherwise)


def _build_one(like: Expression) -> Expression:
    return numbers.rescale_number(
        numbers.make_number_constant(1), numbers.require_number_type(like).places
    )


def _build_zero(like: Expression) -> Expression:
    return numbers.make_number_constant(0, numbers.require_number_type(like).places)
