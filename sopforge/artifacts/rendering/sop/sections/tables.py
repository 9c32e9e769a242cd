"""Decision tables and look-ups as tables of the text, where rules test the same few fields.

A row's term is ``("row", (part, words), …)``: for each cell what it is about and what it says, a
predicate of a field, labels, a result, or that it stands for any or all other cases.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from sopforge.artifacts.rendering.sop.document import (
    Statement,
    Style,
    format_table_row,
    split_table_row,
)
from sopforge.artifacts.rendering.sop.writer import Writer, list_stated_items
from sopforge.language.domain.expressions.expressions import (
    Constant,
    Expression,
    Lookup,
    Missing,
    Read,
)
from sopforge.language.domain.fields import Field
from sopforge.language.domain.rules import HitPolicy, Rule, Table
from sopforge.language.domain.values.types import EnumType
from sopforge.language.english.english import English
from sopforge.language.english.nouns import trim_zeros
from sopforge.language.english.terms import Term
from sopforge.language.logic.last_labels import name_last_label
from sopforge.language.logic.unwrapping import unwrap_node

CONDITION = "If"
"""The first column of a table whose rows have whole conditions."""
ANY: Term = ("whatever",)
REST: Term = ("rest",)
_ALL_OTHERS = "all other cases"
_LONGEST_CONDITION = 160
_LEAST_ROWS = 3
_MOST_COLUMNS = 4
_LEAST_REST = 4
_BAR = "|"
_FIGURE = re.compile(r"(?P<whole>-?\d+)(?:\.(?P<digits>\d+))?(?P<unit>| [^\d\W].*)")
"""A number that is written out, with its unit; no date."""


def has_table_form(writer: Writer, table: Table) -> bool:
    """Return whether a table of the text says the rules more clearly than sentences do."""
    found = [_build_cells(writer, rule.when) for rule in table.rules if rule.when is not None]
    rows = [row for row in found if row is not None]
    columns = _list_columns(rows)
    filled = sum(map(len, rows))
    is_dense = 3 * filled >= 2 * len(rows) * len(columns)
    is_alike = len(rows) == len(found) >= _LEAST_ROWS and len(columns) <= _MOST_COLUMNS
    is_plain = all(isinstance(rule.then, Constant | Missing) for rule in table.rules)
    if not is_alike or not is_dense or not is_plain or table.hit is HitPolicy.COLLECT:
        return False
    results = [writer.mean(rule.then) for rule in table.rules]
    words = [writer.say(_name_kind(value), value) for value in results]
    words += [writer.say("cell", cell) for row in rows for cell in row.values()]
    return all(words) and not any(_BAR in word for word in words)


def has_condition_column(writer: Writer, tables: Sequence[Table]) -> bool:
    """Return whether rules that give several fields are a table with a row for each condition."""
    rules, fields = tables[0].rules, writer.model.fields
    results = [rule.then for table in tables for rule in table.rules]
    is_plain = all(isinstance(value, Constant | Missing) for value in results)
    is_named = any(item.label.lower() == CONDITION.lower() for item in fields.values())
    if len(tables) == 1 or len(rules) == 1 or not is_plain or is_named:
        return False
    words = [writer.say("short", writer.mean(rule.when)) for rule in rules if rule.when is not None]
    return all(0 < len(said) <= _LONGEST_CONDITION and _BAR not in said for said in words)


def render_condition_table(writer: Writer, tables: Sequence[Table]) -> Iterator[Statement]:
    """Return such a table: in each row a condition, and the results of the rules with it."""
    fields, targets = writer.model.fields, [table.target for table in tables]
    yield _state_header(fields, [CONDITION], targets)
    rows = [
        (
            [("condition", REST if rules[0].when is None else writer.mean(rules[0].when))],
            [_mean_result(writer, fields[x], rule) for x, rule in zip(targets, rules, strict=True)],
        )
        for rules in zip(*(table.rules for table in tables), strict=True)
    ]
    yield from _render_rows(writer, tables, rows)


def render_table(writer: Writer, tables: Sequence[Table]) -> Iterator[Statement]:
    """Return the rows of decision tables of the same conditions, with a column for each of them."""
    fields, targets = writer.model.fields, [table.target for table in tables]
    named = [name_last_label(table, fields) for table in tables]
    rules = list(zip(*(table.rules for table in named), strict=True))
    cells = [_build_cells(writer, row[0].when) or {} for row in rules]
    columns = _list_columns(cells)
    yield _state_header(fields, columns, targets)
    rows = []
    for row, found in zip(rules, cells, strict=True):
        kind = "cell" if len(columns) > 1 else "onlycell"
        asked = [(kind, found.get(name, ANY)) for name in columns]
        if row[0].when is None:
            asked[0] = (kind, REST)
        pairs = zip(targets, row, strict=True)
        rows.append((asked, [_mean_result(writer, fields[x], rule) for x, rule in pairs]))
    yield from _render_rows(writer, named, rows)


def _mean_result(writer: Writer, item: Field, rule: Rule) -> Term:
    return writer.mean_value(rule.then, item.type)


def _render_rows(
    writer: Writer,
    tables: Sequence[Table],
    rows: Sequence[tuple[Sequence[tuple[str, Term]], Sequence[Term]]],
) -> Iterator[Statement]:
    """Return the rows of tables; the tables' own rules stand in the same order."""
    own = [writer.model.decisions[table.target] for table in tables]
    rules = zip(*(table.rules for table in own if isinstance(table, Table)), strict=True)
    stated = [
        tuple(
            dict.fromkeys(
                name
                for table, rule in zip(tables, same, strict=True)
                for name in list_stated_items(
                    f"rule {table.target}.{rule.id}", rule.when, rule.then
                )
            )
        )
        for same in rules
    ]
    terms: list[Term] = [
        ("row", *asked, *((_name_kind(x), x) for x in given)) for asked, given in rows
    ]
    yield from _write_rows(writer, terms, len(tables), stated)


