"""Units as people write them, and how many of a basic unit each is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from sopforge.morphology import singularize_word

_MINUTES, _MONTHS, _WORKDAYS, _PERCENT = "minutes", "months", "working days", "percent"
_TABLE = {
    _MINUTES: "second=1/60 minute=1 min=1 hour=60 hr=60 h=60 day=1440 night=1440 week=10080"
    " fortnight=20160",
    _MONTHS: "month=1 quarter=3 year=12",
    _WORKDAYS: "workday=1",
    _PERCENT: "percent=1 percentage=1 pct=1 %=1",
    "grams": "mg=1/1000 g=1 gram=1 kg=1000 kilogram=1000 kilo=1000 tonne=1000000 t=1000000",
    "metres": "mm=1/1000 millimetre=1/1000 millimeter=1/1000 cm=1/100 centimetre=1/100"
    " centimeter=1/100 m=1 metre=1 meter=1 km=1000 kilometre=1000 kilometer=1000",
    "EUR": "eur=1 euro=1 €=1",
    "USD": "usd=1 dollar=1 $=1 us$=1",
    "GBP": "gbp=1 pound=1 £=1 p=1/100 penny=1/100 pence=1/100",
    "CHF": "chf=1 franc=1",
    **{name.upper(): f"{name}=1" for name in "sek nok dkk pln czk jpy inr aud".split()},  # noqa: SIM905 - a list of words
}
"""The units of each measure, with how many of its basic unit each of them is."""
_MULTIPLES = {"k": 1_000, "thousand": 1_000, "m": 1_000_000, "million": 1_000_000}
_WORKING = re.compile(r"(?:working|business|bank|week)[ -]?days?$")
_ADJECTIVE = re.compile(r"^(?:calendar|full|whole|complete|clear|consecutive|further|more)[ -]")
_DAYS_A_YEAR = (Fraction(365), Fraction(366))


@dataclass(frozen=True, slots=True)
class Unit:
    """So many of a basic unit; the empty one is of no known measure, and may be any."""

    measure: str = ""
    factor: Fraction = Fraction(1)


ANY = Unit()
_UNITS = {
    word: Unit(measure, Fraction(factor))
    for measure, listed in _TABLE.items()
    for word, _, factor in (entry.partition("=") for entry in listed.split())
}


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
    return _UNITS.get(word) or _UNITS.get(singularize_word(word), ANY)


def is_money(unit: Unit) -> bool:
    """Return whether a unit is a currency."""
    return unit.measure.isupper()


def is_span(unit: Unit) -> bool:
    """Return whether a unit is one of time."""
    return unit.measure in {_MINUTES, _MONTHS}


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
