"""The decisions of a model in the SOP: formulas, and tables with what their rules make together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from sopforge.artifacts.rendering.sop.document import ITEM, Statement, Style
from sopforge.artifacts.rendering.sop.sections.tables import (
    has_condition_column,
    has_table_form,
    is_long_look_up,
    list_look_up_keys,
    render_condition_table,
    render_look_up,
    render_table,
)
from sopforge.artifacts.rendering.sop.writer import Writer, list_stated_items
from sopforge.language.domain.expressions.expressions import Constant, Missing
from sopforge.language.domain.fields import Field
from sopforge.language.domain.rules import (
    Collect,
    Formula,
    HitPolicy,
    Rule,
    Table,
    is_first_given,
    list_targets,
)
from sopforge.language.domain.values.types import BooleanType, EnumType, ListType, SetType
from sopforge.language.english.statements import RANKED
from sopforge.language.english.terms import Term

_LONGEST_CHOICE = 300
"""Of more letters in one line, two cases are a list of rules."""
_HITS = {
    HitPolicy.FIRST: "first",
    HitPolicy.UNIQUE: "unique",
    HitPolicy.ANY: "any",
    HitPolicy.PRIORITY: "first",  # of rules with one and the same result
}


def render_decisions(
    writer: Writer, targets: Sequence[str], earlier: Mapping[str, str]
) -> Iterator[Statement]:
    """Return how a step decides its fields, in their order.

    ``earlier`` has the steps that decide fields before this one does: the rules of those stand
    there, if they are more than a line.
    """
    for step, group in groupby(targets, lambda target: earlier.get(target, "")):
        names = list(group)
        found = [item for target in names for item in render_decision(writer, target)]
        if not step or sum(len(item.lines) for item in found) <= len(names):
            yield from found
            continue
        states = tuple(dict.fromkeys(state for item in found for state in item.states))
        term: Term = ("as_before", ("step", step), *_name_fields(names))
        stated = (x for x in states if not x.startswith("policy "))
        yield writer.state(Style.PARAGRAPH, "asbefore", term, stated)


def render_decision(writer: Writer, target: str) -> Iterator[Statement]:
    """Return how a field is decided at a step; of several that one table gives, at the first."""
    decision = writer.model.decisions[target]
    if decision.shared is not None and not is_first_given(decision):
        return
    if isinstance(decision, Formula):
        yield from _render_formula(writer, decision)
    elif choice := _render_choice(writer, decision):
        yield choice
    else:
        yield from _render_table(writer, decision)


def render_calculator(writer: Writer, formula: Formula) -> Iterator[Statement]:
    """Return how a calculator works a field out, and what it looks up together with that."""
    if formula.shared is None and not is_long_look_up(formula.value):
        states = list_stated_items(f"decision {formula.target}", formula.value)
        term = _mean_formula(writer, formula)
        yield writer.state(Style.BULLET, "calculate", term, states)
    elif formula.shared is None or is_first_given(formula):
        yield from _render_look_up(writer, formula, Style.BULLET)


def _name_fields(names: Iterable[str]) -> tuple[Term, ...]:
    return tuple(("field", name) for name in names)


# formulas


def _mean_formula(writer: Writer, formula: Formula) -> Term:
    kind = writer.model.fields[formula.target].type
    return ("decides", ("field", formula.target), writer.mean_value(formula.value, kind))


def _render_formula(writer: Writer, formula: Formula) -> Iterator[Statement]:
    if formula.shared is not None or is_long_look_up(formula.value):
        yield from _render_look_up(writer, formula, Style.PARAGRAPH)
        return
    states = list_stated_items(f"decision {formula.target}", formula.value)
    yield writer.state(Style.PARAGRAPH, "decide", _mean_formula(writer, formula), states)


def _render_look_up(writer: Writer, formula: Formula, style: Style) -> Iterator[Statement]:
    """Return the table in which fields are looked up, after what it is for."""
    targets, model = list_targets(formula), writer.model
    values = [item.value for x in targets if isinstance(item := model.decisions[x], Formula)]
    keys: Term = ("keys", *_name_fields(list_look_up_keys(formula.value)))
    names = tuple(f"decision {target}" for target in targets)
    stated = [x for value in values for x in list_stated_items(names[0], value)[1:]]
    kind = "table" if style is Style.BULLET else "opening"
    term: Term = ("looks", keys, *_name_fields(targets))
    yield writer.state(style, kind, term, (*names, *stated))
    yield from render_look_up(writer, dict(zip(targets, values, strict=True)), names)


# tables


def _render_choice(writer: Writer, table: Table) -> Statement | None:
    """Return a table of two labels as a sentence, maybe with a list, None for any other table."""
    item = writer.model.fields[table.target]
    is_pair = table.hit is HitPolicy.FIRST and len(table.rules) > 1 and table.rules[-1].when is None
    is_label = isinstance(item.type, BooleanType | EnumType) and table.shared is None
    if not is_pair or not is_label or has_table_form(writer, table):
        return None
    results = [rule.then for rule in table.rules]
    is_plain = all(isinstance(result, Constant | Missing) for result in results)
    if not is_plain or len({*results[:-1]}) > 1:
        return None
    asked = [writer.mean(rule.when) for rule in table.rules if rule.when is not None]
    (_, label), (_, rest) = (writer.mean(result) for result in results[-2:])
    joined = writer.words.forms.join("or", *asked)
    term: Term = ("chooses", ("field", table.target), joined, label, rest)
    named = [(f"rule {table.target}.{rule.id}", rule.when) for rule in table.rules]
    states = [x for name, when in named for x in list_stated_items(name, when)]
    found = writer.state(Style.PARAGRAPH, "choose", term, [f"decision {table.target}", *states])
    is_short = 0 < len(found.text.partition(ITEM)[0]) <= _LONGEST_CHOICE
    return found if is_short else None


def _render_table(writer: Writer, table: Table) -> Iterator[Statement]:
    """Return the one table or list of rules that gives a field, or several together."""
    targets = list_targets(table)
    tables = [x for name in targets if isinstance(x := writer.model.decisions[name], Table)]
    is_of_columns = all(has_table_form(writer, item) for item in tables)
    is_table = (is_of_columns or has_condition_column(writer, tables)) and not table.priority
    term: Term = ("opens", _name_policy(table, is_table=is_table), *_name_fields(targets))
    if len(table.priority) > 1:
        term = ("ranks", ("labels", *table.priority), *_name_fields(targets))
        tables = [replace(table, rules=_list_as_written(table))]
    names = tuple(f"decision {target}" for target in targets)
    yield writer.state(Style.PARAGRAPH, "opening", term, names)
    if is_table:
        render = render_table if is_of_columns else render_condition_table
        yield from render(writer, tables)
        return
    rows = list(zip(*(item.rules for item in tables), strict=True))
    for _, group in groupby(rows, lambda rules: _get_shared_results(table, rules)):
        yield _state_rules(writer, tables, list(group))


def _list_as_written(table: Table) -> tuple[Rule, ...]:
    return tuple(sorted(table.rules, key=lambda rule: table.listed.index(rule.id)))


def _name_policy(table: Table, *, is_table: bool) -> str:
    """Return how the rules of a table decide together, as the grammar names it."""
    if table.hit is not HitPolicy.COLLECT or table.collect is None:
        return f"{_HITS[table.hit]} {'row' if is_table else 'rule'}"
    name = table.collect.value
    if isinstance(table.rules[0].then.type, EnumType):
        name = RANKED[name]
    return name if any(rule.when is None for rule in table.rules) else f"{name} or nothing"


def _get_shared_results(table: Table, rules: Sequence[Rule]) -> object:
    """Return the results by which neighbours go together: rules that are collected never do."""
    is_alone = rules[0].when is None or table.hit is HitPolicy.COLLECT
    return rules[0].id if is_alone else tuple(rule.then for rule in rules)


def _state_rules(
    writer: Writer, tables: Sequence[Table], rows: Sequence[Sequence[Rule]]
) -> Statement:
    """Return the sentence of neighbouring rules of the same results."""
    items = [writer.model.fields[table.target] for table in tables]
    results = [writer.mean_value(x.then, item.type) for x, item in zip(rows[0], items, strict=True)]
    cases = [writer.mean(rules[0].when) for rules in rows if rules[0].when is not None]
    asked = writer.words.forms.join("or", *cases) if cases else None
    states = [
        name
        for table, rules in ((table, [row[n] for row in rows]) for n, table in enumerate(tables))
        for rule in rules
        for name in list_stated_items(f"rule {table.target}.{rule.id}", rule.when, rule.then)
    ]
    states.sort(key=lambda name: name.startswith("policy "))
    if tables[0].hit is HitPolicy.COLLECT and tables[0].collect is Collect.COUNT:
        return writer.state(Style.BULLET, "counted", ("counted", asked), states)
    if len(tables) == 1 and _has_bare_results(items[0], tables[0]):
        kind = "setrule" if isinstance(items[0].type, SetType | ListType) else "rule"
        return writer.state(Style.BULLET, kind, ("rule", results[0], asked), states)
    given = (("sets", ("field", x.name), value) for x, value in zip(items, results, strict=True))
    return writer.state(Style.BULLET, "answer", ("answers", asked, *given), states)


def _has_bare_results(item: Field, table: Table) -> bool:
    """Return whether the value of each rule can stand before its condition, as a label does."""
    if table.hit is HitPolicy.COLLECT:
        return True
    is_label = all(isinstance(rule.then, Constant | Missing) for rule in table.rules)
    return not item.said and (is_label or not isinstance(item.type, BooleanType))
