"""Results of tools, compared with what is on record about the row that they were called for."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from decimal import Decimal, InvalidOperation

from sopforge.checks.auditing.arguments import BLANKS, get_parameter_schemas
from sopforge.checks.auditing.rule import AuditRule, Spot
from sopforge.checks.auditing.subject import Subject
from sopforge.checks.auditing.trials import TriedCall
from sopforge.findings import Severity
from sopforge.harness.scoring.sop_bench_package import UNPARSABLE
from sopforge.sandbox.answers import JSON, Observation, as_text

TOOLS = "tools.py"
MOSTLY = 2 / 3
"""What share of a tool's results has to be in a column for it to be that column's."""
_TRUE, _FALSE = frozenset({"true", "yes"}), frozenset({"false", "no"})
_DIGITS = frozenset({"0", "0.0", "1", "1.0"})
_LONGEST = 80
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\dA-Za-z_]+|\d+")


def find_contradicted_columns(subject: Subject) -> Iterator[Spot]:
    """Find results that are not what the row has in the column of the same name."""
    for tool, key, calls in _iterate_results(subject):
        column = _find_named_column(subject, tool, key, calls)
        if column:
            yield from _make_spots(subject, tool, key, column, _pair(subject, calls, key, column))


def find_contradicted_results(subject: Subject) -> Iterator[Spot]:
    """Find results of another name that are mostly, and not always, what some column has."""
    for tool, key, calls in _iterate_results(subject):
        if _find_named_column(subject, tool, key, calls):
            continue
        found = [(column, _pair(subject, calls, key, column)) for column in subject.columns]
        column, pairs = max(found, key=lambda item: _count_equal(subject, *item))
        equal = _count_equal(subject, column, pairs)
        if MOSTLY * len(pairs) <= equal < len(pairs):
            yield from _make_spots(subject, tool, key, column, pairs)


def _count_equal(subject: Subject, column: str, pairs: Sequence[tuple[TriedCall, bool]]) -> int:
    """Return how many results equal a column in which that says something.

    Blanks and truths equal those of many a column, and so does what is the same in most rows.
    """
    cells = [subject.rows[call.row][column].strip() for call, is_equal in pairs if is_equal]
    distinct = [cell for cell in cells if cell.lower() not in BLANKS | _TRUE | _FALSE]
    return len(distinct) if len(set(distinct)) > 1 else 0


def _find_named_column(subject: Subject, name: str, key: str, calls: Sequence[TriedCall]) -> str:
    """Return the column that a result is, by its key or, without one, by its tool; "" for none."""
    if key:
        return find_namesake(key, subject.columns)
    tool = next(tool for tool in subject.peer.toolspecs if tool.name == name)
    # What a tool takes is not what it gives: checkDepot, which takes depot, says another thing.
    free = [column for column in subject.columns if column not in get_parameter_schemas(tool)]
    column = find_column_of_tool(tool.name, tool.description, free)
    cells = [row[column].strip() for row in subject.rows] if column else []
    return column if any(_is_among(_get_value(call), cells) for call in calls) else ""


def find_namesake(name: str, columns: Sequence[str]) -> str:
    """Return the column of a name, "" for none: ``outage id`` is ``outage_id``."""
    names = {_normalize_name(column): column for column in columns}
    return names.get(_normalize_name(name), "")


def find_column_of_tool(name: str, description: str, columns: Sequence[str]) -> str:
    """Return the column that a tool says it gives, "" for none.

    Its name says so, with or without a verb before it, or its description does, of one column
    alone. There a column of one word has to stand in quotes, for any sentence may use the word.

    >>> find_column_of_tool("calculateRiskIndex", "", ["risk", "risk_index"])
    'risk_index'
    >>> find_column_of_tool("rate", "Return the risk index of a site", ["risk", "risk_index"])
    'risk_index'
    """
    after_verb = "".join(_WORD.findall(name)[1:])
    if found := find_namesake(name, columns) or find_namesake(after_verb, columns):
        return found
    named = [column for column in columns if _is_named(column, description)]
    return named[0] if len(named) == 1 else ""


def _is_named(column: str, text: str) -> bool:
    words = list(map(re.escape, _WORD.findall(column)))
    phrase = r"[\s_-]*".join(words)
    is_plain_word = words[1:] == []
    pattern = rf"([\"'`]){phrase}\1" if is_plain_word else rf"(?<![^\W_]){phrase}(?![^\W_])"
    return bool(words) and re.search(pattern, text, re.IGNORECASE) is not None


def _normalize_name(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _is_among(value: JSON, cells: Sequence[str]) -> bool:
    """Return whether a result is of the kind of cells: "done" is no answer to a column of scores.

    A text is, where some cell has it or it is a number or a day as one of them is.
    """
    if isinstance(value, bool):
        return any(cell.lower() in _TRUE | _FALSE | _DIGITS for cell in cells)
    kinds = [kind for kind in (_is_number, _is_day) if kind(str(value))]
    return any(is_same_value(cell, value) or any(kind(cell) for kind in kinds) for cell in cells)


def _is_number(text: str) -> bool:
    with suppress(InvalidOperation):
        return Decimal(text).is_finite()
    return False


def _is_day(text: str) -> bool:
    with suppress(ValueError):
        return bool(datetime.fromisoformat(text))
    return False


def is_same_value(cell: str, value: JSON) -> bool:
    """Return whether a cell says what a result does: as a number, a truth, a list or a text."""
    if value is None or (isinstance(value, str) and value.strip().lower() in BLANKS):
        return cell.strip().lower() in BLANKS
    if isinstance(value, bool):
        return cell.strip().lower() in (
            (_TRUE | {"1", "1.0"}) if value else (_FALSE | {"0", "0.0"})
        )
    if isinstance(value, list | dict):
        return bool(_parse_cell(cell) == json.loads(as_text(value)))
    text = str(value)
    with suppress(InvalidOperation):
        return Decimal(cell.strip()) == Decimal(text.strip())
    return cell.strip().casefold() == text.strip().casefold()


def _iterate_results(subject: Subject) -> Iterator[tuple[str, str, list[TriedCall]]]:
    """Return the results of each tool by their keys, "" for one that is no object."""
    if subject.has_model:
        return
    for tool in subject.peer.toolspecs:
        calls = [
            call
            for call in subject.trials.list_calls(tool.name)
            if isinstance(call.answer, Observation)
        ]
        keys = dict.fromkeys(key for call in calls for key in _list_keys(call))
        for key in keys:
            yield tool.name, key, [call for call in calls if key in _list_keys(call)]


def _list_keys(call: TriedCall) -> Sequence[str]:
    value = _get_value(call)
    return list(value) if isinstance(value, Mapping) else [""] if value is not None else []


def _get_value(call: TriedCall) -> JSON:
    return call.answer.value if isinstance(call.answer, Observation) else None


def _get_part(call: TriedCall, key: str) -> JSON:
    value = _get_value(call)
    return value[key] if isinstance(value, dict) else value


def _pair(
    subject: Subject, calls: Sequence[TriedCall], key: str, column: str
) -> list[tuple[TriedCall, bool]]:
    """Return for each call whether its result is what the row has in a column."""
    return [
        (call, is_same_value(subject.rows[call.row][column], _get_part(call, key)))
        for call in calls
        # An argument that a tool hands back says nothing about the row.
        if key not in call.arguments
    ]


def _make_spots(
    subject: Subject, tool: str, key: str, column: str, pairs: Sequence[tuple[TriedCall, bool]]
) -> Iterator[Spot]:
    other = [call for call, is_equal in pairs if not is_equal]
    if other:
        first = other[0]
        said = as_text(_get_part(first, key))[:_LONGEST]
        cell = subject.rows[first.row][column]
        result = f"'{key}'" if key else "the result"
        message = (
            f"'{tool}': {result} differs from column '{column}'"
            f" on {len(other)} of {len(pairs)} rows"
        )
        evidence = f"task {subject.peer.tasks[first.row].id}: {said}, on record {cell!r}"
        yield Spot(message, TOOLS, evidence)


def _parse_cell(cell: str) -> object:
    for read in (json.loads, ast.literal_eval):
        with suppress(*UNPARSABLE):
            return read(cell)
    return None


RULES = (
    AuditRule(
        "result-contradicts-row",
        find_contradicted_columns,
        "correct the tool or the table: the answers follow from one of them",
    ),
    AuditRule(
        "result-contradicts-column",
        find_contradicted_results,
        "if the two are meant to be the same, decide which value is right and correct the other",
        Severity.WARNING,
    ),
)
