"""Rules of earlier editions for cases before a day, as they stand among the rules of today."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from sopforge.complexity.conditional_lines import select_conditional_lines
from sopforge.complexity.passages import Passage, Where
from sopforge.complexity.trade.changes import draw_change
from sopforge.complexity.trade.setting import Setting
from sopforge.complexity.variant import Variant
from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Expression,
    Read,
    Relation,
    iterate_parts,
)
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Table
from sopforge.domain.values.types import DateType
from sopforge.logic.variants.substitution import replace_part
from sopforge.material.earlier_values import draw_earlier_value
from sopforge.rendering.sop.added.superseded import SUPERSEDED, collect_first_days, is_void
from sopforge.rendering.sop.document import Line
from sopforge.seeds import permute_items

_FORMS = {
    re.compile(r'(?P<result>"[^"]+") if .+'): "{result} if {condition}.",
    re.compile(r"If .+, (?:then )?(?P<result>go to step \d[^)]*\))\."): "If {condition}, {result}.",
}
"""Lines with one condition and what they give, and how an older one says the same."""


class Phrase(Protocol):
    """Returns a condition as a sentence has it, "" where it is long or gives a limit away."""

    def __call__(self, variant: Variant, condition: Expression, known: Sequence[str]) -> str: ...


def iterate_old_rules(
    variant: Variant, setting: Setting, seed: int, phrase: Phrase
) -> Iterator[Passage]:
    """Yield rules and transitions as earlier editions had them, for cases before every case.

    There is none where cases state no day, or may state days before the change.
    """
    model = variant.model
    first_days = collect_first_days(model)
    dates = {item.label: item for item in model.inputs if item.label in first_days}
    lines = select_conditional_lines(variant.sop.lines, model)
    fitting = [line for line in lines if any(_find_form(line))]
    for number, line in enumerate(permute_items(fitting, seed, "old rules")):
        change = draw_change(setting, number, seed)
        entry = next((x for x, day in first_days.items() if change.day <= day.isoformat()), "")
        older = _choose_older(model, line, seed) if entry else None
        if older is None:
            continue
        condition, known = older
        said = phrase(
            variant, AllOf((_build_day_before(dates[entry], change.first), condition)), known
        )
        form, result = _find_form(line)
        text = form.format(result=result, condition=said)
        # Some conditions would be read as alternatives to the day.
        if said and is_void(text, first_days):
            old = Line(line.style, text, excused=SUPERSEDED)
            yield Passage(old, Where(joins=line.states[0]))


def _find_form(line: Line) -> tuple[str, str]:
    """Return how an older line like this one is said and what it gives, nothing for others."""
    found = ((said, form.fullmatch(line.text)) for form, said in _FORMS.items())
    return next(((said, match["result"]) for said, match in found if match), ("", ""))


def _build_day_before(entry: Field, day: int) -> Expression:
    return Compare(Relation.LT, Read(entry.type, entry.name), Constant(DateType(day, day), day))


def _choose_older(model: DomainModel, line: Line, seed: int) -> tuple[Expression, list[str]] | None:
    """Return an earlier condition of a line, with the limits of which it has another value."""
    now = _find_condition(model, line.states[0])
    if now is None:
        return None
    found = [*_iterate_other_limits(model, now, seed), *_iterate_shorter(now)]
    return permute_items(found, seed, "older", line.states[0])[0] if found else None


def _find_condition(model: DomainModel, name: str) -> Expression | None:
    kind, _, rest = name.partition(" ")
    if kind == "rule":
        target, _, rule = rest.partition(".")
        table = model.decisions[target]
        rules = table.rules if isinstance(table, Table) else ()
        return next((item.when for item in rules if item.id == rule), None)
    edges = (edge for step in model.steps.values() for edge in step.edges)
    return next((edge.when for edge in edges if edge.id == rest), None)


def _iterate_other_limits(
    model: DomainModel, condition: Expression, seed: int
) -> Iterator[tuple[Expression, list[str]]]:
    """Yield a condition with an earlier value of each of its limits."""
    for part in iterate_parts(condition):
        if isinstance(part, Constant) and part.name in model.policy:
            earlier = draw_earlier_value(model, model.policy[part.name].constant, seed)
            if earlier is not None:
                yield replace_part(condition, part, replace(earlier, type=part.type)), [part.name]


def _iterate_shorter(condition: Expression) -> Iterator[tuple[Expression, list[str]]]:
    """Yield a condition without one of its parts."""
    if not isinstance(condition, AllOf | AnyOf):
        return
    join = AllOf if isinstance(condition, AllOf) else AnyOf
    for place in range(len(condition.operands)):
        rest = tuple(part for n, part in enumerate(condition.operands) if n != place)
        yield rest[0] if len(rest) == 1 else join(rest), []
