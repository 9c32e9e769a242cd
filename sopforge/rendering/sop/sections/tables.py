"""Decision tables and look-ups as tables of the text, where rules test the same few fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from sopforge.domain.language.expressions import (
    AllOf,
    Constant,
    Expression,
    Lookup,
    Missing,
    Read,
    collect_all_read_fields,
)
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import HitPolicy, Rule, Table
from sopforge.domain.values.types import EnumType
from sopforge.logic.english import English, phrase_entry, phrase_expression
from sopforge.logic.english.choices import group_labels
from sopforge.logic.phrasing.grammar import conjugate_be, join_items
from sopforge.logic.phrasing.idioms import flatten_group, unwrap_node
from sopforge.rendering.sop.document import Line, Style, format_table_row
from sopforge.rendering.sop.sections.conditions import is_listed, list_stated_items

ANY = "any"
OTHERWISE = "any other"
IN_ALL_OTHER_CASES = "all other cases"
CONDITION = "If"
"""The first column of a table whose rows have whole conditions."""
_LONGEST_CONDITION = 160
_LEAST_ROWS = 3
_MOST_COLUMNS = 4
_LEAST_REST = 4
_BAR = "|"
_JOINED = re.compile(r' and |(?<!\bon)(?<!\bat)(?<!") or ')
_FIGURE = re.compile(r"(?P<whole>-?\d+)(?:\.(?P<digits>\d+))?(?P<unit>| [^\d\W].*)")
"""A number that is written out, with its unit; no date."""


def has_table_form(model: DomainModel, table: Table) -> bool:
    """Return whether a table of the text says the rules more clearly than sentences do."""
    cells = [_build_cells(model, rule.when) for rule in table.rules if rule.when is not None]
    found = [row for row in cells if row is not None]
    columns = _list_columns(found)
    is_alike = len(found) == len(cells) >= _LEAST_ROWS and len(columns) <= _MOST_COLUMNS
    filled = sum(len(row) for row in found)
    is_plain = all(isinstance(rule.then, Constant | Missing) for rule in table.rules)
    words = [phrase_expression(rule.then, model.fields) for rule in table.rules]
    words += [cell for row in found for cell in row.values()]
    is_dense = is_alike and 3 * filled >= 2 * len(found) * len(columns)
    is_single = table.hit is not HitPolicy.COLLECT
    return is_single and is_dense and is_plain and not any(_BAR in word for word in words)


def has_condition_column(model: DomainModel, tables: Sequence[Table]) -> bool:
    """Return whether rules that give several fields are a table with a row for each condition."""
    rules = tables[0].rules
    conditions = [rule.when for rule in rules if rule.when is not None]
    results = [rule.then for table in tables for rule in table.rules]
    is_plain = all(isinstance(value, Constant | Missing) for value in results)
    if len(tables) == 1 or len(rules) == 1 or not is_plain or any(map(is_listed, conditions)):
        return False
    words = [phrase_expression(condition, model.fields) for condition in conditions]
    is_named = any(item.label.lower() == CONDITION.lower() for item in model.fields.values())
    is_short = all(len(said) <= _LONGEST_CONDITION and _BAR not in said for said in words)
    return is_short and not is_named


def render_condition_table(
    model: DomainModel, tables: Sequence[Table], results: Sequence[Sequence[str]]
) -> Iterator[Line]:
    """Return such a table: in each row a condition, and the results of the rules with it."""
    targets = [table.target for table in tables]
    header = format_table_row([CONDITION, *(model.fields[name].label for name in targets)])
    yield Line(Style.ROW, header, tuple(f"decision {target}" for target in targets))
    for place, result in enumerate(_align_figures(results)):
        rules = [table.rules[place] for table in tables]
        when = rules[0].when
        said = IN_ALL_OTHER_CASES if when is None else phrase_expression(when, model.fields)
        stated = [
            name
            for table, rule in zip(tables, rules, strict=True)
            for name in _list_rule_items(table, rule)
        ]
        row = format_table_row([said, *result])
        yield Line(Style.ROW, row, tuple(dict.fromkeys(stated)))


def render_table(
    model: DomainModel, tables: Sequence[Table], results: Sequence[Sequence[str]]
) -> Iterator[Line]:
    """Return the rows of decision tables of the same conditions, with a column for each of them.

    ``results`` are those of their rules, in words.
    """
    rows = [_build_cells(model, rule.when) or {} for rule in tables[0].rules]
    columns, targets = _list_columns(rows), [table.target for table in tables]
    labels = [model.fields[name].label for name in (*columns, *targets)]
    names = tuple(f"decision {target}" for target in targets)
    yield Line(Style.ROW, format_table_row(labels), names)
    rules = zip(*(table.rules for table in tables), strict=True)
    for same, row, result in zip(rules, rows, _align_figures(results), strict=True):
        cells = [row.get(name, ANY) for name in columns]
        rest = OTHERWISE if len(columns) == 1 else IN_ALL_OTHER_CASES
        cells[0] = rest if same[0].when is None else cells[0]
        stated = [
            name
            for table, rule in zip(tables, same, strict=True)
            for name in _list_rule_items(table, rule)
        ]
        yield Line(Style.ROW, format_table_row([*cells, *result]), tuple(dict.fromkeys(stated)))


def is_long_look_up(model: DomainModel, value: Expression) -> bool:
    """Return whether a formula is a look-up with more entries than a sentence should list."""
    _, rows = _build_look_up_rows(model, unwrap_node(value))
    return len(rows) >= _LEAST_ROWS and not any(_BAR in cell for row in rows for cell in row)


def render_look_up(model: DomainModel, target: str, value: Expression) -> Iterator[Line]:
    """Return the rows of a look-up by one field or by two."""
    names, rows = _build_look_up_rows(model, unwrap_node(value))
    labels = [model.fields[name].label for name in (*names, target)]
    name = f"decision {target}"
    yield Line(Style.ROW, format_table_row(labels), (name,))
    yield from (Line(Style.ROW, format_table_row(row), (name,)) for row in _align_last(rows, 1))


def render_joint_look_up(
    model: DomainModel,
    values: Mapping[str, Expression],
    phrase: Callable[[str, Expression], str],
) -> Iterator[Line]:
    """Return the rows of look-ups by the same fields, with a column for each of them."""
    names = list_look_up_keys(next(iter(values.values())))
    labels = [model.fields[name].label for name in (*names, *values)]
    stated = tuple(f"decision {target}" for target in values)
    yield Line(Style.ROW, format_table_row(labels), stated)

    def phrase_cells(entries: Sequence[Expression]) -> list[str]:
        return [phrase(target, entry) for target, entry in zip(values, entries, strict=True)]

    rows = _build_rows(list(values.values()), phrase_cells)
    for row in _align_last(rows, len(values)):
        yield Line(Style.ROW, format_table_row(row), stated)


def _align_last(rows: Sequence[Sequence[str]], count: int) -> list[list[str]]:
    """Return rows whose last columns have numbers with as many decimal places as each other."""
    aligned = _align_figures([row[-count:] for row in rows])
    return [[*row[:-count], *cells] for row, cells in zip(rows, aligned, strict=True)]


def _align_figures(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    columns = [_align_column(column) for column in zip(*rows, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


def _align_column(cells: Sequence[str]) -> list[str]:
    found = [_FIGURE.fullmatch(cell) for cell in cells]
    places = max((len(figure["digits"] or "") for figure in found if figure), default=0)
    return [
        _write_places(figure, places) if figure else cell
        for figure, cell in zip(found, cells, strict=True)
    ]


def _write_places(figure: re.Match[str], places: int) -> str:
    digits = f".{(figure['digits'] or '').ljust(places, '0')}" if places else ""
    return f"{figure['whole']}{digits}{figure['unit']}"


def _build_rows(
    nodes: Sequence[Expression], phrase_cells: Callable[[Sequence[Expression]], list[str]]
) -> list[list[str]]:
    """Return the rows of look-ups by the same fields; labels with the same rest have one row."""
    inner = [unwrap_node(node) for node in nodes]
    first = inner[0]
    if not isinstance(first, Lookup) or not isinstance(first.key, Read):
        return [phrase_cells(nodes)]
    labels = first.key.type.values if isinstance(first.key.type, EnumType) else ()
    entries = zip(*(node.entries for node in inner if isinstance(node, Lookup)), strict=True)
    below = [_build_rows(parts, phrase_cells) for parts in entries]
    groups = group_labels([f'"{label}"' for label in labels], below)
    return [[words, *row] for words, rows in _name_groups(groups) for row in rows]


def _name_groups(
    groups: Sequence[tuple[list[list[str]], list[str]]],
) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield the labels of each group with its rows; more than half of them are "any other"."""
    largest = max(groups, key=lambda group: len(group[1]))
    count = sum(len(labels) for _, labels in groups)
    # Fewer would hide which they are, and more would be a list that nobody reads.
    is_rest = len(largest[1]) >= _LEAST_REST and 2 * len(largest[1]) > count and len(groups) > 1
    for group in groups:
        if group is not largest or not is_rest:
            yield join_items(group[1], "or"), group[0]
    if is_rest:
        yield OTHERWISE, largest[0]


