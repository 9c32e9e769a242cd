"""Decision tables as expressions: what a table's hit policy means, for every reading alike."""

from __future__ import annotations

from functools import reduce

from sopforge.domain.language import numbers
from sopforge.domain.language.expressions import (
    AllOf,
    AnyOf,
    Choice,
    Compare,
    Expression,
    Extreme,
    Not,
    Operation,
    Outermost,
    Relation,
)
from sopforge.domain.rules import Collect, Decision, Formula, HitPolicy, Rule, Table
from sopforge.domain.values.types import BooleanType, NumberType


def decision_value(decision: Decision) -> Expression:
    """Return the value of a decision on the rows that it covers."""
    if isinstance(decision, Formula):
        return decision.value
    if decision.hit is HitPolicy.COLLECT:
        return _collected(decision)
    return _first(decision)


def covered(decision: Decision) -> Expression | None:
    """Return the condition under which a decision has a value; None if it always has."""
    if isinstance(decision, Formula) or any(rule.when is None for rule in decision.rules):
        return None
    if decision.hit is HitPolicy.COLLECT and decision.collect in {Collect.SUM, Collect.COUNT}:
        return None
    return AnyOf(tuple(rule.when for rule in decision.rules if rule.when is not None))


def same_value(left: Expression, right: Expression) -> Expression:
    """Return the condition that two values of one type are equal."""
    if isinstance(left.type, NumberType):
        left, right = numbers.aligned((left, right))
    if isinstance(left.type, BooleanType):
        return AnyOf((AllOf((left, right)), AllOf((Not(left), Not(right)))))
    return Compare(Relation.EQ, left, right)


def applies(table: Table, rule: Rule) -> Expression | None:
    """Return the condition under which a rule decides or takes part; None if it always does."""
    position = table.rules.index(rule)
    conditions = [earlier.when for earlier in table.rules[:position] if earlier.when is not None]
    if rule.when is None:
        return Not(AnyOf(tuple(conditions))) if conditions else None
    if table.hit is HitPolicy.FIRST and conditions:
        return AllOf((Not(AnyOf(tuple(conditions))), rule.when))
    return rule.when


def _first(table: Table) -> Expression:
    """Return the result of the first rule that holds; for unique and any, of the one there is."""
    *earlier, last = table.rules
    value = last.then
    for rule in reversed(earlier):
        value = either(rule.when, rule.then, value)
    return value


def _collected(table: Table) -> Expression:
    """Return what the results of all rules that hold are made into."""
    rules = [rule for rule in table.rules if rule.when is not None]
    rest = table.rules[-1]
    if not rules:
        return rest.then
    match table.collect:
        case Collect.SUM:
            value = _total([either(rule.when, rule.then, _zero(rule.then)) for rule in rules])
        case Collect.MINIMUM:
            value = _extreme(Extreme.MINIMUM, rules)
        case Collect.MAXIMUM:
            value = _extreme(Extreme.MAXIMUM, rules)
        case _:
            parts = [either(rule.when, _one(rule.then), _zero(rule.then)) for rule in rules]
            value = _total(parts)
    if rest.when is not None:
        return value
    return either(AnyOf(tuple(rule.when for rule in rules if rule.when)), value, rest.then)


def _total(parts: list[Expression]) -> Expression:
    return reduce(lambda left, right: numbers.arithmetic(Operation.ADD, left, right), parts)


def _extreme(extreme: Extreme, rules: list[Rule]) -> Expression:
    """Return the least or greatest result of the rules that hold; the first one's if none does."""
    first, *others = rules
    best, found = first.then, [first.when]
    for rule in others:
        pair = (best, rule.then)
        better = Outermost(numbers.hull(pair), extreme, pair)
        any_before = AnyOf(tuple(when for when in found if when is not None))
        best = either(rule.when, either(any_before, better, rule.then), best)
        found.append(rule.when)
    return best


def either(condition: Expression | None, then: Expression, otherwise: Expression) -> Expression:
    """Return ``then`` where a condition holds (None: always), else ``otherwise``, at one scale."""
    if condition is None:
        return then
    if isinstance(then.type, NumberType):
        then, otherwise = numbers.aligned((then, otherwise))
        return Choice(numbers.hull((then, otherwise)), condition, then, otherwise)
    return Choice(then.type, condition, then, otherwise)


def _one(like: Expression) -> Expression:
    return numbers.rescaled(numbers.constant(1), numbers.number_type(like).places)


def _zero(like: Expression) -> Expression:
    return numbers.constant(0, numbers.number_type(like).places)
