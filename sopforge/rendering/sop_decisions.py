"""The decisions of a model in the SOP: formulas, and tables with what their rules make together."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.domain.expressions import Constant, Expression
from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Collect, Formula, HitPolicy, Rule, Table
from sopforge.domain.types import NumberType
from sopforge.logic.brackets import unit_of
from sopforge.logic.english import english_value
from sopforge.logic.grammar import be, counted, names_unit
from sopforge.logic.idioms import is_count
from sopforge.rendering.sop_conditions import Case, conditional_lines, neighbours, stated
from sopforge.rendering.sop_document import Line, Style
from sopforge.rendering.sop_tables import (
    has_table_form,
    is_long_look_up,
    look_up_keys,
    look_up_lines,
    table_lines,
)
from sopforge.rendering.sop_wording import FIRST, Wording

_REST = ("In every other case", "In all other cases", "Otherwise")
_REST_OF_COLLECTED = ("If none of these rules applies", "Where none of these rules applies")


def decision_lines(model: DomainModel, target: str, wording: Wording = FIRST) -> Iterator[Line]:
    """Return how a field is decided at a step."""
    decision, item = model.decisions[target], model.fields[target]
    if isinstance(decision, Formula):
        verb = wording.choice(("Work out", "Calculate"), target)
        yield from _formula(model, decision, Style.PARAGRAPH, f"{verb} the {item.label} ({target})")
        return
    verb = wording.choice(("Determine", "Decide on"), target)
    opening = f"{verb} the {item.label} ({target})"
    name = (f"decision {target}",)
    if has_table_form(model, decision):
        yield Line(Style.PARAGRAPH, f"{opening} by this table. {_row(decision)}", name)
        results = [_given(model, item, rule.then) for rule in decision.rules]
        yield from table_lines(model, decision, results)
        return
    yield Line(Style.PARAGRAPH, f"{opening}. {_how(decision, item)}", name)
    for group in neighbours(decision.rules, lambda rule: _shared(decision, rule)):
        yield from _rules(model, decision, group, wording)


def formula_lines(model: DomainModel, formula: Formula) -> Iterator[Line]:
    """Return how a calculator works a field out."""
    label = model.fields[formula.target].label
    return _formula(model, formula, Style.BULLET, f"The {label}")


def in_unit(item: Field) -> str:
    """Return the unit of a field as it stands behind its name."""
    return f", in {item.type.unit}" if isinstance(item.type, NumberType) and item.type.unit else ""


def _formula(model: DomainModel, formula: Formula, style: Style, opening: str) -> Iterator[Line]:
    item = model.fields[formula.target]
    is_known = is_count(formula.value) or names_unit(item.label, item.type)
    unit = "" if is_known else in_unit(item)
    states = stated(f"decision {formula.target}", formula.value)
    if is_long_look_up(model, formula.value):
        keys = [f"the {model.fields[name].label}" for name in look_up_keys(formula.value)]
        yield Line(style, f"{opening}{unit}, by {' and '.join(keys)}:", states)
        yield from look_up_lines(model, formula.target, formula.value)
        return
    yield Line(style, f"{opening}{unit}: {english_value(formula.value, model.fields)}.", states)


def _row(table: Table) -> str:
    """Return how the rows of a table decide."""
    match table.hit:
        case HitPolicy.FIRST:
            return "The first row that applies decides."
        case HitPolicy.UNIQUE:
            return "Exactly one row applies."
        case _:
            return "Several rows may apply; they then agree."


def _how(table: Table, item: Field) -> str:
    """Return how the rules of a table decide together."""
    match table.hit:
        case HitPolicy.FIRST:
            return "The first of these rules that applies decides."
        case HitPolicy.UNIQUE:
            return "Exactly one of these rules applies."
        case HitPolicy.ANY:
            return "Several of these rules may apply; they then agree."
        case HitPolicy.COLLECT:
            return f"Check every one of these rules. {_collected(table, item)}"


def _collected(table: Table, item: Field) -> str:
    """Return what the results of the rules that apply are made into, and what stands for none."""
    subject = f"The {item.label} {be(item.label)}"
    is_whole = any(rule.when is None for rule in table.rules)
    if table.collect in {Collect.MINIMUM, Collect.MAXIMUM}:
        word = "smallest" if table.collect is Collect.MINIMUM else "largest"
        always = "" if is_whole else " At least one of them applies."
        return f"{subject} the {word} of the values that the rules that apply give.{always}"
    nothing = "" if is_whole else ", and zero if none applies"
    if table.collect is Collect.COUNT:
        return f"{subject} the number of rules that apply{nothing}."
    return f"{subject} the sum of the values that the rules that apply give{nothing}."


def _shared(table: Table, rule: Rule) -> Expression | None:
    """Return the result by which neighbours go together: rules that are collected never do."""
    return None if rule.when is None or table.hit is HitPolicy.COLLECT else rule.then


def _rules(model: DomainModel, table: Table, rules: list[Rule], wording: Wording) -> Iterator[Line]:
    """Return the sentences of neighbouring rules of one result."""
    cases = [Case(f"rule {table.target}.{rule.id}", rule.when) for rule in rules if rule.when]
    result = _result(model, table, rules[0])
    if cases:
        frame = wording.frame(table.target)
        yield from conditional_lines(model, Style.BULLET, frame, cases, result)
        return
    is_collected = table.hit is HitPolicy.COLLECT
    rest = wording.choice(_REST_OF_COLLECTED if is_collected else _REST, table.target, "rest")
    yield Line(Style.BULLET, f"{rest}, {result}.", (f"rule {table.target}.{rules[0].id}",))


def _result(model: DomainModel, table: Table, rule: Rule) -> str:
    item = model.fields[table.target]
    value = _given(model, item, rule.then)
    if table.hit is not HitPolicy.COLLECT or rule.when is None:
        return f"the {item.label} {be(item.label)} {value}"
    return "count one" if table.collect is Collect.COUNT else f"this rule gives {value}"


def _given(model: DomainModel, item: Field, value: Expression) -> str:
    """Return the result of a rule; a plain number has the unit of its field."""
    words = english_value(value, model.fields, inside=True)
    if isinstance(value, Constant) and isinstance(item.type, NumberType) and not unit_of(value):
        return counted(words, item.type.unit)
    return words
