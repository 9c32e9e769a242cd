"""Rules of earlier editions for cases before a day, as they stand among the rules of today."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from sopforge.artifacts.complexity.passages import Passage, Where
from sopforge.artifacts.complexity.rule_statements import RuleStatement, collect_rule_statements
from sopforge.artifacts.complexity.trade.changes import draw_change
from sopforge.artifacts.complexity.trade.stricter_conditions import is_empty
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.material.earlier_values import draw_earlier_limit
from sopforge.artifacts.rendering.sop.marks import SUPERSEDED
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


def iterate_old_rules(variant: Variant, seed: int) -> Iterator[Passage]:
    """Yield rules and transitions as earlier editions had them, for cases before every case.

    There is none where cases state no day, or may state days before the change.
    """
    model = variant.model
    first_days = collect_first_days(model)
    dates = {item.label: item for item in model.inputs if item.label in first_days}
    rules = permute_items(collect_rule_statements(variant), seed, "old rules")
    for number, item in enumerate(rules):
        change = draw_change(variant.setting, number, seed)
        entry = next((x for x, day in first_days.items() if change.day <= day.isoformat()), "")
        older = _choose_older(model, item, seed) if entry else None
        if older is None:
            continue
        dated = AllOf((_build_day_before(dates[entry], change.first), older))
        old = item.write_like(variant, dated, item.result, SUPERSEDED)
        if old is not None:
            yield Passage(old, Where(joins=item.states))


def collect_first_days(model: DomainModel) -> dict[str, date]:
    """Return before which day no case lies, by the label of each day that cases state."""
    return {
        item.label: date.fromordinal(item.type.minimum)
        for item in model.case_inputs
        if isinstance(item.type, DateType)
    }


def _build_day_before(entry: Field, day: int) -> Expression:
    return Compare(Relation.LT, Read(entry.type, entry.name), Constant(DateType(day, day), day))


def _choose_older(model: DomainModel, item: RuleStatement, seed: int) -> Expression | None:
    """Return an earlier condition of a rule: with another limit, or without one of its parts."""
    found = [
        *_iterate_other_limits(model, item.condition, seed),
        *_iterate_shorter(item.condition),
    ]
    found = [older for older in found if not is_empty(older)]
    return permute_items(found, seed, "older", item.states)[0] if found else None


def _iterate_other_limits(
    model: DomainModel, condition: Expression, seed: int
) -> Iterator[Expression]:
    """Yield a condition with an earlier value of each of its limits."""
    for part in iterate_parts(condition):
        if isinstance(part, Constant) and (earlier := draw_earlier_limit(model, part, seed)):
            yield replace_part(condition, part, earlier)


def _iterate_shorter(condition: Expression) -> Iterator[Expression]:
    """Yield a condition without one of its parts."""
    if not isinstance(condition, AllOf | AnyOf):
        return
    join = AllOf if isinstance(condition, AllOf) else AnyOf
    for place in range(len(condition.operands)):
        rest = tuple(part for n, part in enumerate(condition.operands) if n != place)
        yield rest[0] if len(rest) == 1 else join(rest)
