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
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from sopforge.language.domain.expressions import expressions as nodes
from sopforge.language.domain.expressions.algebra import interpret
from sopforge.language.domain.expressions.expressions import (
    Expression,
    Operation,
    Relation,
    Span,
    list_children,
)
from sopforge.language.domain.expressions.numbers import find_remainder, require_number_type
from sopforge.language.domain.parsing import Scope
from sopforge.language.domain.rules import Table
from sopforge.language.domain.values.types import DateType, EnumType, NumberType, ValueType
from sopforge.language.logic.readings.vector import Columns, ListColumn, Vector
from tests.generators.expressions import RELATIONS, Question
from tests.generators.scopes import word_of

Cell: TypeAlias = tuple[str, str, str]
Column: TypeAlias = npt.NDArray[Any]
Edges: TypeAlias = Mapping[str, Column]

LARGE = 1 << 60
DAY_MINUTES = 1_440
_TIMES = {1: "add_minutes", 60: "add_hours", DAY_MINUTES: "add_days"}
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
        if isinstance(node, nodes.Aggregate):
            self.aggregate(node, reached)
            return
        if isinstance(node, nodes.Selection):
            self.selection(node, reached)
            return
        values = [self.value(child, items, reached) for child in operands]
        for operator, word, edges in _edges(node, values):
            if operator.startswith("a / b ") and not self.has_ratio:
                continue
            inside = "item " if items is not None and operator in _COMPARING else ""
            self.count(operator, inside + word, edges, reached)
            self.missing(operator, inside + word, operands)
        if isinstance(node, nodes.Presence):
            self.presence(node, reached)
        for child, on in zip(operands, _reached(node, values, reached), strict=True):
            if on.any():
                self.visit(child, on, items)

    def missing(self, operator: str, word: str, operands: tuple[Expression, ...]) -> None:
        """Count the rows on which an operand is missing, so that the operator must not count."""
        for child in operands:
            if isinstance(child, nodes.Read) and child.field in self.scope.optional:
                edges = {"missing": ~self.columns.present[child.field]}
                self.count(operator, word, edges, self.asked)

    def presence(self, node: nodes.Presence, reached: Column) -> None:
        is_present = self.columns.present[node.field]
        if reached.ndim > is_present.ndim:
            is_present = is_present[:, None]
        edges = {"present": is_present, "missing": ~is_present}
        self.count("present", word_of(self.scope.fields[node.field]), edges, reached)

    def aggregate(self, node: nodes.Aggregate, reached: Column) -> None:
        items, _, met = self.meet(node, reached)
        if node.value is not None and met.any():
            self.visit(node.value, met, items)
        edges = _met_edges(node, items, met)
        if node.value is not None and isinstance(node.value.type, NumberType):
            values = np.where(met, self.value(node.value, items, met), 0)
            edges["negative"] = np.asarray((values < 0).any(axis=1))
        self.count(f"{node.function} of items", self.of_items(node), edges, reached)
        self.missing_list(f"{node.function} of items", self.of_items(node), node.list)

    def selection(self, node: nodes.Selection, reached: Column) -> None:
        items, used, met = self.meet(node, reached)
        for part in node.parts if met.any() else ():
            self.visit(part, met, items)
        edges = _met_edges(node, items, met)
        after_one = met[:, 1:] & used[:, :-1] & ~met[:, :-1]
        edges["kept after one left out"] = np.asarray(after_one.any(axis=1))
        self.count("a list of items", "items", edges, reached)
        for part in node.parts:
            kept = {"kept": np.asarray(met.any(axis=1))}
            self.count("a part of an item", word_of(part.type), kept, reached)
        self.missing_list("a list of items", "items", node.list)

    def meet(
        self, node: nodes.Aggregate | nodes.Selection, reached: Column
    ) -> tuple[ListColumn, Column, Column]:
        """Return a list, its items that are reached, and those that meet the filter."""
        items = self.columns.lists[node.list]
        used = met = items.used & reached[:, None]
        if node.where is not None:
            self.visit(node.where, used, items)
            met = used & (self.value(node.where, items, used) != 0)
        return items, used, met

    def missing_list(self, operator: str, word: str, name: str) -> None:
        if name in self.scope.optional:
            self.count(operator, word, {"missing": ~self.columns.present[name]}, self.asked)

    def of_items(self, node: nodes.Aggregate) -> str:
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
        case nodes.AllOf() | nodes.AnyOf():
            goes_on = reached
            for value in values:
                yield goes_on
                goes_on = goes_on & ((value != 0) == isinstance(node, nodes.AllOf))
        case nodes.Choice():
            taken = values[0] != 0
            yield from (reached, reached & taken, reached & ~taken)
        case nodes.Lookup():
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
        case nodes.Compare():
            yield str(node.relation), _compared_word(node), _compare_edges(node, *values)
            if _is_product(node.left) or _is_product(node.right):
                yield f"a / b {node.relation}", "number", _around(*values)
        case nodes.OneOf():
            codes = [option.value for option in node.options]
            held = [values[0] == code for code in codes]
            found = {"first": held[0], "last": held[-1], "none": ~np.logical_or.reduce(held)}
            yield "in [...]", word_of(node.operand.type), found
        case nodes.Contains():
            yield "in set", "set", _member_edges(node, values[0])
        case nodes.Among():
            held = values[1] >> values[0] & 1 == 1
            last = values[0] == len(getattr(node.operand.type, "values", ())) - 1
            found = {"member": held, "no member": ~held, "last label": held & last}
            yield "x in set", "set", found | {"empty": values[1] == 0}
        case nodes.Subset():
            yield "set <= set", "set", _inclusion_edges(*values)
        case nodes.Combination():
            edges = {"empty": values[0] == 0, "apart": values[0] & values[1] == 0}
            edges |= {"equal": values[0] == values[1], **_beyond(*values)}
            yield f"set {node.operation}", "set", edges
        case nodes.AllOf() | nodes.AnyOf():
            yield ("and" if isinstance(node, nodes.AllOf) else "or"), "condition", _truths(*values)
        case nodes.Not():
            yield "not", "condition", {"true": values[0] != 0, "false": values[0] == 0}
        case nodes.Arithmetic():
            yield _arithmetic_name(node), _numbers_word(node.left, node.right), _signs(*values)
            if find_remainder(node) is not None:
                yield "remainder", _numbers_word(node.left), _remainder_edges(*values)
        case nodes.Quotient():
            yield _quotient_name(node), _numbers_word(node.left), _ties(node, *values)
        case nodes.Absolute():
            yield "abs", _numbers_word(node.operand), _signs(values[0])
        case nodes.Outermost():
            signs = _signs(*values) | {"equal": values[0] == values[1]}
            yield str(node.extreme), _numbers_word(*node.operands), signs
        case nodes.Elapsed():
            yield _elapsed_edges(node.span, *values)
        case nodes.Workdays():
            yield "workdays_between", "date", _workday_edges(node, *values)
        case nodes.AddWorkdays():
            yield "add_workdays", "date", _deadline_edges(node, *values)
        case nodes.AddDays() | nodes.AddMonths():
            yield _later_edges(node, *values)
        case nodes.AddMinutes():
            later = values[0] + values[1] * node.each
            yield _TIMES[node.each], "date-time", _elapsed_edges(Span.MINUTES, values[0], later)[2]
        case nodes.DateOf():
            yield "date_of", "date-time", _time_edges(values[0])
        case nodes.HourOf():
            yield "hour_of", "date-time", _time_edges(values[0])
        case nodes.WeekdayOf():
            yield "weekday_of", "date", _weekday_edges(values[0])
        case nodes.Size():
            full = (1 << len(getattr(node.operand.type, "values", ()))) - 1
            found = {"empty": values[0] == 0, "full": values[0] == full}
            yield "count of a set", "set", found | {"some": (values[0] != 0) & (values[0] != full)}
        case nodes.Choice():
            taken = values[0] != 0
            yield "if else", _result_word(node.type), {"then": taken, "else": ~taken}
        case nodes.Lookup():
            last = values[0] == len(values) - 2
            found = {"first row": values[0] == 0, "last row": last}
            is_nested = isinstance(node.entries[0], nodes.Lookup)
            yield ("table of two" if is_nested else "table"), _result_word(node.type), found
        case _:
            return


