"""The decisions of a model in the SOP: formulas, and tables with what their rules make together."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.domain.expressions import Constant, Expression, constants_named
from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Collect, Formula, HitPolicy, Rule, Table
from sopforge.domain.types import NumberType
from sopforge.logic.brackets import is_open, unit_of
from sopforge.logic.english import english, english_value
from sopforge.logic.grammar import be, counted, names_unit
from sopforge.logic.idioms import is_count
from sopforge.rendering.sop_document import Line, Style


def decision_lines(model: DomainModel, target: str) -> Iterator[Line]:
    """Return how a field is decided at a step."""
    decision, item = model.decisions[target], model.fields[target]
    if isinstance(decision, Formula):
        text = f"Work out the {item.label} ({target}){_formula(model, decision)}"
        yield Line(Style.PARAGRAPH, text, stated(f"decision {target}", decision.value))
        return
    text = f"Determine the {item.label} ({target}). {_how(decision, item)}"
    yield Line(Style.PARAGRAPH, text, (f"decision {target}",))
    yield from (_rule(model, decision, rule) for rule in decision.rules)


def formula_line(model: DomainModel, formula: Formula) -> Line:
    """Return how a calculator works a field out."""
    text = f"The {model.fields[formula.target].label}{_formula(model, formula)}"
    return Line(Style.BULLET, text, stated(f"decision {formula.target}", formula.value))


def _formula(model: DomainModel, formula: Formula) -> str:
    item = model.fields[formula.target]
    is_known = is_count(formula.value) or names_unit(item.label, item.type)
    unit = "" if is_known else in_unit(item)
    return f"{unit}: {english_value(formula.value, model.fields)}."


def in_unit(item: Field) -> str:
    """Return the unit of a field as it stands behind its name."""
    return f", in {item.type.unit}" if isinstance(item.type, NumberType) and item.type.unit else ""


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


def _rule(model: DomainModel, table: Table, rule: Rule) -> Line:
    item = model.fields[table.target]
    name = f"rule {table.target}.{rule.id}"
    value = _given(model, item, rule.then)
    result = f"the {item.label} {be(item.label)} {value}."
    is_collected = table.hit is HitPolicy.COLLECT
    if rule.when is None:
        rest = "If none of these rules applies" if is_collected else "In every other case"
        return Line(Style.BULLET, f"{rest}, {result}", (name,))
    if is_collected:
        result = "count one." if table.collect is Collect.COUNT else f"this rule gives {value}."
    return Line(
        Style.BULLET, f"{if_words(model, rule.when)} {result}", stated(name, rule.when, rule.then)
    )


def _given(model: DomainModel, item: Field, value: Expression) -> str:
    """Return the result of a rule; a plain number has the unit of its field."""
    words = english_value(value, model.fields, inside=True)
    if isinstance(value, Constant) and isinstance(item.type, NumberType) and not unit_of(value):
        return counted(words, item.type.unit)
    return words


def if_words(model: DomainModel, condition: Expression) -> str:
    """Return a condition as it begins a sentence."""
    words = english(condition, model.fields)
    return f"If {words}, then" if is_open(condition) else f"If {words},"


def stated(name: str, *expressions: Expression) -> tuple[str, ...]:
    """Return what a line states: the thing named, and the constants in its expressions."""
    named = frozenset().union(*(constants_named(expression) for expression in expressions))
    return (name, *(f"policy {constant}" for constant in sorted(named)))