def list_look_up_keys(value: Expression) -> list[str]:
    """Return the names of the fields that a look-up is by."""
    inner = unwrap_node(value)
    if not isinstance(inner, Lookup) or not isinstance(inner.key, Read):
        return []
    return [inner.key.field, *list_look_up_keys(inner.entries[0])]


def _build_look_up_rows(model: DomainModel, node: Expression) -> tuple[list[str], list[list[str]]]:
    rows = _build_rows([node], lambda entries: [phrase_entry(entries[0], model.fields)])
    return list_look_up_keys(node), rows


def _build_cells(model: DomainModel, condition: Expression | None) -> dict[str, str] | None:
    """Return what a condition asks of each field, None where a cell cannot say it."""
    if condition is None:
        return {}
    inner = unwrap_node(condition)
    found: dict[str, str] = {}
    for part in flatten_group(inner) if isinstance(inner, AllOf) else [condition]:
        fields = collect_all_read_fields((part,))
        (name,) = fields if len(fields) == 1 else ("",)
        words = _phrase_cell(model, name, part)
        if not words:
            return None
        found[name] = f"{found[name]} and {words}" if name in found else words
    return found


def _phrase_cell(model: DomainModel, name: str, part: Expression) -> str:
    """Return what stands after "the field is", "" where the words are others."""
    if name not in model.fields:
        return ""
    label = model.fields[name].label
    subject = f"the {label} {conjugate_be(label)} "
    # A cell names labels, of which a clause may stand in sentences.
    item = replace(model.fields[name], label_clauses=())
    words = English({**model.fields, name: item}).phrase_limit(part)
    rest = words.removeprefix(subject)
    is_joined = _JOINED.search(re.sub(r'"[^"]*"', '"', rest))
    return "" if rest == words or is_joined else rest


def _list_columns(rows: Sequence[dict[str, str]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _list_rule_items(table: Table, rule: Rule) -> tuple[str, ...]:
    name = f"rule {table.target}.{rule.id}"
    return (
        list_stated_items(name, rule.then)
        if rule.when is None
        else list_stated_items(name, rule.when, rule.then)
    )
