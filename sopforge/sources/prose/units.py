"""Units as people write them, and how many of a basic unit each is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

_MINUTES, _MONTHS, _WORKDAYS = "minutes", "months", "working days"
_PERCENT, _GRAMS, _METRES = "percent", "grams", "metres"

_UNITS: dict[str, tuple[str, Fraction]] = {
    "second": (_MINUTES, Fraction(1, 60)),
    "minute": (_MINUTES, Fraction(1)),
    "min": (_MINUTES, Fraction(1)),
    "hour": (_MINUTES, Fraction(60)),
    "hr": (_MINUTES, Fraction(60)),
    "h": (_MINUTES, Fraction(60)),
    "day": (_MINUTES, Fraction(1440)),
    "night": (_MINUTES, Fraction(1440)),
    "week": (_MINUTES, Fraction(10080)),
    "fortnight": (_MINUTES, Fraction(20160)),
    "month": (_MONTHS, Fraction(1)),
    "quarter": (_MONTHS, Fraction(3)),
    "year": (_MONTHS, Fraction(12)),
    "workday": (_WORKDAYS, Fraction(1)),
    "percent": (_PERCENT, Fraction(1)),
    "percentage": (_PERCENT, Fraction(1)),
    "pct": (_PERCENT, Fraction(1)),
    "%": (_PERCENT, Fraction(1)),
    "mg": (_GRAMS, Fraction(1, 1000)),
    "g": (_GRAMS, Fraction(1)),
    "gram": (_GRAMS, Fraction(1)),
    "kg": (_GRAMS, Fraction(1000)),
    "kilogram": (_GRAMS, Fraction(1000)),
    "kilo": (_GRAMS, Fraction(1000)),
    "tonne": (_GRAMS, Fraction(1_000_000)),
    "t": (_GRAMS, Fraction(1_000_000)),
    "mm": (_METRES, Fraction(1, 1000)),
    "millimetre": (_METRES, Fraction(1, 1000)),
    "millimeter": (_METRES, Fraction(1, 1000)),
    "cm": (_METRES, Fraction(1, 100)),
    "centimetre": (_METRES, Fraction(1, 100)),
    "centimeter": (_METRES, Fraction(1, 100)),
    "m": (_METRES, Fraction(1)),
    "metre": (_METRES, Fraction(1)),
    "meter": (_METRES, Fraction(1)),
    "km": (_METRES, Fraction(1000)),
    "kilometre": (_METRES, Fraction(1000)),
    "kilometer": (_METRES, Fraction(1000)),
}
_MONEY = {
    **dict.fromkeys(("eur", "euro", "€"), "EUR"),
    **dict.fromkeys(("usd", "dollar", "$", "us$"), "USD"),
    **dict.fromkeys(("gbp", "pound", "£"), "GBP"),
    **dict.fromkeys(("chf", "franc"), "CHF"),
    **{name: name.upper() for name in ("sek", "nok", "dkk", "pln", "czk", "jpy", "inr", "aud")},
}
_PENCE = frozenset({"p", "penny", "pence"})
_MULTIPLES = {"k": 1_000, "thousand": 1_000, "m": 1_000_000, "million": 1_000_000, "mn": 1_000_000}
_WORKING = re.compile(r"(?:working|business|bank|week)[ -]?days?$")
_ADJECTIVE = re.compile(r"^(?:calendar|full|whole|complete|clear|consecutive|further|more)[ -]")
_DAYS_A_YEAR = (Fraction(365), Fraction(366))


@dataclass(frozen=True, slots=True)
class Unit:
    """So many of a basic unit; the empty one is of no known measure, and may be any."""

    measure: str = ""
    factor: Fraction = Fraction(1)


ANY = Unit()


def read_unit(text: str) -> Unit:
    """Return the unit of a word or two, with which others can be compared.

    >>> read_unit("weeks").measure, read_unit("business days").measure, read_unit("points")
    ('minutes', 'working days', Unit(measure='', factor=Fraction(1, 1)))
    """
    plain = text.lower().strip(" .")
    if _WORKING.search(plain):
        return Unit(_WORKDAYS)
    if re.search(r"\bper ?cent\b", plain):
        return Unit(_PERCENT)
    word = re.split(r"[ -]", _ADJECTIVE.sub("", plain))[0]
    for name in dict.fromkeys((word, word.removesuffix("s"))):
        if name in _UNITS:
            return Unit(*_UNITS[name])
        if name in _MONEY:
            return Unit(_MONEY[name])
        if name in _PENCE:
            return Unit(_MONEY["gbp"], Fraction(1, 100))
    return ANY


def read_multiple(word: str) -> int:
    """Return by how much a word after a figure multiplies it, 1 if it is none."""
    return _MULTIPLES.get(word.lower(), 1)


def are_same_amount(value: Fraction, unit: Unit, other: Fraction, of: Unit) -> bool:
    """Return whether two figures with their units may be one amount.

    >>> are_same_amount(Fraction(2), read_unit("weeks"), Fraction(14), read_unit("days"))
    True
    >>> are_same_amount(Fraction(30), read_unit("days"), Fraction(30), read_unit("hours"))
    False
    """
    if unit.measure == of.measure:
        return value * unit.factor == other * of.factor
    measures = {unit.measure, of.measure}
    if "" in measures:
        percent = _PERCENT in measures
        return value == other or (percent and _is_share(value, unit, other))
    if measures == {_MINUTES, _MONTHS}:
        return _is_year_of_days(value * unit.factor, unit, other * of.factor)
    return False


def _is_share(value: Fraction, unit: Unit, other: Fraction) -> bool:
    """Return whether a percentage is a share of one."""
    percent, share = (value, other) if unit.measure == _PERCENT else (other, value)
    return percent == share * 100


def _is_year_of_days(value: Fraction, unit: Unit, other: Fraction) -> bool:
    """Return whether months are so many years, counted in days."""
    months, minutes = (value, other) if unit.measure == _MONTHS else (other, value)
    return minutes / 1440 in {months / 12 * days for days in _DAYS_A_YEAR}
