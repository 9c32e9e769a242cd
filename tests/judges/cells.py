"""Which operators a run really applied, to which types, at which edges: the table of cells.

A question is walked from its root with the rows that reach each part: the right side of ``and`` is
reached where the left side holds, a branch of a choice where the choice takes it. A cell is an
operator, a type and an edge, and counts the rows that reached the operator there.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import product
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from sopforge.language.domain.expressions.algebra import interpret
from sopforge.language.domain.expressions.expressions import (
    Absolute,
    AddDays,
    AddMonths,
    Aggregate,
    AllOf,
    Among,
    AnyOf,
    Arithmetic,
    Choice,
    Combination,
    Compare,
    Constant,
    Contains,
    DateOf,
    Elapsed,
    Expression,
    HourOf,
    Lookup,
    Not,
    OneOf,
    Operation,
    Outermost,
    Presence,
    Quotient,
    Read,
    Rescale,
    Selection,
    Size,
    Span,
    Subset,
    WeekdayOf,
    Workdays,
    list_children,
)
from sopforge.language.domain.expressions.numbers import require_number_type
from sopforge.language.domain.parsing import Scope
from sopforge.language.domain.rules import Table
from sopforge.language.domain.values.types import DateType, NumberType, ValueType
from sopforge.language.logic.readings.vector import Columns, ListColumn, Vector
from tests.generators.expressions import RELATIONS, Question
from tests.generators.scopes import word_of

Cell: TypeAlias = tuple[str, str, str]
Column: TypeAlias = npt.NDArray[Any]
Edges: TypeAlias = Mapping[str, Column]

LARGE = 1 << 60
DAY_MINUTES = 1_440
# All days by their ordinals, with what is no day at both ends; numpy counts from 1970.
_DAYS = (np.arange(1, date.max.toordinal() + 1) - date(1970, 1, 1).toordinal()).astype("M8[D]")
_MONTHS = _DAYS.astype("M8[M]")
_YEARS = np.pad(_DAYS.astype("M8[Y]").astype(int) + 1970, 1)
_DAYS_OF_MONTHS = np.pad((_DAYS - _MONTHS).astype(int) + 1, 1)
_IS_FEBRUARY = np.pad(_MONTHS.astype(int) % 12 == 1, 1)
_IS_LEAP_DAY = _IS_FEBRUARY & (_DAYS_OF_MONTHS == 29)
_IS_MONTH_END = np.append(_DAYS_OF_MONTHS[1:] < _DAYS_OF_MONTHS[:-1], False)


def cells_of(question: Question, scope: Scope, columns: Columns, asked: Column) -> Counter[Cell]:
    """Return how many of the rows asked about reached each operator of a question at each edge."""
    watch = _Watch(scope, columns, asked, has_ratio=_has_ratio(question))
    watch.visit(question.expression, asked, None)
    if isinstance(question.decision, Table):
        watch.table(question.decision)
    return watch.cells


class _Watch:
    def __init__(self, scope: Scope, columns: Columns, asked: Column, *, has_ratio: bool) -> None:
        self.scope = scope
        self.columns = columns
        self.asked = asked
        self.has_ratio = has_ratio
        self.cells: Counter[Cell] = Counter()

    def count(self, operator: str, word: str, edges: Edges, reached: Column) -> None:
        for edge, column in edges.items():
            found = int(np.count_nonzero(np.logical_and(reached, column)))
            if found:
                self.cells[operator, word, edge] += found

    def value(self, node: Expression, items: ListColumn | None, like: Column) -> Column:
        found = interpret(node, Vector(self.columns, items))
        return np.broadcast_to(found, like.shape)

    def visit(self, node: Expression, reached: Column, items: ListColumn | None) -> None:
        operands = list_children(node)
        if isinstance(node, Aggregate):
            self.aggregate(node, reached)
            return
        if isinstance(node, Selection):
            self.selection(node, reached)
            return
        values = [self.value(child, items, reached) for child in operands]
        for operator, word, edges in _edges(node, values):
            if operator.startswith("a / b ") and not self.has_ratio:
                continue
            inside = "item " if items is not None and operator in _COMPARING else ""
            self.count(operator, inside + word, edges, reached)
            self.missing(operator, inside + word, operands)
        if isinstance(node, Presence):
            self.presence(node, reached)
        for child, on in zip(operands, _reached(node, values, reached), strict=True):
            if on.any():
                self.visit(child, on, items)

    def missing(self, operator: str, word: str, operands: tuple[Expression, ...]) -> None:
        """Count the rows on which an operand is missing, so that the operator must not count."""
        for child in operands:
            if isinstance(child, Read) and child.field in self.scope.optional:
                edges = {"missing": ~self.columns.present[child.field]}
                self.count(operator, word, edges, self.asked)

    def presence(self, node: Presence, reached: Column) -> None:
        is_present = self.columns.present[node.field]
        if reached.ndim > is_present.ndim:
            is_present = is_present[:, None]
        edges = {"present": is_present, "missing": ~is_present}
        self.count("present", word_of(self.scope.fields[node.field]), edges, reached)

    def aggregate(self, node: Aggregate, reached: Column) -> None:
        items = self.columns.lists[node.list]
        used = items.used & reached[:, None]
        met = used
        if node.where is not None:
            self.visit(node.where, used, items)
            met = used & (self.value(node.where, items, used) != 0)
        if node.value is not None and met.any():
            self.visit(node.value, met, items)
        size, length, count = node.size, items.lengths, met.sum(axis=1)
        edges = {
            "empty list": length == 0,
            "full list": length == size,
            "none meets": (length > 0) & (count == 0),
            "one meets": count == 1,
            "some meet": (count > 0) & (count < length),
            "all meet": (length > 0) & (count == length),
        }
        if node.value is not None and isinstance(node.value.type, NumberType):
            values = np.where(met, self.value(node.value, items, met), 0)
            edges["negative"] = (values < 0).any(axis=1)
        self.count(f"{node.function} of items", self.of_items(node), edges, reached)
        if node.list in self.scope.optional:
            edges = {"missing": ~self.columns.present[node.list]}
            self.count(f"{node.function} of items", self.of_items(node), edges, self.asked)

    def selection(self, node: Selection, reached: Column) -> None:
        items = self.columns.lists[node.list]
        used = items.used & reached[:, None]
        met = used
        if node.where is not None:
            self.visit(node.where, used, items)
            met = used & (self.value(node.where, items, used) != 0)
        for part in node.parts if met.any() else ():
            self.visit(part, met, items)
        length, count = items.lengths, met.sum(axis=1)
        edges: dict[str, Column] = {
            "empty list": length == 0,
            "full list": length == node.size,
            "none meets": (length > 0) & (count == 0),
            "one meets": count == 1,
            "some meet": (count > 0) & (count < length),
            "all meet": (length > 0) & (count == length),
            "kept after one left out": np.asarray(
                (met[:, 1:] & used[:, :-1] & ~met[:, :-1]).any(axis=1)
            ),
        }
        self.count("a list of items", "items", edges, reached)
        for part in node.parts:
            self.count("a part of an item", word_of(part.type), {"kept": count > 0}, reached)
        if node.list in self.scope.optional:
            edges = {"missing": ~self.columns.present[node.list]}
            self.count("a list of items", "items", edges, self.asked)

    def of_items(self, node: Aggregate) -> str:
        return "items" if node.value is None else _numbers_word(node.value)

    def table(self, table: Table) -> None:
        """Count what the rules of a table did on the rows."""
        everywhere = np.ones(self.columns.count, dtype=bool)
        tests = [rule.when for rule in table.rules if rule.when is not None]
        hits = np.array([self.value(test, None, everywhere) != 0 for test in tests])
        if not tests:
            return
        total = hits.sum(axis=0)
        edges = {
            "none holds": total == 0,
            "one holds": total == 1,
            "several hold": total > 1,
            "the last holds": hits[-1],
        }
        if table.rules[-1].when is None:
            edges["otherwise"] = total == 0
        policy = f"{table.hit} {table.collect or ''}".strip()
        self.count(f"hit {policy}", word_of(table.rules[0].then.type), edges, everywhere)


_COMPARING = frozenset({*RELATIONS, "in [...]", "in set", "x in set", "set <= set"})


def _reached(node: Expression, values: list[Column], reached: Column) -> Iterator[Column]:
    """Yield for each operand the rows that reach it."""
    match node:
        case AllOf() | AnyOf():
            goes_on = reached
            for value in values:
                yield goes_on
                goes_on = goes_on & ((value != 0) == isinstance(node, AllOf))
        case Choice():
            taken = values[0] != 0
            yield from (reached, reached & taken, reached & ~taken)
        case Lookup():
            yield reached
            for place in range(len(values) - 1):
                yield reached & (values[0] == place)
        case _:
            yield from (reached for _ in values)


def _edges(  # noqa: C901, PLR0912, PLR0915 - one case per node
    node: Expression, values: list[Column]
) -> Iterator[tuple[str, str, Edges]]:
    """Yield the operator that a node stands for, its type and its edges."""
    match node:
        case Compare():
            yield str(node.relation), _compared_word(node), _compare_edges(node, *values)
            if _is_product(node.left) or _is_product(node.right):
                yield f"a / b {node.relation}", "number", _around(*values)
        case OneOf():
            codes = [option.value for option in node.options]
            held = [values[0] == code for code in codes]
            found = {"first": held[0], "last": held[-1], "none": ~np.logical_or.reduce(held)}
            yield "in [...]", word_of(node.operand.type), found
        case Contains():
            yield "in set", "set", _member_edges(node, values[0])
        case Among():
            held = values[1] >> values[0] & 1 == 1
            last = values[0] == len(getattr(node.operand.type, "values", ())) - 1
            found = {"member": held, "no member": ~held, "last label": held & last}
            yield "x in set", "set", found | {"empty": values[1] == 0}
        case Subset():
            yield "set <= set", "set", _inclusion_edges(*values)
        case Combination():
            edges = {"empty": values[0] == 0, "apart": values[0] & values[1] == 0}
            edges |= {"equal": values[0] == values[1], **_beyond(*values)}
            yield f"set {node.operation}", "set", edges
        case AllOf() | AnyOf():
            yield ("and" if isinstance(node, AllOf) else "or"), "condition", _truths(*values)
        case Not():
            yield "not", "condition", {"true": values[0] != 0, "false": values[0] == 0}
        case Arithmetic():
            yield _arithmetic_name(node), _numbers_word(node.left, node.right), _signs(*values)
        case Quotient():
            yield _quotient_name(node), _numbers_word(node.left), _ties(node, *values)
        case Absolute():
            yield "abs", _numbers_word(node.operand), _signs(values[0])
        case Outermost():
            signs = _signs(*values) | {"equal": values[0] == values[1]}
            yield str(node.extreme), _numbers_word(*node.operands), signs
        case Elapsed():
            yield _elapsed_edges(node, *values)
        case Workdays():
            yield "workdays_between", "date", _workday_edges(node, *values)
        case AddDays() | AddMonths():
            yield _later_edges(node, *values)
        case DateOf():
            yield "date_of", "date-time", _time_edges(values[0])
        case HourOf():
            yield "hour_of", "date-time", _time_edges(values[0])
        case WeekdayOf():
            yield "weekday_of", "date", _weekday_edges(values[0])
        case Size():
            full = (1 << len(getattr(node.operand.type, "values", ()))) - 1
            found = {"empty": values[0] == 0, "full": values[0] == full}
            yield "count of a set", "set", found | {"some": (values[0] != 0) & (values[0] != full)}
        case Choice():
            taken = values[0] != 0
            yield "if else", _result_word(node.type), {"then": taken, "else": ~taken}
        case Lookup():
            last = values[0] == len(values) - 2
            found = {"first row": values[0] == 0, "last row": last}
            is_nested = isinstance(node.entries[0], Lookup)
            yield ("table of two" if is_nested else "table"), _result_word(node.type), found
        case _:
            return


def _compare_edges(node: Compare, left: Column, right: Column) -> Edges:
    word = word_of(node.left.type)
    if word in {"enum", "text", "boolean"}:
        return {"equal": left == right, "different": left != right}
    edges = dict(_around(left, right))
    if word == "date":
        edges |= {"leap day": _at(_IS_LEAP_DAY, left), "month end": _at(_IS_MONTH_END, left)}
    elif word == "date-time":
        edges |= _time_edges(left)
    else:
        edges |= _signs(left, right)
    return edges


def _around(left: Column, right: Column) -> dict[str, Column]:
    return {
        "boundary": left == right,
        "one below": left == right - 1,
        "one above": left == right + 1,
    }


def _signs(*values: Column) -> dict[str, Column]:
    return {
        "negative": np.logical_or.reduce([value < 0 for value in values]),
        "zero": np.logical_or.reduce([value == 0 for value in values]),
        "large": np.logical_or.reduce([np.abs(value) >= LARGE for value in values]),
    }


def _truths(*values: Column) -> dict[str, Column]:
    held = np.array([value != 0 for value in values])
    return {
        "all true": held.all(axis=0),
        "none true": ~held.any(axis=0),
        "first decides": held[0] != held[-1],
        "last decides": (held[:-1] == held[0]).all(axis=0) & (held[0] != held[-1]),
    }


def _member_edges(node: Contains, members: Column) -> dict[str, Column]:
    size = len(getattr(node.operand.type, "values", ()))
    held = (members >> node.position & 1) == 1
    last = np.full(held.shape, node.position == size - 1)
    return {
        "member": held,
        "no member": ~held,
        "empty": members == 0,
        "full": members == (1 << size) - 1,
        "last label": held & last,
    }


def _beyond(left: Column, right: Column) -> dict[str, Column]:
    """Return on which rows each of two sets has members that the other has not, beside shared."""
    shared, first, second = left & right, left & ~right, right & ~left
    return {"overlapping": (shared != 0) & (first != 0) & (second != 0)}


def _inclusion_edges(part: Column, whole: Column) -> dict[str, Column]:
    excess = part & ~whole
    return {
        "empty": part == 0,
        "equal": part == whole,
        "less": (excess == 0) & (part != whole),
        "one beyond": np.bitwise_count(excess) == 1,
        "turned round": (excess != 0) & (whole & ~part == 0),
    }


def _time_edges(moment: Column) -> dict[str, Column]:
    return {
        "midnight": moment % DAY_MINUTES == 0,
        "last minute": moment % DAY_MINUTES == DAY_MINUTES - 1,
        "leap day": _at(_IS_LEAP_DAY, moment // DAY_MINUTES + 1),
    }


def _weekday_edges(day: Column) -> dict[str, Column]:
    # Day 7 was the first Sunday.
    return {
        "Monday": day % 7 == 1,
        "Sunday": day % 7 == 0,
        "leap day": _at(_IS_LEAP_DAY, day),
    }


def _ties(node: Quotient, left: Column, right: Column) -> dict[str, Column]:
    divisor = np.maximum(right, 1)
    dividend = left * 10**node.digits
    rest = np.abs(dividend) % divisor
    is_tie = (rest == divisor - rest) & (rest > 0)
    return {
        "tie": is_tie & (dividend > 0),
        "negative tie": is_tie & (dividend < 0),
        "below a tie": (rest > 0) & (rest < divisor - rest),
        "above a tie": rest > divisor - rest,
        "exact": rest == 0,
        "negative": dividend < 0,
        "zero": dividend == 0,
        "large": np.abs(dividend) >= LARGE,
    }


def _elapsed_edges(node: Elapsed, start: Column, end: Column) -> tuple[str, str, Edges]:
    edges = {"same": start == end, "negative": end < start, "positive": start < end}
    if node.span is Span.DAYS:
        edges["from a leap day"] = _at(_IS_LEAP_DAY, start)
        return "days_between", "date", edges
    edges["over midnight"] = (start < end) & (start // DAY_MINUTES != end // DAY_MINUTES)
    return "minutes_between", "date-time", edges


def _workday_edges(node: Workdays, start: Column, end: Column) -> dict[str, Column]:
    return {
        "same": start == end,
        "negative": end < start,
        "positive": start < end,
        "from a holiday": np.isin(start, node.holidays),
        "to a holiday": np.isin(end, node.holidays),
        "from a weekend": (start - 1) % 7 >= 5,
        "to a weekend": (end - 1) % 7 >= 5,
        "from a leap day": _at(_IS_LEAP_DAY, start),
    }


def _later_edges(node: AddDays | AddMonths, day: Column, count: Column) -> tuple[str, str, Edges]:
    edges: dict[str, Column] = {
        "zero": count == 0,
        "negative": count < 0,
        "positive": count > 0,
        "from a leap day": _at(_IS_LEAP_DAY, day),
        "from a month end": _at(_IS_MONTH_END, day),
    }
    if isinstance(node, AddDays):
        edges["to a leap day"] = _at(_IS_LEAP_DAY, day + count)
        return "add_days", "date", edges
    later = Vector(Columns(0, {})).visit_add_months(node, day, count)
    edges["clamped"] = _at(_DAYS_OF_MONTHS, later) < _at(_DAYS_OF_MONTHS, day)
    edges["clamped to a leap day"] = edges["clamped"] & _at(_IS_LEAP_DAY, later)
    edges["over a year's end"] = _at(_YEARS, later) != _at(_YEARS, day)
    return "add_months", "date", edges


def _at(table: Column, days: Column) -> Column:
    """Return what a table says of days; its ends stand for what is no day."""
    found: Column = table[np.clip(days, 0, len(table) - 1)]
    return found


def _has_ratio(question: Question) -> bool:
    """Return whether a question compares with a division; its tree has a product instead."""
    return any(
        isinstance(side, ast.BinOp) and isinstance(side.op, ast.Div)
        for node in ast.walk(
            ast.parse(
                question.text.removeprefix("covered: ").removeprefix("a value: "), mode="eval"
            )
        )
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
    )


def _is_product(node: Expression) -> bool:
    """Return whether a side of a comparison may come from a division that was multiplied out."""
    bare = _bare(node)
    return isinstance(bare, Arithmetic) and bare.operation is Operation.MULTIPLY


def _bare(node: Expression) -> Expression:
    return node.operand if isinstance(node, Rescale) else node


def _arithmetic_name(node: Arithmetic) -> str:
    is_zero = isinstance(node.left, Constant) and not node.left.name and node.left.value == 0
    return "-a" if is_zero and node.operation is Operation.SUBTRACT else f"{node.operation}"


def _quotient_name(node: Quotient) -> str:
    if isinstance(_bare(node.left), Aggregate) and isinstance(_bare(node.right), Outermost):
        return "average of items"
    is_written = isinstance(node.right, Constant) and not node.right.name
    kind = require_number_type(node.right)
    is_one = is_written and kind.minimum == 10**kind.places
    return "round(a)" if is_one else "round(a / b)"


def _compared_word(node: Compare) -> str:
    if isinstance(node.left.type, NumberType):
        return _numbers_word(node.left, node.right)
    return word_of(node.left.type)


def _numbers_word(*nodes: Expression) -> str:
    """Return "integer" or "number", or "mixed" where a scale was laid around an operand."""
    if not all(isinstance(node.type, NumberType) for node in nodes):
        return "condition"
    if any(isinstance(node, Rescale) for node in nodes):
        return "mixed"
    places = {node.type.places for node in nodes if isinstance(node.type, NumberType)}
    return "integer" if places == {0} else "number"


def _result_word(kind: ValueType) -> str:
    if isinstance(kind, NumberType):
        return "number" if kind.places else "integer"
    return "date" if isinstance(kind, DateType) else word_of(kind)


# ------------------------------------------------------------------------------- what should occur

_AROUND = ("boundary", "one below", "one above")
_SIGNS = ("negative", "zero")
_TIES = ("tie", "negative tie", "below a tie", "above a tie", "exact", "negative", "zero")
_MET = ("empty list", "full list", "none meets", "one meets", "some meet", "all meet")
_TIMES = ("midnight", "last minute", "leap day")
_HELD = ("none holds", "one holds", "several hold", "the last holds", "otherwise")
_POLICIES = ("first", "any", "collect sum", "collect min", "collect max", "collect count")
_TYPES = (*("integer", "number", "boolean", "enum", "set", "date", "date-time", "text", "list"),)


def _all(operators: tuple[str, ...], words: tuple[str, ...], edges: tuple[str, ...]) -> set[Cell]:
    return set(product(operators, words, edges))


EXPECTED: frozenset[Cell] = frozenset().union(
    _all(RELATIONS, ("integer", "number", "mixed"), (*_AROUND, *_SIGNS, "large")),
    _all(RELATIONS, ("date",), (*_AROUND, "leap day", "month end")),
    _all(RELATIONS, ("date-time",), (*_AROUND, *_TIMES)),
    _all(RELATIONS, ("item integer", "item number"), (*_AROUND, *_SIGNS)),
    _all(RELATIONS, ("item date", "item date-time"), (*_AROUND, "leap day")),
    _all(("==", "!="), ("enum", "text", "item enum", "item text"), ("equal", "different")),
    _all(RELATIONS, ("integer", "number", "date", "date-time"), ("missing",)),
    _all(("==", "!="), ("enum", "text"), ("missing",)),
    {
        ("in set", "set", "missing"),
        ("in [...]", "enum", "missing"),
        ("in [...]", "text", "missing"),
    },
    {("round(a / b)", "integer", "missing"), ("count of items", "items", "missing")},
    {(f"a / b {relation}", "number", edge) for relation in RELATIONS for edge in _AROUND},
    _all(("in [...]",), ("enum", "text", "item enum", "item text"), ("first", "last", "none")),
    _all(
        ("in set",),
        ("set", "item set"),
        ("member", "no member", "empty", "full", "last label"),
    ),
    _all(("x in set",), ("set",), ("member", "no member", "empty", "last label", "missing")),
    _all(("x in set",), ("item set",), ("member", "no member", "empty", "last label")),
    _all(
        ("set <= set",),
        ("set", "item set"),
        ("empty", "equal", "less", "one beyond", "turned round"),
    ),
    {("set <= set", "set", "missing")},
    _all(("set |", "set &", "set -"), ("set",), ("empty", "apart", "equal", "overlapping")),
    _all(("present",), _TYPES, ("present", "missing")),
    _all(("and", "or"), ("condition",), ("all true", "none true", "first decides", "last decides")),
    _all(("not",), ("condition",), ("true", "false")),
    _all(("+", "-", "*"), ("integer", "number"), _SIGNS),
    _all(("+", "-"), ("mixed",), _SIGNS),
    _all(("+", "-"), ("integer",), ("large",)),
    _all(("-a",), ("integer", "number"), _SIGNS),
    _all(("round(a / b)", "round(a)"), ("number",), _TIES),
    _all(("round(a / b)",), ("integer",), _TIES),
    {("round(a / b)", "integer", "large")},
    _all(("average of items",), ("integer", "number"), (*_TIES,)),
    _all(("abs",), ("integer", "number"), _SIGNS),
    {("abs", "integer", "large")},
    _all(("min", "max"), ("integer", "number", "mixed"), (*_SIGNS, "equal")),
    _all(("min", "max"), ("integer",), ("large",)),
    _all(("count of a set",), ("set",), ("empty", "full", "some")),
    _all(("days_between",), ("date",), ("same", "negative", "positive", "from a leap day")),
    _all(
        ("workdays_between",),
        ("date",),
        (
            *("same", "negative", "positive", "from a holiday", "to a holiday"),
            *("from a weekend", "to a weekend", "from a leap day"),
        ),
    ),
    _all(("minutes_between",), ("date-time",), ("same", "negative", "positive", "over midnight")),
    _all(
        ("add_days", "add_months"),
        ("date",),
        ("zero", "negative", "positive", "from a leap day", "from a month end"),
    ),
    {("add_days", "date", "to a leap day")},
    _all(("add_months",), ("date",), ("clamped", "clamped to a leap day", "over a year's end")),
    _all(("date_of", "hour_of"), ("date-time",), _TIMES),
    _all(("weekday_of",), ("date",), ("Monday", "Sunday", "leap day")),
    _all(("if else",), ("integer", "number", "date", "enum", "boolean", "set"), ("then", "else")),
    _all(
        ("table", "table of two"),
        ("integer", "number", "date", "enum", "boolean", "set"),
        ("first row", "last row"),
    ),
    _all(("count of items",), ("items",), _MET),
    _all(
        ("sum of items", "min of items", "max of items"), ("integer", "number"), (*_MET, "negative")
    ),
    _all(("any of items", "all of items"), ("condition",), _MET),
    _all(("a list of items",), ("items",), (*_MET, "kept after one left out")),
    _all(
        ("a part of an item",),
        ("integer", "number", "boolean", "enum", "set", "date", "date-time", "text"),
        ("kept",),
    ),
    {(f"hit {policy}", "integer", edge) for policy in _POLICIES for edge in _HELD},
    {("hit collect union", "set", edge) for edge in _HELD},
    {("hit unique", "integer", edge) for edge in _HELD if edge != "several hold"},
    _all(("hit first",), ("number", "enum", "boolean", "date", "set"), ("one holds", "otherwise")),
)


def gaps(found: Counter[Cell]) -> list[Cell]:
    """Return the cells that should occur and did not."""
    return sorted(EXPECTED - set(found))
