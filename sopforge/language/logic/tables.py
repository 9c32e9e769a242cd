"""Decision tables as expressions: what a table's hit policy means, for every reading alike."""

from __future__ import annotations

from functools import reduce

from sopforge.language.domain.expressions import expressions as nodes
from sopforge.language.domain.expressions import numbers
from sopforge.language.domain.expressions.expressions import (
    Expression,
    Extreme,
    Operation,
    Relation,
    SetOperation,
    may_be_missing,
)
from sopforge.language.domain.rules import Collect, Decision, Formula, HitPolicy, Rule, Table
from sopforge.language.domain.values.types import (
    BooleanType,
    EnumType,
    MomentType,
    NumberType,
    SetType,
)

TRUE: Expression = nodes.Compare(
    Relation.EQ, numbers.make_number_constant(0), numbers.make_number_constant(0)
)
FALSE: Expression = nodes.Compare(
    Relation.EQ, numbers.make_number_constant(0), numbers.make_number_constant(1)
)
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
    """Return the condition under which a decision says something; None if it always does."""
    if isinstance(decision, Formula) or any(rule.when is None for rule in decision.rules):
        return None
    # The sum and the count of nothing are 0, its union is empty; nothing has no least or greatest.
    if decision.hit is HitPolicy.COLLECT and decision.collect in TOTALS:
        return None
    return nodes.AnyOf(tuple(rule.when for rule in decision.rules if rule.when is not None))


def build_presence(value: Expression) -> Expression | None:
    """Return the condition under which a result is a value; None if it always is."""
    return _find_presence(value) if may_be_missing(value) else None


def build_result_presence(decision: Decision) -> Expression | None:
    """Return the condition under which a decision gives a value; None if it always does."""
    covered = build_coverage_condition(decision)
    present = build_presence(build_decision_value(decision))
    if covered is None or present is None:
        return covered if present is None else present
    return nodes.AllOf((covered, present))


def build_agreement(left: Expression, right: Expression) -> Expression:
    """Return the condition that two results are equal values, or that neither is a value."""
    first, second = build_presence(left), build_presence(right)
    equal = build_equality(left, right)
    if first is None and second is None:
        return equal
    first, second = first or TRUE, second or TRUE
    return nodes.AnyOf(
        (nodes.AllOf((first, second, equal)), nodes.AllOf((nodes.Not(first), nodes.Not(second))))
    )


def _find_presence(value: Expression) -> Expression:
    match value:
        case nodes.Missing():
            return FALSE
        case nodes.Choice() if may_be_missing(value):
            then, otherwise = _find_presence(value.then), _find_presence(value.otherwise)
            return _choose_presence(value.condition, then, otherwise)
        case nodes.Lookup() if may_be_missing(value):
            rows = [
                (nodes.Compare(Relation.EQ, value.key, nodes.Constant(value.key.type, code)), entry)
                for code, entry in enumerate(map(_find_presence, value.entries))
            ]
            found = [
                label if entry is TRUE else nodes.AllOf((label, entry))
                for label, entry in rows
                if entry is not FALSE
            ]
            return nodes.AnyOf(tuple(found)) if found else FALSE
        case _:
            return TRUE


