"""Decision tables and look-ups as tables of the text, where rules test the same few fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sopforge.domain.language.expressions import (
    AllOf,
    Constant,
    Expression,
    Lookup,
    Read,
    all_fields_read,
)
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import HitPolicy, Rule, Table
from sopforge.domain.values.types import EnumType
from sopforge.logic.english import english, english_entry
from sopforge.logic.phrasing.grammar import be
from sopforge.logic.phrasing.idioms import bare, flattened
from sopforge.rendering.sop.document import Line, Style, table_row
from sopforge.rendering.sop.sections.conditions import stated

ANY = "any"
OTHERWISE = "in every other case"
_LEAST_ROWS = 3
_MOST_COLUMNS = 4
_BAR = "|"
_JOINED = re.compile(r' and |(?<!\bon)(?<!\bat)(?<!") or ')


def has_table_form(model: DomainModel, table: Table) -> bool:
    """Tell whether a table of the text says the rules more clearly than sentences do."""
    cells = [_cells(model, rule.when) for rule in table.rules if rule.when is not None]
    found = [row for row in cells if row is not None]
    columns = _columns(found)
    is_alike = len(found) == len(cells) >= _LEAST_ROWS and len(columns) <= _MOST_COLUMNS
    filled = sum(len(row) for row in found)
    is_plain = all(isinstance(rule.then, Constant) for rule in table.rules)
    words = [english(rule.then, model.fields) for rule in table.rules]
    words += [cell for row in found for cell in row.values()]
    is_dense = is_alike and 3 * filled >= 2 * len(found) * len(columns)
    is_single = table.hit is not HitPolicy.COLLECT
    return is_single and is_dense and is_plain and not any(_BAR in word for word in words)


def table_lines(model: DomainModel, table: Table, results: Sequence[str]) -> Iterator[Line]:
    """Return the rows of a decision table; ``results`` are those of its rules, in words."""
    rows = [_cells(model, rule.when) or {} for rule in table.rules]
    columns = _columns(rows)
    labels = [model.fields[name].label for name in (*columns, table.target)]
    yield Line(Style.ROW, table_row(labels), (f"decision {table.target}",))
    for rule, row, result in zip(table.rules, rows, results, strict=True):
        cells = [row.get(name, ANY) for name in columns]
        cells[0] = OTHERWISE if rule.when is None else cells[0]
        yield Line(Style.ROW, table_row([*cells, result]), _stated(table, rule))


def is_long_look_up(model: DomainModel, value: Expression) -> bool:
    """Tell whether a formula is a look-up with more entries than a sentence should list."""
    _, rows = _look_up(model, bare(value))
    return len(rows) >= _LEAST_ROWS and not any(_BAR in cell for row in rows for cell in row)


def look_up_lines(model: DomainModel, target: str, value: Expression) -> Iterator[Line]:
    """Return the rows of a look-up by one field or by two."""
    names, rows = _look_up(model, bare(value))
    labels = [model.fields[name].label for name in (*names, target)]
    name = f"decision {target}"
    yield Line(Style.ROW, table_row(labels), (name,))
    yield from (Line(Style.ROW, table_row(row), (name,)) for row in rows)


def look_up_keys(value: Expression) -> list[str]:
    """Return the names of the fields that a look-up is by."""
    inner = bare(value)
    if not isinstance(inner, Lookup) or not isinstance(inner.key, Read):
        return []
    return [inner.key.field, *look_up_keys(inner.entries[0])]


def _look_up(model: DomainModel, node: Expression) -> tuple[list[str], list[list[str]]]:
    if not isinstance(node, Lookup) or not isinstance(node.key, Read):
        return [], [[english_entry(node, model.fields)]]
    names: list[str] = []
    rows: list[list[str]] = []
    labels = node.key.type.values if isinstance(node.key.type, EnumType) else ()
    for label, entry in zip(labels, node.entries, strict=True):
        inner, below = _look_up(model, entry)
        names = [node.key.field, *inner]
        rows += [[f'"{label}"', *row] for row in below]
    return names, rows


def _cells(model: DomainModel, condition: Expression | None) -> dict[str, str] | None:
    """Return what a condition asks of each field, None where a cell cannot say it."""
    if condition is None:
        return {}
    inner = bare(condition)
    found: dict[str, str] = {}
    for part in flattened(inner) if isinstance(inner, AllOf) else [condition]:
        fields = all_fields_read((part,))
        (name,) = fields if len(fields) == 1 else ("",)
        words = _asked(model, name, part)
        if not words:
            return None
        found[name] = f"{found[name]} and {words}" if name in found else words
    return found


def _asked(model: DomainModel, name: str, part: Expression) -> str:
    """Return what stands behind "the field is", "" where the words are others."""
    if name not in model.fields:
        return ""
    label = model.fields[name].label
    subject = f"the {label} {be(label)} "
    words = english(part, model.fields)
    rest = words.removeprefix(subject)
    is_joined = _JOINED.search(re.sub(r'"[^"]*"', '"', rest))
    return "" if rest == words or is_joined else rest


def _columns(rows: Sequence[dict[str, str]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _stated(table: Table, rule: Rule) -> tuple[str, ...]:
    name = f"rule {table.target}.{rule.id}"
    return stated(name, rule.then) if rule.when is None else stated(name, rule.when, rule.then)