# look-ups


def is_long_look_up(value: Expression) -> bool:
    """Return whether a formula is a look-up with more entries than a sentence should list."""
    return len(_list_rows([value])) >= _LEAST_ROWS and _BAR not in "".join(_list_labels(value))


def render_look_up(
    writer: Writer, values: Mapping[str, Expression], stated: tuple[str, ...]
) -> Iterator[Statement]:
    """Return the rows of look-ups by the same fields, with a column for each of them."""
    fields = writer.model.fields
    names = list_look_up_keys(next(iter(values.values())))
    yield replace(_state_header(fields, names, list(values)), states=stated)
    # What is in the unit of the one value stands above the table.
    terms: list[Term] = [
        (
            "row",
            *(("entered", key) for key in keys),
            *(
                (_name_kind(given), given)
                for name, x in zip(values, entries, strict=True)
                for given in (
                    writer.mean_value(x, fields[name].type) if len(values) > 1 else writer.mean(x),
                )
            ),
        )
        for keys, entries in _list_rows(list(values.values()))
    ]
    yield from _write_rows(writer, terms, len(values), [stated] * len(terms))


def list_look_up_keys(value: Expression) -> list[str]:
    """Return the names of the fields that a look-up is by."""
    inner = unwrap_node(value)
    if not isinstance(inner, Lookup) or not isinstance(inner.key, Read):
        return []
    return [inner.key.field, *list_look_up_keys(inner.entries[0])]


def _list_labels(value: Expression) -> list[str]:
    inner = unwrap_node(value)
    if not isinstance(inner, Lookup):
        return []
    kind = inner.key.type
    own = kind.values if isinstance(kind, EnumType) else ()
    return [*own, *(label for entry in inner.entries for label in _list_labels(entry))]


def _list_rows(
    values: Sequence[Expression],
) -> list[tuple[tuple[Term, ...], tuple[Expression, ...]]]:
    """Return the rows of look-ups by the same fields: keys, and the entries for them.

    Labels with the same rest have one row; more than half of them are "any other".
    """
    inner = [unwrap_node(value) for value in values]
    first = inner[0]
    if not isinstance(first, Lookup) or not isinstance(first.key, Read):
        return [((), tuple(values))]
    labels = first.key.type.values if isinstance(first.key.type, EnumType) else ()
    entries = zip(*(node.entries for node in inner if isinstance(node, Lookup)), strict=True)
    groups: dict[tuple[object, ...], tuple[list[str], list[Expression]]] = {}
    for label, parts in zip(labels, entries, strict=True):
        groups.setdefault(parts, ([], list(parts)))[0].append(label)
    found = list(groups.values())
    largest = max(found, key=lambda group: len(group[0]))
    # Fewer would hide which they are, and more would be a list that nobody reads.
    is_rest = (
        len(largest[0]) >= _LEAST_REST and 2 * len(largest[0]) > len(labels) and len(found) > 1
    )
    order = [x for x in found if x is not largest or not is_rest] + [largest] * is_rest
    return [
        ((REST if is_rest and group is largest else ("labels", *group[0]), *keys), below)
        for group in order
        for keys, below in _list_rows(group[1])
    ]


