"""The quantities of a text: figures and numbers in words, with their units."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from itertools import pairwise

from text_to_num import find_numbers

from sopforge.authors.sources.prose.units import (
    ANY,
    Unit,
    is_money,
    is_span,
    read_multiple,
    read_unit,
)
from sopforge.language.english.nouns import pluralize, singularize
from sopforge.morphology import is_plural_word

_MONTH_NAMES = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
_MONTHS = {
    spelled: number
    for number, name in enumerate(_MONTH_NAMES, start=1)
    for spelled in (name, name[:3])
}
_MONTH = "|".join(re.escape(name) for name in sorted(_MONTHS, key=len, reverse=True))
_TH = "(?:st|nd|rd|th)?"
_ISO = r"(?<!\d)(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?!\d)"
_DAYS = (
    re.compile(_ISO),
    re.compile(
        rf"(?<![\d.,])(?P<d>\d\d?){_TH}(?: of)? (?P<m>{_MONTH})(?:,? (?P<y>\d{{4}}))?(?!\w)"
    ),
    re.compile(rf"\b(?P<m>{_MONTH}) (?P<d>\d\d?){_TH}(?!\d)(?:,? (?P<y>\d{{4}}))?(?!\w)"),
)
_CLOCK = re.compile(r"(?<![\d.:])([01]?\d|2[0-4])[:.]([0-5]\d)(?!\d)(?:\s?([ap])\.?m\b)?")
_HOUR = re.compile(r"(?<![\d.:])(1[0-2]|\d)()\s?([ap])\.?m\b")
_DIGITS = r"\d{1,3}(?:[,'\u2009\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_FIGURE = re.compile(
    rf"(?:(?<![\w.,/-])|(?<=EUR)|(?<=USD)|(?<=GBP))([-\u2212]?)({_DIGITS})"
    r"(%|[a-zA-Z]{1,3}(?!\w))?(?!\w|[.,:/]\d)"
)
_SEPARATOR = re.compile(r"[,'\u2009\u202f]")
_CURRENCY_BEFORE = re.compile(r"(€|\$|£|[A-Z]{3})\s?$")
_AFTER = re.compile(r"[\s-]?([a-zA-Z€$£%]+)(?:[\s-]([a-zA-Z]+))?")
_PLACES = "section step chapter page table annex appendix paragraph clause article form version"
_POINTER = re.compile(
    rf"(?:\b(?:{'|'.join(_PLACES.split())})s? (?:no\.? )?|§ ?)\d[\d.]*(?:(?:, | and | or |-)\d+)*",
    re.IGNORECASE,
)
_PERCENT = read_unit("percent")
_SHARES: dict[str, tuple[int | Fraction, Unit]] = {
    "half": (50, _PERCENT),
    "third": (Fraction(100, 3), _PERCENT),
    "two thirds": (Fraction(200, 3), _PERCENT),
    "quarter": (25, _PERCENT),
    "three quarters": (75, _PERCENT),
    "tenth": (10, _PERCENT),
    "twice": (2, ANY),
    "double": (2, ANY),
    "triple": (3, ANY),
}
_SHARE = re.compile(rf"\b({'|'.join(sorted(_SHARES, key=len, reverse=True))})\b", re.IGNORECASE)
_ONE = re.compile(r"\b(?:an?|the) ([a-zA-Z]+)\b", re.IGNORECASE)
_RANGE = re.compile(r"\s*(?:to|or|-|\u2013)\s*")
_WORD = re.compile(r"[A-Za-z]+")
_YEARS = range(1800, 2100)
_SMALL = 10


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount, with the words that say it and where they stand.

    That of a day is its number, and ``is_day``; without a year it is 100 months + day, and
    ``is_yearless``. One that ``is_small`` may be a figure of a model and need not: zero, a number
    up to ten in words without a unit, an ordinal, a share such as "half", or a year.
    """

    value: Fraction
    unit: Unit
    text: str
    start: int
    end: int
    is_day: bool = False
    is_yearless: bool = False
    is_small: bool = False


def read_quantities(text: str, names: Sequence[str] = ()) -> tuple[Quantity, ...]:
    """Return the quantities of a text in their order; figures within ``names`` are none.

    Nor are numbers of sections, steps and the like.

    >>> [(q.text, int(q.value)) for q in read_quantities("Within 1,500 km, or thirty-five days.")]
    [('1,500 km', 1500), ('thirty-five days', 35)]
    """
    masked = plain = _POINTER.sub(_blank, _remove_names(text, names))
    found: list[Quantity] = []
    for read in (_read_days, _read_times, _read_figures, _read_words):
        for item in list(read(masked)):
            found.append(item)
            masked = masked[: item.start] + " " * (item.end - item.start) + masked[item.end :]
    found += _read_shares(plain)
    ordered = sorted(found, key=lambda item: (item.start, item.end))
    return tuple(_add_units(ordered, text))


def remove_numbers(text: str, numbers: Sequence[str]) -> str:
    """Return a text of the same length without numbers of paragraphs that it refers to.

    >>> remove_numbers("As 3.1 says, 3.1 kg.", ["3.1"])
    'As     says, 3.1 kg.'
    """
    for number in numbers:
        pattern = re.compile(rf"(?<![\w.]){re.escape(number)}(?!\w|\.\d|\s?%)")
        for found in pattern.finditer(text):
            if _find_unit(text, found.end())[0] == ANY:
                text = text[: found.start()] + " " * len(number) + text[found.end() :]
    return text