def _choose_presence(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    """Return when a choice is a value, by when its sides are."""
    if then is otherwise:
        return then
    if then is TRUE:
        return condition if otherwise is FALSE else nodes.AnyOf((condition, otherwise))
    if then is FALSE:
        return (
            nodes.Not(condition)
            if otherwise is TRUE
            else nodes.AllOf((nodes.Not(condition), otherwise))
        )
    if otherwise is TRUE:
        return nodes.AnyOf((nodes.Not(condition), then))
    if otherwise is FALSE:
        return nodes.AllOf((condition, then))
    return nodes.AnyOf(
        (nodes.AllOf((condition, then)), nodes.AllOf((nodes.Not(condition), otherwise)))
    )


def build_equality(left: Expression, right: Expression) -> Expression:
    """Return the condition that two values of one type are equal."""
    if isinstance(left.type, NumberType):
        # Equal integers of other places are other numbers: 5 is 0.5 where there is one place.
        left, right = numbers.align_places((left, right))
    if isinstance(left.type, BooleanType):
        # Either side may be a condition, which is no integer to the solver and cannot be compared.
        return nodes.AnyOf(
            (nodes.AllOf((left, right)), nodes.AllOf((nodes.Not(left), nodes.Not(right))))
        )
    if isinstance(left.type, SetType):
        return nodes.AllOf((nodes.Subset(left, right), nodes.Subset(right, left)))
    return nodes.Compare(Relation.EQ, left, right)


def build_rule_condition(table: Table, rule: Rule) -> Expression | None:
    """Return the condition under which a rule decides or takes part; None if it always does."""
    position = table.rules.index(rule)
    conditions = [earlier.when for earlier in table.rules[:position] if earlier.when is not None]
    if rule.when is None:
        return nodes.Not(nodes.AnyOf(tuple(conditions))) if conditions else None
    if table.is_in_turn and conditions:
        return nodes.AllOf((nodes.Not(nodes.AnyOf(tuple(conditions))), rule.when))
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
    return build_choice(
        nodes.AnyOf(tuple(rule.when for rule in rules if rule.when)), value, rest.then
    )


def _build_members(rule: Rule) -> Expression:
    """Return the set that a rule adds: none of its labels where it does not hold."""
    return build_choice(rule.when, rule.then, nodes.Constant(rule.then.type, 0))


def _build_union(left: Expression, right: Expression) -> Expression:
    if not isinstance(left.type, SetType):
        raise TypeError(f"{left!r} is no set")
    return nodes.Combination(left.type, SetOperation.UNION, left, right)


def _build_total(parts: list[Expression]) -> Expression:
    return reduce(lambda left, right: numbers.build_arithmetic(Operation.ADD, left, right), parts)


def _build_extreme(extreme: Extreme, rules: list[Rule]) -> Expression:
    """Return the least or greatest result of the rules that hold; the first one's if none does."""
    first, *others = rules
    best, found = first.then, [first.when]
    for rule in others:
        pair = (best, rule.then)
        better = _build_better(extreme, pair)
        # The first result is only a start: it counts beside another where an earlier rule holds.
        any_before = nodes.AnyOf(tuple(when for when in found if when is not None))
        best = build_choice(rule.when, build_choice(any_before, better, rule.then), best)
        found.append(rule.when)
    return best


def _build_better(extreme: Extreme, pair: tuple[Expression, Expression]) -> Expression:
    """Return the lesser or greater of two results, which are numbers or labels of one order."""
    kind = pair[0].type
    shared = kind if isinstance(kind, EnumType) else numbers.compute_hull(pair)
    return nodes.Outermost(shared, extreme, pair)


def build_choice(
    condition: Expression | None, then: Expression, otherwise: Expression
) -> Expression:
    """Return ``then`` where a condition holds (None: always), else ``otherwise``, at one scale."""
    if condition is None:
        return then
    if isinstance(then.type, NumberType):
        then, otherwise = numbers.align_places((then, otherwise))
        return nodes.Choice(numbers.compute_hull((then, otherwise)), condition, then, otherwise)
    match then.type, otherwise.type:
        case MomentType() as kind, MomentType() as other if kind.is_like(other):
            return nodes.Choice(kind.join(other), condition, then, otherwise)
        case kind, _:
            return nodes.Choice(kind, condition, then, otherwise)


def _build_one(like: Expression) -> Expression:
    return numbers.rescale_number(
        numbers.make_number_constant(1), numbers.require_number_type(like).places
    )


def _build_zero(like: Expression) -> Expression:
    return numbers.make_number_constant(0, numbers.require_number_type(like).places)
