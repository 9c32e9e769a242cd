"""Decisions as tables: a row for each rule, a column for each field that conditions ask about.

A rule whose condition is a conjunction fills the columns of its fields, as DMN has it; one that is
not stands as a sentence across all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Contains,
    Expression,
    Not,
    OneOf,
    Presence,
    Read,
    Relation,
    Rescale,
    Subset,
    collect_read_fields,
)
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Decision, Formula, HitPolicy, Rule, Table
from sopforge.language.domain.values.malformed_inputs import find_marked_field
from sopforge.language.domain.values.types import (
    BooleanType,
    DateTimeType,
    DateType,
    NumberType,
    require_integer,
)
from sopforge.language.english.nouns import format_figure, format_quantity
from sopforge.language.english.words import phrase_expression
from sopforge.language.logic.readings.scalar import holds
from sopforge.language.logic.tool_calls import Frame

MOST_COLUMNS = 6
EVERY_OTHER = "in every other case"
ALSO = ""
"""The column of conditions about several fields at once, beside those about one."""
POLICIES: Mapping[HitPolicy, str] = {
    HitPolicy.UNIQUE: "Exactly one rule applies to each case.",
    HitPolicy.FIRST: "Read from the top: the first rule that applies decides.",
    HitPolicy.ANY: "Several rules may apply; they then have the same result.",
    HitPolicy.PRIORITY: "In the order of their results: the first rule that applies decides.",
    HitPolicy.COLLECT: "All rules that apply count",
}
COLLECTED = {
    "sum": "their results are added up.",
    "min": "the smallest of their results counts.",
    "max": "the largest of their results counts.",
    "union": "their results are combined.",
    "count": "the result is the number of rules that apply.",
}
_NUMBERS = {
    Relation.EQ: "{}",
    Relation.NE: "not {}",
    Relation.LT: "less than {}",
    Relation.LE: "at most {}",
    Relation.GT: "more than {}",
    Relation.GE: "at least {}",
}
_MOMENTS = {
    **_NUMBERS,
    Relation.LT: "before {}",
    Relation.LE: "on or before {}",
    Relation.GT: "after {}",
    Relation.GE: "on or after {}",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """What a rule asks of a field, in words; ``met`` whether the chosen case meets it."""

    words: str
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule: its cells, or the sentence that stands for them; ``is_hit`` by the chosen case."""

    id: str
    cells: tuple[Cell, ...]
    sentence: str
    result: str
    is_hit: bool
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A field that conditions ask about, and its value in the chosen case."""

    name: str
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class DecisionTable:
    """A decision as a reviewer reads it; ``came_to`` is its value in the chosen case."""

    name: str
    label: str
    meaning: str
    policy: str
    columns: tuple[Column, ...]
    rows: tuple[RuleRow, ...]
    came_to: str
    is_formula: bool = False


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """What a chosen case came to know, and the rules that it hit by decision."""

    values: Frame = field(default_factory=dict)
    hits: Mapping[str, Collection[str]] = field(default_factory=dict)


NOTHING = CaseFacts()


def build_decision_tables(
    model: DomainModel, known: CaseFacts = NOTHING
) -> tuple[DecisionTable, ...]:
    """Return every decision of a model, with what a chosen case makes of it."""
    return tuple(build_decision_table(model, item, known) for item in model.decisions.values())


def build_decision_table(model: DomainModel, decision: Decision, known: CaseFacts) -> DecisionTable:
    """Return a decision as a table; a formula is a table of one rule that always holds."""
    target = model.fields[decision.target]
    came_to = target.format_cell(known.values[target.name]) if target.name in known.values else ""
    if isinstance(decision, Formula):
        is_hit = bool(came_to)
        row = RuleRow("", (), "always", phrase_expression(decision.value, model.fields), is_hit)
        columns: tuple[Column, ...] = ()
        rows: tuple[RuleRow, ...] = (row,)
        policy = "Calculated from other values."
    else:
        names = _choose_columns(decision)
        columns = tuple(_build_column(model, name, known) for name in names)
        rows = tuple(_build_row(model, decision, rule, names, known) for rule in decision.rules)
        policy = _describe_policy(decision)
    return DecisionTable(
        target.name,
        target.label,
        decision.description or target.description,
        policy,
        columns,
        rows,
        came_to,
        isinstance(decision, Formula),
    )


def _describe_policy(table: Table) -> str:
    words = POLICIES[table.hit]
    return words if table.collect is None else f"{words}: {COLLECTED[table.collect]}"


def _choose_columns(table: Table) -> tuple[str, ...]:
    """Return the fields that get a column: those that rules of single conditions ask about."""
    found: dict[str, None] = {}
    for rule in table.rules:
        found.update(dict.fromkeys(_group_by_field(rule) or {}))
    ordered = sorted(found, key=lambda name: name == ALSO)
    return tuple(ordered) if len(ordered) <= MOST_COLUMNS else ()


def _build_column(model: DomainModel, name: str, known: CaseFacts) -> Column:
    if name == ALSO:
        return Column(name, "and also", "")
    item = model.fields.get(find_marked_field(name) or name)
    if item is None:
        return Column(name, f"record of the {name}", "")
    if item.name != name:
        return Column(name, f"{item.label}, as stated", "")
    value = item.format_cell(known.values[name]) if name in known.values else ""
    return Column(name, item.label, value)


def _group_by_field(rule: Rule) -> dict[str, list[Expression]] | None:
    """Return the conditions of a rule by the one field that each asks about, others under ALSO.

    None where all ask about more; a rule without a condition asks about none.
    """
    found: dict[str, list[Expression]] = {}
    for condition in _list_conjuncts(rule.when):
        names = collect_read_fields(condition)
        is_single = len(names) == 1 and phrase_without_field(condition) is not None
        found.setdefault(next(iter(names)) if is_single else ALSO, []).append(condition)
    return None if set(found) == {ALSO} else found


def _list_conjuncts(condition: Expression | None) -> list[Expression]:
    match condition:
        case None:
            return []
        case AllOf(operands):
            return [part for operand in operands for part in _list_conjuncts(operand)]
        case _:
            return [condition]


def _build_row(
    model: DomainModel, table: Table, rule: Rule, names: tuple[str, ...], known: CaseFacts
) -> RuleRow:
    result = phrase_expression(rule.then, model.fields)
    is_hit = rule.id in known.hits.get(table.target, ())
    asked = _group_by_field(rule)
    if rule.when is None:
        return RuleRow(rule.id, (), EVERY_OTHER, result, is_hit)
    if asked is None or not names:
        met = _evaluate_condition(model, rule.when, known)
        return RuleRow(rule.id, (), phrase_expression(rule.when, model.fields), result, is_hit, met)
    cells = tuple(_build_cell(model, name, asked.get(name, ()), known) for name in names)
    return RuleRow(rule.id, cells, "", result, is_hit)


def _build_cell(
    model: DomainModel, name: str, conditions: Collection[Expression], known: CaseFacts
) -> Cell:
    if not conditions:
        return Cell("")
    words = " and ".join(
        phrase_expression(condition, model.fields)
        if name == ALSO
        else phrase_without_field(condition) or ""
        for condition in conditions
    )
    results = [_evaluate_condition(model, condition, known) for condition in conditions]
    return Cell(words, None if None in results else all(results))


def _evaluate_condition(model: DomainModel, condition: Expression, known: CaseFacts) -> bool | None:
    """Return whether a case meets a condition, None where it does not know what is asked about.

    A value that is missing is known to be so where only that is asked.
    """
    if not isinstance(condition, Presence):
        read = collect_read_fields(condition) & set(model.fields)
        if any(known.values.get(name) is None for name in read):
            return None
    elif condition.field not in known.values:
        return None
    return holds(condition, known.values)


def phrase_without_field(condition: Expression) -> str | None:  # noqa: C901, PLR0911, PLR0912 - one case per node
    """Return what a condition asks of its field, without the field; None if it cannot be said so.

    >>> from sopforge.language.domain.expressions.expressions import Compare, Constant
    >>> from sopforge.language.domain.expressions.expressions import Read, Relation
    >>> from sopforge.language.domain.values.types import NumberType
    >>> days = NumberType(0, 90, unit="days")
    >>> phrase_without_field(Compare(Relation.GT, Read(days, "age"), Constant(days, 30)))
    'more than 30 days'
    """
    match condition:
        case Compare(relation, left, right):
            return _phrase_comparison(relation, _strip_rescale(left), _strip_rescale(right))
        case OneOf(Read(), options):
            return " or ".join(phrase_expression(option, {}) for option in options)
        case Not(OneOf(Read(), options)):
            return f"neither {' nor '.join(phrase_expression(option, {}) for option in options)}"
        case Contains(Read(), member):
            return f"has “{member}”"
        case Not(Contains(Read(), member)):
            return f"has no “{member}”"
        case Subset(Read(), Constant()):
            return _phrase_limits(condition, "nothing")
        case Not(Subset(Read(), Constant()) as inclusion):
            return _phrase_limits(inclusion, "something")
        case Presence(name):
            return "is malformed" if find_marked_field(name) else "is there"
        case Not(Presence(name)):
            return "is well formed" if find_marked_field(name) else "is missing"
        case Read(BooleanType()):
            return "yes"
        case Not(Read(BooleanType())):
            return "no"
        case AnyOf(operands):
            return _phrase_alternatives(operands)
        case _:
            return None


def _phrase_limits(inclusion: Subset, word: str) -> str:
    """Return that a set has nothing, or something, besides labels that are written."""
    return f"has {word} besides {phrase_expression(inclusion.right, {})}"


def _phrase_comparison(relation: Relation, left: Expression, right: Expression) -> str | None:
    match left, right:
        case Read(NumberType(unit=unit)), Constant():
            return _NUMBERS[relation].format(_format_amount(right, unit))
        case Read(kind), Constant():
            words = _MOMENTS if isinstance(kind, DateType | DateTimeType) else _NUMBERS
            return words[relation].format(phrase_expression(right, {}))
        case Constant(), Read():
            return _phrase_comparison(relation.mirrored, right, left)
        case _:
            return None


def _strip_rescale(node: Expression) -> Expression:
    return _strip_rescale(node.operand) if isinstance(node, Rescale) else node


def _phrase_alternatives(operands: Collection[Expression]) -> str | None:
    found = [phrase_without_field(operand) for operand in operands]
    return None if None in found else ", or ".join(word for word in found if word)


def _format_amount(number: Constant, unit: str) -> str:
    """Return a number without needless zeros, with a unit."""
    kind = number.type
    shown = (
        format_figure(kind, require_integer(number.value)) if isinstance(kind, NumberType) else ""
    )
    return format_quantity(shown, unit)
