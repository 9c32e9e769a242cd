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
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.sections.conditions import (
    Case,
    group_neighbours,
    render_condition,
    render_conditional_sentence,
)
from sopforge.rendering.sop.sections.formulas import render_formula
from sopforge.rendering.sop.sections.tables import has_table_form, render_table
from sopforge.rendering.sop.wording import FIRST, Frame, Wording

_WORK_OUT = ("Work out", "Calculate")
_DECIDE = ("Determine", "Decide on")


def render_decision(model: DomainModel, target: str, wording: Wording = FIRST) -> Iterator[Line]:
    """Return how a field is decided at a step."""
    decision, item = model.decisions[target], model.fields[target]
    if isinstance(decision, Formula):
        verb = wording.choose(_WORK_OUT, "work out")
        opening = f"{verb} {_phrase_target(item)}"
        yield from render_formula(model, decision, Style.PARAGRAPH, opening, "as")
        return
    is_sum = decision.hit is HitPolicy.COLLECT
    verb = wording.choose(*((_WORK_OUT, "work out") if is_sum else (_DECIDE, "decide")))
    opening = f"{verb.removesuffix(' on') if item.said else verb} {_phrase_target(item)}"
    name = (f"decision {target}",)
    if has_table_form(model, decision):
        yield Line(
            Style.PARAGRAPH, f"{opening} by this table. {_explain_row_policy(decision)}", name
        )
        results = [_phrase_result(model, item, rule.then) for rule in decision.rules]
        yield from render_table(model, decision, results)
        return
    yield Line(Style.PARAGRAPH, f"{opening}. {_explain_hit_policy(decision)}", name)
    for group in group_neighbours(decision.rules, lambda rule: _get_shared_result(decision, rule)):
        yield from _render_rules(model, decision, group, wording)


def _phrase_target(item: Field) -> str:
    """Return what is to be decided, as the verb before it has it."""
    return f"{f'whether {item.said.yes}' if item.said else f'the {item.label}'} ({item.name})"


def render_calculator(model: DomainModel, formula: Formula) -> Iterator[Line]:
    """Return how a calculator works a field out."""
    label = model.fields[formula.target].label
    return render_formula(model, formula, Style.BULLET, f"The {label}", conjugate_be(label))


def _explain_row_policy(table: Table) -> str:
    """Return how the rows of a table decide."""
    match table.hit:
        case HitPolicy.FIRST:
            return "The first row that applies decides."
        case HitPolicy.UNIQUE:
            return "Exactly one row applies."
        case _:
            return "Several rows may apply; they then agree."


def _explain_hit_policy(table: Table) -> str:
    """Return how the rules of a table decide together."""
    match table.hit:
        case HitPolicy.FIRST:
            return "The first of these rules that applies decides."
        case HitPolicy.UNIQUE:
            return "Exactly one of these rules applies."
        case HitPolicy.ANY:
            return "Several of these rules may apply; they then agree."
        case HitPolicy.COLLECT:
            return _explain_collecting(table)


def _explain_collecting(table: Table) -> str:
    """Return what is made of the lines that apply, and what stands for none."""
    is_whole = any(rule.when is None for rule in table.rules)
    if table.collect in {Collect.MINIMUM, Collect.MAXIMUM}:
        word = "smallest" if table.collect is Collect.MINIMUM else "largest"
        always = "" if is_whole else " At least one of them applies."
        return f"Take the {word} of what the lines that apply give.{always}"
    if table.collect is Collect.COUNT:
        nothing = "" if is_whole else "; where none holds, it is zero"
        return f"Count the conditions that hold{nothing}."
    nothing = "" if is_whole else "; where none applies, it is zero"
    return f"Add up what every line that applies gives{nothing}."


def _get_shared_result(table: Table, rule: Rule) -> Expression | None:
    """Return the result by which neighbours go together: rules that are collected never do."""
    return None if rule.when is None or table.hit is HitPolicy.COLLECT else rule.then


def _render_rules(
    model: DomainModel, table: Table, rules: list[Rule], wording: Wording
) -> Iterator[Line]:
    """Return the sentences of neighbouring rules of one result."""
    item, rule = model.fields[table.target], rules[0]
    value = _phrase_result(model, item, rule.then)
    result = (
        _phrase_clause(item, rule.then) or f"the {item.label} {conjugate_be(item.label)} {value}"
    )
    cases = [Case(f"rule {table.target}.{rule.id}", rule.when) for rule in rules if rule.when]
    is_collected = table.hit is HitPolicy.COLLECT
    if not cases:
        rest = "If none of these applies" if is_collected else wording.rest
        name = (f"rule {table.target}.{rule.id}",)
        yield Line(Style.BULLET, f"{rest}, {result}.", name)
    elif is_collected and table.collect is Collect.COUNT:
        yield from render_condition(model, Style.BULLET, cases[0])
    elif is_collected:
        yield from render_conditional_sentence(model, Style.BULLET, Frame.AFTER, cases, value)
    else:
        yield from render_conditional_sentence(model, Style.BULLET, wording.frame, cases, result)


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
