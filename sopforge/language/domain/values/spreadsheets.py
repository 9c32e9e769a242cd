"""What a spreadsheet makes of a CSV file's cell when it opens the file.

The rules are those that Excel and LibreOffice share for an English locale, and where they differ
the one that changes more: a cell that stays text here stays text in both.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache
from typing import TypeAlias

DIGITS_KEPT = 15
_FIRST_DAY = date(1900, 3, 1)
_MOST_DAYS = 31
_MONTHS_A_YEAR = 12
_YEARS = range(1900, 10_000)
_SHORT_YEARS = 100
# Excel and LibreOffice both take 29 for 2029 and 30 for 1930.
_PIVOT = 30

_DIGITS = "0123456789"
_MARKS: tuple[tuple[str, ...], ...] = ((), ("- .",))

_NUMBER = re.compile(
    r"[-+]?[$€£]?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)?(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?\s?%?"
)
_FRACTION = re.compile(r"[-+]?(?:[0-9]+ )?[0-9]+/[0-9]+")
_IN_BRACKETS = re.compile(r"\((.*)\)")
_NUMERIC_DATE = re.compile(r"([0-9]{1,4})([-/.])([0-9]{1,4})(?:[-/.]([0-9]{1,4}))?")
_MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
MONTH_WORDS = (*_MONTH_NAMES, *(name[:3] for name in _MONTH_NAMES if name != "may"), "sept")
_MONTH = "|".join(sorted(MONTH_WORDS, key=len, reverse=True))
_NAMED_DATE = re.compile(
    rf"(?:(?P<before>[0-9]{{1,2}})[-/ .]?)?(?P<month>{_MONTH})\.?"
    r"(?:[-/ .]?(?P<after>[0-9]{4}|[0-9]{1,2}))?(?:(?:[-/ ]|, ?)(?P<year>[0-9]{4}|[0-9]{2}))?",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"(?P<hour>[0-9]{1,4})(?::(?P<minute>[0-9]{1,2})(?::[0-9]{1,2}(?:\.[0-9]+)?)?(?: ?[ap]m?)?"
    r"| (?P<half>[ap]m?))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Formula:
    """A cell that is worked out, and no longer says what the file said."""

    text: str


TakenUp: TypeAlias = str | bool | float | date | datetime | time | Formula


def convert_cell(cell: str) -> TakenUp:
    """Return what a cell becomes; numbers keep their first 15 digits."""
    readers: tuple[Callable[[str], TakenUp | None], ...] = (
        # The first that reads it counts: +5 and -5 are numbers, though they begin as formulas do.
        *(_parse_boolean, _parse_number, _parse_formula),
        *(_parse_named_date, _parse_numeric_date, _parse_time, _parse_moment),
    )
    taken = (read(cell) for read in readers)
    return next((value for value in taken if value is not None), cell)


def describe_spreadsheet_change(text: str) -> str:
    """Say what a spreadsheet takes a text for, or nothing where it stays text."""
    match convert_cell(text):
        case str():
            return ""
        case Formula():
            return "starts a formula in a spreadsheet"
        case bool() | float():
            return "is read as a number or a boolean by spreadsheets"
        case _:
            return "is read as a date or a time by spreadsheets"


@cache
def list_date_shapes() -> tuple[tuple[str, ...], ...]:
    """Return the alphabets, place by place, of short texts that are read as dates or times."""
    any_digits = (_DIGITS, _DIGITS)
    years = (("2", "0", *any_digits), ("1", "9", *any_digits))
    numbers = (any_digits[:1], any_digits, *years)
    names = [tuple(letter + letter.upper() for letter in word) for word in MONTH_WORDS]
    shapes = [(*a, "-", *b) for a in numbers for b in numbers]
    shapes += [(*a, "-.", *b, "-.", *c) for a in numbers for b in numbers for c in numbers]
    for name in names:
        for number in numbers:
            shapes += [(*name, *mark, *number) for mark in _MARKS]
            shapes += [(*number, *mark, *name) for mark in _MARKS]
    shapes += [(*number, " ", "aApP", *m) for number in numbers[:2] for m in ((), ("mM",))]
    return tuple(shapes)


def _parse_boolean(cell: str) -> bool | None:
    return {"true": True, "false": False}.get(cell.strip().lower())


def _parse_number(cell: str) -> float | None:
    inner = _IN_BRACKETS.fullmatch(cell)
    text = inner[1] if inner else cell
    if _FRACTION.fullmatch(text) and " " in text:
        return float("nan")  # which one does not matter: the text is gone
    if not _NUMBER.fullmatch(text) or not any(letter.isdigit() for letter in text):
        return None
    plain = re.sub(r"[$€£,%\s]", "", text)
    if not re.match(r"[-+]?\.?[0-9]", plain):
        return None
    value = float(f"{float(plain):.{DIGITS_KEPT}g}")
    return (-value if inner else value) / (100 if "%" in text else 1)


def _parse_formula(cell: str) -> Formula | None:
    return Formula(cell) if cell[:1] in {"=", "+", "-", "@"} else None


def _parse_numeric_date(cell: str) -> date | None:
    found = _NUMERIC_DATE.fullmatch(cell)
    if found is None:
        return None
    first, second = int(found[1]), int(found[3])
    orders = [(2000, first, second), (2000, second, first), (second, first, 1)]
    orders += [(first, second, 1)] if first in _YEARS else []
    if found[4] is not None:
        third = int(found[4])
        orders = [(first, second, third), (third, first, second), (third, second, first)]
    elif found[2] == ".":
        return None
    return next((day for order in orders if (day := _make_day(*order)) is not None), None)


def _parse_named_date(cell: str) -> date | None:
    found = _NAMED_DATE.fullmatch(cell)
    if found is None or not (found["before"] or found["after"]):
        return None
    month = 1 + [name[:3] for name in _MONTH_NAMES].index(found["month"][:3].lower())
    if found["before"]:
        year = int(found["year"] or found["after"] or 2000)
        return _make_day(year, month, int(found["before"])) or _make_day(
            int(found["before"]), month, 1
        )
    after = int(found["after"])
    return _make_day(int(found["year"] or 2000), month, after) or _make_day(after, month, 1)


def _make_day(year: int, month: int, day: int) -> date | None:
    """Return a day that spreadsheets know, the year in two digits or four."""
    if year < _SHORT_YEARS:
        year += 2000 if year < _PIVOT else 1900
    if year not in _YEARS or not (1 <= month <= _MONTHS_A_YEAR and 1 <= day <= _MOST_DAYS):
        return None
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    return found if found >= _FIRST_DAY else None


def _parse_time(cell: str) -> time | None:
    found = _TIME.fullmatch(cell)
    if found is None:
        return None
    # 25:70 is a time of day to a spreadsheet too; which one does not matter, for the text is gone.
    return time(int(found["hour"]) % 24, int(found["minute"] or 0) % 60)


def _parse_moment(cell: str) -> datetime | None:
    day, _, hour = cell.partition(" ")
    found = _parse_numeric_date(day), _parse_time(hour)
    return None if found[0] is None or found[1] is None else datetime.combine(found[0], found[1])
