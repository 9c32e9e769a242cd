"""Rules as earlier editions had them: with another limit, or without one of their parts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from sopforge.artifacts.complexity.rules.changes import EditionChange
from sopforge.artifacts.complexity.rules.earlier_values import draw_earlier_limit
from sopforge.artifacts.complexity.rules.rule_statements import (
    RuleStatement,
    collect_rule_statements,
)
from sopforge.artifacts.complexity.rules.stricter_conditions import is_empty
from sopforge.artifacts.complexity.variant import Variant
from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Expression,
    Read,
    Relation,
    iterate_parts,
)
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import DateType
from sopforge.language.logic.variants.substitution import replace_part
from sopforge.seeds import permute_items


def iterate_old_rules(variant: Variant, seed: int) -> Iterator[tuple[RuleStatement, Expression]]:
    """Yield rules and transitions with an earlier condition, each rule once before any again."""
    columns = []
    for item in permute_items(collect_rule_statements(variant), seed, "old rules"):
        older = _iterate_older(variant.model, item.condition, seed)
        found = [condition for condition in older if not is_empty(condition)]
        columns.append([(item, x) for x in permute_items(found, seed, "older", item.states)])
    for turn in zip_longest(*columns):
        yield from filter(None, turn)


def find_day_after(model: DomainModel, change: EditionChange) -> Field | None:
    """Return an entry of cases that states a day, none of which lies before a change."""
    for item in model.case_inputs:
        if isinstance(item.type, DateType) and change.first <= item.type.minimum:
            return item
    return None


def build_day_before(entry: Field, change: EditionChange) -> Expression:
    """Return the condition that the day of an entry lies before a change."""
    day = Constant(DateType(change.first, change.first), change.first)
    return Compare(Relation.LT, Read(entry.type, entry.name), day)


def _iterate_older(model: DomainModel, condition: Expression, seed: int) -> Iterator[Expression]:
    yield from _iterate_shorter(condition)
    for part in iterate_parts(condition):
        if isinstance(part, Constant) and (earlier := draw_earlier_limit(model, part, seed)):
            yield replace_part(condition, part, earlier)


def _iterate_shorter(condition: Expression) -> Iterator[Expression]:
    if not isinstance(condition, AllOf | AnyOf):
        return
    join = AllOf if isinstance(condition, AllOf) else AnyOf
    for place in range(len(condition.operands)):
        rest = tuple(part for n, part in enumerate(condition.operands) if n != place)
        yield rest[0] if len(rest) == 1 else join(rest)