# rows


def _state_header(
    fields: Mapping[str, Field], columns: Sequence[str], targets: Sequence[str]
) -> Statement:
    """Return the heads of the columns of a table: what it asks of, and what it gives."""
    cells = [fields[name].label if name in fields else name for name in (*columns, *targets)]
    states = tuple(f"decision {target}" for target in targets)
    term: Term = ("columns", *columns, *targets)
    return Statement(Style.ROW, format_table_row(cells), states, kind="header", term=term)


def _write_rows(
    writer: Writer, terms: Sequence[Term], results: int, stated: Sequence[tuple[str, ...]]
) -> Iterator[Statement]:
    cells = [[_say_cell(writer, kind, part) for kind, part in term[1:]] for term in terms]
    aligned = zip(*map(_align_column, list(zip(*cells, strict=True))[-results:]), strict=True)
    for term, row, last, states in zip(terms, cells, aligned, stated, strict=True):
        text = format_table_row([*row[:-results], *last])
        yield Statement(Style.ROW, text, states, kind="row", term=term)


def _name_kind(value: Term) -> str:
    """Return what kind of words stand for a value in a cell."""
    return "listed" if value[0] == "labels" else "given"


def _say_cell(writer: Writer, kind: str, term: Term) -> str:
    return _ALL_OTHERS if (kind, term) == ("condition", REST) else writer.say(kind, term)


def _align_column(cells: Sequence[str]) -> list[str]:
    """Return cells whose numbers have as many decimal places as each other."""
    found = [_FIGURE.fullmatch(cell) for cell in cells]
    places = max((len(figure["digits"] or "") for figure in found if figure), default=0)
    return [
        _write_places(figure, places) if figure else cell
        for figure, cell in zip(found, cells, strict=True)
    ]


def _write_places(figure: re.Match[str], places: int) -> str:
    digits = f".{(figure['digits'] or '').ljust(places, '0')}" if places else ""
    return f"{figure['whole']}{digits}{figure['unit']}"


def read_row(english: English, kinds: Sequence[Collection[str]], text: str) -> set[Term]:
    """Return what a row can mean whose cells are words of these kinds."""
    cells = split_table_row(text)
    if len(cells) != len(kinds):
        return set()
    read = [
        {(kind, x) for kind in known for x in _read_cell(english, kind, cell)}
        for known, cell in zip(kinds, cells, strict=True)
    ]
    return {("row", *parts) for parts in product(*read)}


def _read_cell(english: English, kind: str, cell: str) -> Collection[Term]:
    is_rest = (kind, cell) == ("condition", _ALL_OTHERS)
    return [REST] if is_rest else english.read(kind, _trim_figure(cell))


def _trim_figure(cell: str) -> str:
    figure = _FIGURE.fullmatch(cell)
    if figure is None:
        return cell
    number = f"{figure['whole']}.{figure['digits']}" if figure["digits"] else figure["whole"]
    return f"{trim_zeros(number)}{figure['unit']}"


def restate_row(writer: Writer, row: Statement, term: Term) -> str:
    """Return a row whose cells say something else where its term does, "" without words."""
    cells = list(split_table_row(row.text))
    pairs = zip(row.term[1:] if row.term else (), term[1:], strict=True)
    for place, (known, (kind, part)) in enumerate(pairs):
        if known != (kind, part):
            cells[place] = _say_cell(writer, kind, part)
    return format_table_row(cells) if all(cells) else ""


def _build_cells(writer: Writer, condition: Expression | None) -> dict[str, Term] | None:
    """Return what a condition asks of each field, None where a cell cannot say it."""
    if condition is None:
        return {}
    term = writer.mean(condition)
    found: dict[str, Term] = {}
    for part in term[1:] if term[0] == "and" else [term]:
        split = writer.words.english.split_subject(part)
        if split is None or not writer.say("cell", split[1]):
            return None
        (_, name), said = split
        found[name] = writer.words.forms.join("and", found[name], said) if name in found else said
    return found if all(writer.say("cell", said) for said in found.values()) else None


def _list_columns(rows: Sequence[dict[str, Term]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))
