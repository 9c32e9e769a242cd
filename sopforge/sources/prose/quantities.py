"""The quantities of a text: figures and numbers in words, with their units."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from text_to_num import find_numbers

from sopforge.sources.prose.units import ANY, Unit, read_multiple, read_unit

_CURRENCY = r"(?:€|\$|£|EUR|USD|GBP|CHF)"
_FIGURE = re.compile(
    rf"(?P<money>(?<!\d )(?<!\d){_CURRENCY}\s?)?(?<![\w.,-])(?P<sign>[-\u2212])?"
    r"(?P<digits>\d{1,3}(?:[,'\u2009\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?P<glued>%|(?:st|nd|rd|th)(?!\w)|[kKmM](?!\w)|[a-zA-Z]{1,3}(?!\w))?(?![\w]|[.,:]\d)"
)
_MONTHS = {
    name: number
    for number, names in enumerate(
        [
            "jan january",
            "feb february",
            "mar march",
            "apr april",
            "may",
            "jun june",
            "jul july",
            "aug august",
            "sep sept september",
            "oct october",
            "nov november",
            "dec december",
        ],
        start=1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"(?P<iso>\d{{4}}-\d\d-\d\d)"
    rf"|(?<![\d.,])(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m>{_MONTH})\.?"
    r"(?:,? (?P<y>\d{4}))?(?!\w)"
    rf"|(?P<m2>{_MONTH})\.? (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,? (?P<y2>\d{{4}}))?(?!\w)",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"(?<![\d.:])(?P<h>[01]?\d|2[0-4])[:.](?P<m>[0-5]\d)(?![\d%])(?:\s?(?P<half>[ap])\.?m\b)?"
    r"|(?<![\d.:])(?P<h2>1[0-2]|\d)\s?(?P<half2>[ap])\.?m\b|\b(?P<word>noon|midnight)\b"
)
_POINTING = r"\b(?:see|SOP|even|even if|case for|as in|like in) "
_OF_MONTH = re.compile(rf"\s+(?:of\s+)?({_MONTH})\b", re.IGNORECASE)
_LEAST, _CENTS = 4, 100
_NEXT = re.compile(r"\bthe (?P<unit>day|week|month|year) (?:before|after)\b", re.IGNORECASE)
_POINTED = re.compile(
    r"\b(?:sections?|steps?|chapters?|pages?|tables?|annex(?:es)?|appendix|paragraphs?|figures?"
    r"|clauses?|articles?|forms?|versions?|§)\s+(?:no\.?\s*)?\d+(?:\.\d+)*"
    r"(?:(?:\s*(?:,|and|or|to|-)\s*)\d+(?:\.\d+)*)*|§\s?\d+(?:\.\d+)*",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\s-]?(?P<unit>(?:(?:calendar|working|business|bank|full|whole|complete|clear|consecutive"
    r"|further|more) ?-?)?"
    r"(?:per cent|[a-zA-Z€$£%]+))"
)
_RANGE = re.compile(r"\s*(?:to|or|-|\u2013|by)\s*$")
_BETWEEN = re.compile(r"\bbetween\s*$", re.IGNORECASE)
_SPAN = r"(?:minute|hour|day|week|fortnight|month|quarter|year)\b"
_A_SPAN = re.compile(rf"(?<=\bwithin )an? (?={_SPAN})|(?<= than )an? (?={_SPAN})", re.IGNORECASE)
_A_SPAN_MORE = re.compile(
    rf"\ban? (?={_SPAN} (?:more|less|longer|shorter|earlier|later|older|younger|extra)\b)",
    re.IGNORECASE,
)
_AGE = re.compile(r"\b(?:ages?(?: of)?|aged)\s+$", re.IGNORECASE)
_FRACTION = re.compile(
    r"\b(?P<many>an?|one|two|three|four|five|seven|nine) "
    r"(?P<part>halves|half|thirds?|quarters?|fifths?|eighths?|tenths?|hundredths?)"
    r"(?: of)? $",
    re.IGNORECASE,
)
_PARTS = {
    "hal": 2, "thi": 3, "qua": 4, "fif": 5, "eig": 8, "ten": 10, "hun": 100,
}  # fmt: skip
_SHARE = re.compile(
    r"(?<!within )(?<!within a )(?<!than )(?<!than a )"
    r"\b(?:(?P<many>two|three|four|five|seven|nine)[ -]"
    r"(?P<parts>halves|thirds|quarters|fifths|eighths|tenths)"
    r"|(?:an? |one[ -])?(?P<part>half|third|quarter))\b(?! (?:year|month|hour|day|ones?)\b)",
    re.IGNORECASE,
)
_TIMES = re.compile(r"\b(?P<word>once|twice|thrice|double|triple)\b", re.IGNORECASE)
_TIMES_ARE = {"once": 1, "twice": 2, "thrice": 3, "double": 2, "triple": 3}
_SEASON = re.compile(r"(?<!\d)(?P<first>(?:18|19|20)\d\d)[/\u2013-]\d\d(?!\d|[/-])")
_MANY = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "seven": 7}
_WORD = re.compile(r"[A-Za-z]+")
_YEARS = range(1800, 2100)
_SINCE = re.compile(
    r"\b(?:in|since|of|year|until|till|spring|summer|autumn|winter|from) $", re.IGNORECASE
)
_NAMED = re.compile(r"[a-z,] $")
_SMALL = 10
_MEASURES = (
    "percent|per cent|days?|hours?|weeks?|months?|years?|minutes?|EUR|USD|GBP|kg|g|km|m|cm|mm|t"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount, with the words that say it and where they stand.

    That of a day is its number, and ``is_day``; without a year it is 100 months + day, and
    ``is_yearless``. One that ``is_small`` is a number up to ten in words without a unit, "one", or
    a year in which something happened: a model may have it, and need not.
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
    masked = _remove_seasons(remove_names(text, names))
    found: list[Quantity] = []
    for read in (_read_dates, _read_times, _read_figures, _read_shares, _read_words):
        for item in read(masked):
            found.append(item)
            masked = _remove_stretch(masked, item.start, item.end)
    ordered = _join_days(_join_money(sorted(found, key=lambda item: item.start), text), text)
    shared = (
        _add_unit(item, after, text)
        for item, after in _pair_with_next(ordered)
        if not _is_before_figure(item, after, text)
    )
    return tuple(_mark_year(_mark_age(_take_part(item, text), text), text) for item in shared)


def remove_names(text: str, names: Sequence[str]) -> str:
    """Return a text of the same length in which names with figures, and pointers, are blank."""
    masked = text
    for name in sorted({name for name in names if re.search(r"\d", name)}, key=len, reverse=True):
        # The label "4 weeks" is that of a "4-week" permit.
        words = re.escape(name).replace(r"\ ", "[ -]").removesuffix("s")
        pattern = re.compile(rf"(?<!\w){words}s?(?!\w)", re.IGNORECASE)
        masked = pattern.sub(lambda found: " " * len(found[0]), masked)
    return _POINTED.sub(lambda found: " " * len(found[0]), masked)


def remove_numbers(text: str, numbers: Sequence[str]) -> str:
    """Return a text of the same length without numbers of paragraphs that it refers to.

    A figure with a unit is none, though it looks like one.
    """
    for number in sorted(numbers, key=len, reverse=True):
        pattern = re.compile(
            rf"(?<![\w.]){re.escape(number)}(?![\w]|\.\d|\s?%|\s(?:{_MEASURES})\b)"
        )
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    return text


def remove_pointers(text: str, numbers: Sequence[str]) -> str:
    """Return a text of the same length without plain numbers by which it points to a section.

    >>> remove_pointers("HOLD (7), see 8. Over 8 bags.", ["7", "8"]).split()
    ['HOLD', '(', '),', 'see', '.', 'Over', '8', 'bags.']
    """
    for number in numbers:
        pattern = re.compile(
            rf"(?:\(|{_POINTING}){number}(?![.,]\d)(?=\s*(?:[.,;:)]|$|is\b))", re.IGNORECASE
        )
        text = pattern.sub(lambda found: re.sub(r"\d", " ", found[0]), text)
    return text


def _remove_seasons(text: str) -> str:
    """Return a text of the same length with the first year alone of a season such as 2025/26."""
    return _SEASON.sub(lambda found: found["first"].ljust(len(found[0])), text)


def _remove_stretch(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]


def _read_dates(text: str) -> Iterator[Quantity]:
    for found in _DATE.finditer(text):
        day, month, year = (found[name] or found[f"{name}2"] for name in ("d", "m", "y"))
        try:
            if found["iso"]:
                value = date.fromisoformat(found["iso"]).toordinal()
            elif year:
                value = date(int(year), _MONTHS[month.lower()], int(day)).toordinal()
            else:
                value = 100 * _MONTHS[month.lower()] + int(day)
        except ValueError:
            continue
        is_yearless = not (found["iso"] or year)
        yield Quantity(
            Fraction(value),
            ANY,
            found[0],
            found.start(),
            found.end(),
            is_day=True,
            is_yearless=is_yearless,
        )


def _read_times(text: str) -> Iterator[Quantity]:
    for found in _TIME.finditer(text):
        if found["word"]:
            minutes = 720 if found["word"] == "noon" else 0
        else:
            hours = int(found["h"] or found["h2"])
            half = found["half"] or found["half2"]
            hours = hours % 12 + (12 if half == "p" else 0) if half else hours
            minutes = 60 * hours + int(found["m"] or 0)
        # A figure with a point is a time only where it says so.
        if "." in found[0] and not (found["half"] or found["half2"]):
            continue
        yield Quantity(
            Fraction(minutes), read_unit("minutes"), found[0], found.start(), found.end()
        )


def _read_figures(text: str) -> Iterator[Quantity]:
    for found in _FIGURE.finditer(text):
        glued = found["glued"] or ""
        digits = re.sub(r"[,'\u2009\u202f]", "", found["digits"])
        if glued in {"st", "nd", "rd", "th"}:
            # An ordinal may be a figure of the model ("the 365th day") and need not be one.
            item = Quantity(Fraction(digits), ANY, found[0], found.start(), found.end())
            yield replace(item, is_small=True)
            continue
        value = Fraction(digits) * (-1 if found["sign"] else 1)
        if glued in {"k", "K", "m", "M"} and found["money"]:
            value, glued = value * read_multiple(glued), ""
        elif glued and read_unit(glued) == ANY:
            continue
        money = (found["money"] or "").strip()
        if money:
            yield _with_multiple(text, value, read_unit(money), found.start(), found.end())
        elif glued:
            yield Quantity(value, read_unit(glued), found[0], found.start(), found.end())
        else:
            yield _with_unit(text, value, found.start(), found.end())


def _with_multiple(text: str, value: Fraction, unit: Unit, start: int, end: int) -> Quantity:
    after = re.match(r"\s(thousand|million)\b", text[end:])
    if after:
        return Quantity(
            value * read_multiple(after[1]),
            unit,
            text[start : end + after.end()],
            start,
            end + after.end(),
        )
    return Quantity(value, unit, text[start:end], start, end)


def _with_unit(text: str, value: Fraction, start: int, end: int) -> Quantity:
    """Return a quantity with the unit that stands after its figure."""
    if multiple := re.match(r"\s(thousand|million)\b", text[end:]):
        value, end = value * read_multiple(multiple[1]), end + multiple.end()
    after = _AFTER.match(text, end)
    unit = read_unit(after["unit"]) if after else ANY
    if after is None or unit == ANY:
        return Quantity(value, ANY, text[start:end], start, end)
    return Quantity(value, unit, text[start : after.end()], start, after.end())


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
        is_apart = bool(re.search(r"[^\s-]", text[end : found.start()]))
        words.append(_Word(found[0], found.start(), is_apart))
        end = found.end()
    for number in find_numbers(words, "en", 0):
        first, last = words[number.start], words[number.end - 1]
        after = last.start + len(last.word)
        if number.is_ordinal:
            place = Fraction(str(number.value))
            span = text[first.start : after]
            yield Quantity(place, ANY, span, first.start, after, is_small=True)
            continue
        item = _with_unit(text, Fraction(str(number.value)), first.start, after)
        # "The Twelve" is the name of something.
        is_name = item.unit == ANY and _NAMED.search(text[: item.start]) and item.text[0].isupper()
        is_small = item.value == 1 or (item.value <= _SMALL and item.unit == ANY) or bool(is_name)
        yield replace(item, is_small=is_small)
    for found in _A_SPAN.finditer(text):
        yield _with_unit(text, Fraction(1), found.start(), found.end() - 1)
    for found in _A_SPAN_MORE.finditer(text):
        # A model may add it, or have what comes of it.
        item = _with_unit(text, Fraction(1), found.start(), found.end() - 1)
        yield replace(item, is_small=True)


def _read_shares(text: str) -> Iterator[Quantity]:
    for found in _SHARE.finditer(text):
        many = _MANY.get((found["many"] or "one").lower(), 9)
        part = found["part"] or found["parts"]
        share = Fraction(100 * many, _PARTS[part[:3].lower()])
        unit = read_unit("percent")
        yield Quantity(share, unit, found[0], found.start(), found.end(), is_small=True)
    for found in _NEXT.finditer(text):
        unit = read_unit(found["unit"])
        yield Quantity(Fraction(1), unit, found[0], found.start(), found.end(), is_small=True)
    for found in _TIMES.finditer(text):
        value = Fraction(_TIMES_ARE[found["word"].lower()])
        yield Quantity(value, ANY, found[0], found.start(), found.end(), is_small=True)


def _take_part(item: Quantity, text: str) -> Quantity:
    """Return a quantity of which a part is meant: "one tenth of one per cent" is a tenth of it."""
    # "A third one" is one more, and no part of one.
    is_one_more = item.text.lower() == "one"
    before = _FRACTION.search(text[: item.start])
    if before is None or item.is_day or is_one_more:
        return item
    part = Fraction(_MANY.get(before["many"].lower(), 9), _PARTS[before["part"][:3].lower()])
    start = before.start()
    words = text[start : item.end]
    return replace(item, value=item.value * part, text=words, start=start, is_small=False)


def _join_money(found: Sequence[Quantity], text: str) -> list[Quantity]:
    """Return the quantities with what belongs to one price as one: "two pounds fifty"."""
    joined: list[Quantity] = []
    for item in found:
        last = joined[-1] if joined else None
        is_part = last is not None and last.unit.measure.isupper() and item.unit == ANY
        # "96 EUR 8" are two cells of a table.
        is_said = last is not None and not re.search(r"\d", last.text + item.text)
        is_beside = last is not None and text[last.end : item.start] == " "
        if last and is_part and is_said and is_beside and _LEAST < item.value < _CENTS:
            words = text[last.start : item.end]
            value = last.value + item.value / _CENTS
            joined[-1] = replace(last, value=value, text=words, end=item.end)
        else:
            joined.append(item)
    return joined


def _join_days(found: Sequence[Quantity], text: str) -> list[Quantity]:
    """Return the quantities with days in words as one each: "the first of May two thousand"."""
    joined: list[Quantity] = []
    for item in found:
        last = joined[-1] if joined else None
        if last and last.is_yearless and item.value in _YEARS:
            gap = text[last.end : item.start]
            day = _make_day(int(last.value) // 100, int(last.value) % 100, int(item.value))
            if not gap.strip(" ,") and day is not None:
                words = text[last.start : item.end]
                joined[-1] = replace(last, value=day, text=words, end=item.end, is_yearless=False)
                continue
        month = _OF_MONTH.match(text, item.end)
        if month and item.is_small and not item.is_day:
            value = Fraction(100 * _MONTHS[month[1].lower()]) + item.value
            words = text[item.start : month.end()]
            joined.append(
                Quantity(value, ANY, words, item.start, month.end(), is_day=True, is_yearless=True)
            )
        else:
            joined.append(item)
    return joined


def _make_day(month: int, day: int, year: int) -> Fraction | None:
    try:
        return Fraction(date(year, month, day).toordinal())
    except ValueError:
        return None


def _mark_year(item: Quantity, text: str) -> Quantity:
    """Return a quantity marked as small where it is a year that something happened in."""
    is_year = item.unit == ANY and item.value in _YEARS and not item.is_day
    return replace(item, is_small=True) if is_year and _SINCE.search(text[: item.start]) else item


def _mark_age(item: Quantity, text: str) -> Quantity:
    """Return a quantity in years where it is an age without a unit: "from the age of twelve"."""
    is_age = item.unit == ANY and not item.is_day and _AGE.search(text[: item.start])
    return replace(item, unit=read_unit("years")) if is_age else item


def _is_before_figure(item: Quantity, after: Quantity | None, text: str) -> bool:
    """Return whether a quantity is the ordinal of another: "the first 40 EUR" are 40 EUR."""
    if after is None or not item.is_small or item.unit != ANY or item.is_day:
        return False
    is_ordinal = item.text.lower() in {"first", "last"}
    return is_ordinal and not text[item.end : after.start].strip()


def _pair_with_next(
    found: Sequence[Quantity],
) -> Iterator[tuple[Quantity, Quantity | None]]:
    for place, item in enumerate(found):
        yield item, found[place + 1] if place + 1 < len(found) else None


def _add_unit(item: Quantity, after: Quantity | None, text: str) -> Quantity:
    """Return the first quantity of a range with the unit of the second, if it has none."""
    if after is None or item.is_day or item.unit != ANY or after.unit == ANY:
        return item
    gap = text[item.end : after.start]
    is_between = gap.strip() == "and" and _BETWEEN.search(text[: item.start])
    if not (is_between or _RANGE.fullmatch(gap)):
        return item
    return Quantity(item.value, after.unit, item.text, item.start, item.end)