def _met_edges(
    node: nodes.Aggregate | nodes.Selection, items: ListColumn, met: Column
) -> dict[str, Column]:
    length, count = items.lengths, met.sum(axis=1)
    return {
        "empty list": length == 0,
        "full list": length == node.size,
        "none meets": (length > 0) & (count == 0),
        "one meets": count == 1,
        "some meet": (count > 0) & (count < length),
        "all meet": (length > 0) & (count == length),
    }


def _compare_edges(node: nodes.Compare, left: Column, right: Column) -> Edges:
    word = word_of(node.left.type)
    is_ranked = word == "enum" and node.relation not in {Relation.EQ, Relation.NE}
    if word in {"enum", "text", "boolean"} and not is_ranked:
        return {"equal": left == right, "different": left != right}
    edges = dict(_around(left, right))
    if is_ranked:
        return edges
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


def _member_edges(node: nodes.Contains, members: Column) -> dict[str, Column]:
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


def _ties(node: nodes.Quotient, left: Column, right: Column) -> dict[str, Column]:
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


def _remainder_edges(number: Column, taken: Column) -> dict[str, Column]:
    rest = number - taken
    return {"negative": number < 0, "zero": number == 0, "exact": rest == 0, "rest": rest > 0}


def _elapsed_edges(span: Span, start: Column, end: Column) -> tuple[str, str, Edges]:
    edges = {"same": start == end, "negative": end < start, "positive": start < end}
    if span is Span.DAYS:
        edges["from a leap day"] = _at(_IS_LEAP_DAY, start)
        return "days_between", "date", edges
    edges["over midnight"] = (start < end) & (start // DAY_MINUTES != end // DAY_MINUTES)
    return "minutes_between", "date-time", edges


def _workday_edges(node: nodes.Workdays, start: Column, end: Column) -> dict[str, Column]:
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


def _deadline_edges(node: nodes.AddWorkdays, day: Column, count: Column) -> dict[str, Column]:
    later = Vector(Columns(0, {})).visit_add_workdays(node, day, count)
    passed = np.zeros(len(later), bool)
    for holiday in node.holidays:
        passed |= (day < holiday) & (holiday <= later)
    return {
        "zero": count == 0,
        "positive": count > 0,
        "from a holiday": np.isin(day, node.holidays),
        "from a weekend": (day - 1) % 7 >= 5,
        "over a holiday": passed,
    }


def _later_edges(
    node: nodes.AddDays | nodes.AddMonths, day: Column, count: Column
) -> tuple[str, str, Edges]:
    edges: dict[str, Column] = {
        "zero": count == 0,
        "negative": count < 0,
        "positive": count > 0,
        "from a leap day": _at(_IS_LEAP_DAY, day),
        "from a month end": _at(_IS_MONTH_END, day),
    }
    if isinstance(node, nodes.AddDays):
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
    return isinstance(bare, nodes.Arithmetic) and bare.operation is Operation.MULTIPLY


def _bare(node: Expression) -> Expression:
    return node.operand if isinstance(node, nodes.Rescale) else node


def _arithmetic_name(node: nodes.Arithmetic) -> str:
    if node.operation is Operation.MULTIPLY and node.left is node.right:
        return "a ** n"
    is_zero = isinstance(node.left, nodes.Constant) and not node.left.name and node.left.value == 0
    return "-a" if is_zero and node.operation is Operation.SUBTRACT else f"{node.operation}"


def _quotient_name(node: nodes.Quotient) -> str:
    if isinstance(_bare(node.left), nodes.Aggregate) and isinstance(
        _bare(node.right), nodes.Outermost
    ):
        return "average of items"
    is_written = isinstance(node.right, nodes.Constant) and not node.right.name
    kind = require_number_type(node.right)
    is_one = is_written and kind.minimum == 10**kind.places
    return f"{node.rounding}(a)" if is_one else f"{node.rounding}(a / b)"


def _compared_word(node: nodes.Compare) -> str:
    if isinstance(node.left.type, NumberType):
        return _numbers_word(node.left, node.right)
    return word_of(node.left.type)


def _numbers_word(*operands: Expression) -> str:
    """Return "integer" or "number", or "mixed" where a scale was laid around an operand."""
    if all(isinstance(node.type, EnumType) for node in operands):
        return "enum"
    if not all(isinstance(node.type, NumberType) for node in operands):
        return "condition"
    if any(isinstance(node, nodes.Rescale) for node in operands):
        return "mixed"
    places = {node.type.places for node in operands if isinstance(node.type, NumberType)}
    return "integer" if places == {0} else "number"


def _result_word(kind: ValueType) -> str:
    if isinstance(kind, NumberType):
        return "number" if kind.places else "integer"
    return "date" if isinstance(kind, DateType) else word_of(kind)