def _remove_names(text: str, names: Sequence[str]) -> str:
    """Return a text of the same length in which names with figures are blank."""
    for name in sorted(names, key=len, reverse=True):
        if any(mark.isdigit() for mark in name):
            # The label "4 weeks" is that of a "4-week" permit.
            forms = sorted(filter(None, {name, pluralize(name), singularize(name)}), reverse=True)
            words = "|".join(re.escape(form).replace(r"\ ", "[ -]") for form in forms)
            text = re.sub(rf"(?<!\w)(?:{words})(?!\w)", _blank, text, flags=re.IGNORECASE)
    return text


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _read_days(text: str) -> Iterator[Quantity]:
    for found in (found for pattern in _DAYS for found in pattern.finditer(text)):
        month, year = _MONTHS.get(found["m"]) or int(found["m"]), found["y"]
        try:
            known = date(int(year or 2000), month, int(found["d"]))
        except ValueError:  # no such day, which is then two figures
            continue
        value = Fraction(known.toordinal() if year else 100 * month + known.day)
        place = (found[0], *found.span())
        yield Quantity(value, ANY, *place, is_day=True, is_yearless=not year)


def _read_times(text: str) -> Iterator[Quantity]:
    minutes = read_unit("minutes")
    for found in (*_CLOCK.finditer(text), *_HOUR.finditer(text)):
        hours, half = int(found[1]), found[3]
        if "." in text[found.start() : found.start(2)] and not half:
            continue
        hours = hours % 12 + (12 if half == "p" else 0) if half else hours
        value = Fraction(60 * hours + int(found[2] or 0))
        yield Quantity(value, minutes, found[0], *found.span())


def _read_figures(text: str) -> Iterator[Quantity]:
    for found in _FIGURE.finditer(text):
        sign, digits, glued = found[1], _SEPARATOR.sub("", found[2]), found[3] or ""
        value, start, end = Fraction(digits) * (-1 if sign else 1), found.start(), found.end()
        if glued in {"st", "nd", "rd", "th"}:
            yield Quantity(value, ANY, found[0], start, end, is_small=True)
            continue
        before = _CURRENCY_BEFORE.search(text, 0, start)
        # "96 EUR 8" are two cells of a table.
        is_prefix = before and not text[: before.start()].rstrip()[-1:].isdigit()
        if before and is_prefix and is_money(read_unit(before[1])):
            value *= read_multiple(glued) if glued else 1
            value, end = _multiply(text, value, end)
            yield _make(text, value, read_unit(before[1]), before.start(), end)
        elif not glued:
            yield _with_unit(text, value, start, end)
        elif read_unit(glued) != ANY:
            yield _make(text, value, read_unit(glued), start, end)


def _multiply(text: str, value: Fraction, end: int) -> tuple[Fraction, int]:
    """Return a value with the "thousand" or "million" after it, and where that ends."""
    after = re.compile(r"\s(thousand|million)\b").match(text, end)
    return (value * read_multiple(after[1]), after.end()) if after else (value, end)


def _with_unit(text: str, value: Fraction, start: int, end: int) -> Quantity:
    """Return a quantity with the unit that stands after its figure."""
    value, end = _multiply(text, value, end)
    unit, end = _find_unit(text, end)
    return _make(text, value, unit, start, end)


def _find_unit(text: str, end: int) -> tuple[Unit, int]:
    """Return the unit after a place, of one word or of two, and where it ends."""
    after = _AFTER.match(text, end)
    for group in (1, 2) if after else ():
        if after and after[group]:
            unit = read_unit(text[after.start(1) : after.end(group)])
            if unit != ANY:
                return unit, after.end(group)
    return ANY, end


def _make(text: str, value: Fraction, unit: Unit, start: int, end: int) -> Quantity:
    is_year = unit == ANY and value in _YEARS and "," not in text[start:end]
    return Quantity(value, unit, text[start:end], start, end, is_small=is_year or not value)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word as the reader of numbers takes it."""

    word: str
    start: int
    is_apart: bool

    def text(self) -> str:
        return self.word.lower()

    def not_a_number_part(self) -> bool:
        return False

    def nt_separated(self, previous: object) -> bool:
        del previous
        return self.is_apart


def _read_words(text: str) -> Iterator[Quantity]:
    words: list[_Word] = []
    end = 0
    for found in _WORD.finditer(text):
        is_apart = bool(text[end : found.start()].strip(" \n-"))
        words.append(_Word(found[0], found.start(), is_apart))
        end = found.end()
    for number in find_numbers(words, "en", 0):
        start, last = words[number.start].start, words[number.end - 1]
        value, end = Fraction(str(number.value)), last.start + len(last.word)
        item = _with_unit(text, value, start, end)
        is_small = number.is_ordinal or value <= 1 or (value <= _SMALL and item.unit == ANY)
        # An ordinal before a figure, as in "the first 40 EUR", leaves the figure as it is.
        yield replace(item, is_small=item.is_small or is_small)


def _read_shares(text: str) -> Iterator[Quantity]:
    for found in _SHARE.finditer(text):
        value, unit = _SHARES[found[0].lower()]
        yield Quantity(Fraction(value), unit, found[0], *found.span(), is_small=True)
    for found in _ONE.finditer(text):
        unit = read_unit(found[1])
        if is_span(unit) and not is_plural_word(found[1].lower()):
            yield Quantity(Fraction(1), unit, found[0], *found.span(), is_small=True)


def _add_units(found: Sequence[Quantity], text: str) -> Iterator[Quantity]:
    """Yield quantities, the first of a range with the unit of the second if it has none."""
    for item, after in pairwise([*found, None]):
        if item and after and item.unit == ANY and not (item.is_day or item.is_small):
            gap = text[item.end : after.start]
            is_between = gap.strip() == "and" and text[: item.start].lower().endswith("between ")
            is_range = is_between or _RANGE.fullmatch(gap)
            yield replace(item, unit=after.unit) if is_range else item
        elif item:
            yield item
