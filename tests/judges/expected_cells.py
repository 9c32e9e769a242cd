"""Which operators a run should apply, to which types, at which edges."""

from __future__ import annotations

from collections import Counter
from itertools import product

from tests.generators.expressions import RELATIONS
from tests.judges.cells import Cell

_AROUND = ("boundary", "one below", "one above")
_SIGNS = ("negative", "zero")
_TIES = ("tie", "negative tie", "below a tie", "above a tie", "exact", "negative", "zero")
_MET = ("empty list", "full list", "none meets", "one meets", "some meet", "all meet")
_TIMES = ("midnight", "last minute", "leap day")
_HELD = ("none holds", "one holds", "several hold", "the last holds", "otherwise")
_OF_ONE_ITEM = tuple(f"{name} of items" for name in ("min", "max", "first", "last", "median"))
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
    _all(RELATIONS[2:], ("enum", "item enum"), _AROUND),
    _all(RELATIONS, ("integer", "number", "date", "date-time", "enum"), ("missing",)),
    _all(("==", "!="), ("text",), ("missing",)),
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
    _all(
        ("floor(a / b)", "ceiling(a / b)"),
        ("integer", "number"),
        ("below a tie", "above a tie", "exact", "negative", "zero"),
    ),
    _all(("floor(a)", "ceiling(a)"), ("number",), ("above a tie", "exact", "negative", "zero")),
    _all(("floor(a / b)", "ceiling(a / b)"), ("integer",), ("large",)),
    _all(("remainder",), ("integer", "number"), ("negative", "zero", "exact", "rest")),
    _all(("a ** n",), ("integer", "number"), _SIGNS),
    _all(("average of items",), ("integer", "number"), (*_TIES,)),
    _all(("abs",), ("integer", "number"), _SIGNS),
    {("abs", "integer", "large")},
    _all(("min", "max"), ("integer", "number", "mixed"), (*_SIGNS, "equal")),
    _all(("min", "max"), ("integer",), ("large",)),
    _all(("min", "max"), ("enum",), ("equal",)),
    _all(_OF_ONE_ITEM, ("enum",), _MET),
    _all(("hit collect min", "hit collect max"), ("enum",), _HELD),
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
    _all(
        ("add_workdays",),
        ("date",),
        ("zero", "positive", "from a holiday", "from a weekend", "over a holiday"),
    ),
    _all(
        ("add_minutes", "add_hours", "add_days"),
        ("date-time",),
        ("same", "negative", "positive", "over midnight"),
    ),
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
    _all(("sum of items", *_OF_ONE_ITEM), ("integer", "number"), (*_MET, "negative")),
    _all(("any of items", "all of items"), ("condition",), _MET),
    _all(("a list of items",), ("items",), (*_MET, "kept after one left out")),
    _all(
        ("a part of an item",),
        ("integer", "number", "boolean", "enum", "set", "date", "date-time", "text"),
        ("kept",),
    ),
    {(f"hit {policy}", "integer", edge) for policy in _POLICIES for edge in _HELD},
    {("hit priority", "enum", edge) for edge in _HELD},
    {("hit collect union", "set", edge) for edge in _HELD},
    {("hit unique", "integer", edge) for edge in _HELD if edge != "several hold"},
    _all(("hit first",), ("number", "enum", "boolean", "date", "set"), ("one holds", "otherwise")),
)


def gaps(found: Counter[Cell]) -> list[Cell]:
    """Return the cells that should occur and did not."""
    return sorted(EXPECTED - set(found))
