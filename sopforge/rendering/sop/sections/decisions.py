"""The decisions of a model in the SOP: formulas, and tables with what their rules make together."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import Constant, Expression
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Collect, Formula, HitPolicy, Rule, Table
from sopforge.domain.values.types import NumberType
from sopforge.logic.english import phrase_value
from sopforge.logic.phrasing.brackets import get_unit
from sopforge.logic.phrasing.grammar import conjugate_be, format_quantity
from sopforge.rendering.sop import frames
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.sections.conditions import (
    Case,
    group_neighbours,
    render_condition,
    render_conditional_sentence,
)
from sopforge.rendering.sop.sections.formulas import render_formula
from sopforge.rendering.sop.sections.tables import has_table_form, render_table
from sopforge.rendering.sop.wording import FIRST, Conjunction, Wording


def render_decision(model: DomainModel, target: str, wording: Wording = FIRST) -> Iterator[Line]:
    """Return how a field is decided at a step."""
    decision, item = model.decisions[target], model.fields[target]
    asked = f"whether {item.said.yes}" if item.said else f"the {item.label}"
    if isinstance(decision, Formula):
        verb = wording.choose(frames.WORK_OUT_VERBS, "work out")
        opening = frames.FORMULA.render(verb=verb, asked=asked, target=target, value="")
        yield from render_formula(model, decision, Style.PARAGRAPH, opening, "as")
        return
    is_counted = decision.hit is HitPolicy.COLLECT and decision.collect is not Collect.UNION
    verb = wording.choose(
        *((frames.WORK_OUT_VERBS, "work out") if is_counted else (frames.DECIDE_VERBS, "decide"))
    )
    is_table = has_table_form(model, decision)
    text = frames.DECISION.render(
        verb=verb.removesuffix(" on") if item.said else verb,
        asked=asked,
        target=target,
        table=frames.BY_TABLE if is_table else "",
        policy=frames.ROW_POLICIES[decision.hit] if is_table else _explain_hit_policy(decision),
    )
    yield Line(Style.PARAGRAPH, text, (f"decision {target}",))
    if is_table:
        results = [_phrase_result(model, item, rule.then) for rule in decision.rules]
        yield from render_table(model, decision, results)
        return
    for group in group_neighbours(decision.rules, lambda rule: _get_shared_result(decision, rule)):
        yield from _render_rules(model, decision, group, wording)


def render_calculator(model: DomainModel, formula: Formula) -> Iterator[Line]:
    """Return how a calculator works a field out."""
    label = model.fields[formula.target].label
    opening = frames.CALCULATOR.render(value=label)
    return render_formula(model, formula, Style.BULLET, opening, conjugate_be(label))


def _explain_hit_policy(table: Table) -> str:
    """Return how the rules of a table decide together."""
    is_whole = any(rule.when is None for rule in table.rules)
    return frames.RULE_POLICIES.get(table.hit) or frames.COLLECTED[table.collect, is_whole]


def _get_shared_result(table: Table, rule: Rule) -> Expression | None:
    """Return the result by which neighbours go together: rules that are collected never do."""
    return None if rule.when is None or table.hit is HitPolicy.COLLECT else rule.then


def _render_rules(
    model: DomainModel, table: Table, rules: list[Rule], wording: Wording
) -> Iterator[Line]:
    """Return the sentences of neighbouring rules of one result."""
    item, rule = model.fields[table.target], rules[0]
    value = _phrase_result(model, item, rule.then)
    result = _phrase_clause(item, rule.then) or frames.ANSWER.render(
        label=item.label, be=conjugate_be(item.label), value=value
    )
    cases = [Case(f"rule {table.target}.{rule.id}", rule.when) for rule in rules if rule.when]
    is_collected = table.hit is HitPolicy.COLLECT
    if not cases:
        rest = frames.NONE_APPLIES if is_collected else wording.rest
        name = (f"rule {table.target}.{rule.id}",)
        yield Line(Style.BULLET, frames.DEFAULT.render(rest=rest, result=result), name)
    elif is_collected and table.collect is Collect.COUNT:
        yield from render_condition(model, Style.BULLET, cases[0])
    elif is_collected:
        yield from render_conditional_sentence(model, Style.BULLET, Conjunction.AFTER, cases, value)
    else:
        yield from render_conditional_sentence(
            model, Style.BULLET, wording.conjunction, cases, result
        )


def _phrase_clause(item: Field, value: Expression) -> str:
    """Return what is so where a yes/no field has an answer, "" where no clause says it."""
    if item.said is None or not isinstance(value, Constant):
        return ""
    return item.said.yes if value.value else item.said.no


def _phrase_result(model: DomainModel, item: Field, value: Expression) -> str:
    """Return the result of a rule; a plain number has the unit of its field."""
    words = phrase_value(value, model.fields, inside=True)
    if isinstance(value, Constant) and isinstance(item.type, NumberType) and not get_unit(value):
        return format_quantity(words, item.type.unit)
    return words
