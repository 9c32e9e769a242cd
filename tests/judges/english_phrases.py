"""What the phrases of an SOP mean: the grammar of the judge, from docs/english.md alone.

A row has a kind of thing, the words for it, and the meaning of its parts. The words are a regular
expression with kinds in braces: what they stand for is what the meaning is given, as is what the
words match in brackets. ``{day~}`` is given as a function of rows, ``{pred:day}`` as a function of
what is said, and a predicate begins with its subject. ``{=day}`` is what later clauses may be
about, ``{num@L}`` is about an entry of the list L, and ``{row}`` is the row. Words in capitals are
in ``WORDS``, or name a list or its part.
"""

from __future__ import annotations

import calendar
import operator
import re
from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from fractions import Fraction
from math import ceil, floor
from typing import Any

Meaning = Callable[..., Any]
Phrase = tuple[str, str, Meaning]
KINDS = ("num", "day", "time", "label", "set", "truth", "list")
QUOTED = '"[^"]*"'
WORDS = {
    "IS": "(?:is|are)",
    "HAVE": "(?:has|have)",
    "DO": "(?:do|does)",
    "QUOTED": QUOTED,
    "LABELS": f"{QUOTED}(?:(?:, {QUOTED})*,? (?:or|and|nor) {QUOTED})?",
    "DAY": r"\d\d\d\d-\d\d-\d\d",
    "NUMBER": r"-?\d+(?:\.\d+)?",
}
DEGREES: dict[str, Callable[[Any, Any], bool]] = {
    **dict.fromkeys(("at least", "on or after", "at or after", "no earlier than"), operator.ge),
    **dict.fromkeys(("at most", "on or before", "at or before", "no later than"), operator.le),
    **dict.fromkeys(("more than", "above", "after"), operator.gt),
    **dict.fromkeys(("less than", "fewer than", "below", "before"), operator.lt),
    **dict.fromkeys(("exactly", "the same day as", "equal to"), operator.eq),
    **dict.fromkeys(("not exactly", "not the same day as"), operator.ne),
}


def moved(day: Any, span: tuple[int, str], side: int) -> Any:  # noqa: ANN401 - a day or a time
    """Return the day or time so long before or after another."""
    count, unit = span[0] * side, span[1]
    if unit in {"minute", "hour", "day"}:
        return day + timedelta(**{f"{unit}s": count})
    months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return day.replace(year=year, month=month + 1, day=min(day.day, last))


def is_apart(found: Any, how: Meaning, span: tuple[int, str], side: int, other: Any) -> bool:  # noqa: ANN401
    """Return whether the distance before or after a day or time is so long."""
    mark = moved(other, span, side)
    return bool(how(found, mark) if side > 0 else how(mark, found))


def rounded(value: Fraction, places: int) -> Fraction:
    """Return a number with so many decimal places, exact halves away from zero."""
    size = Fraction(floor(abs(value) * 10**places + Fraction(1, 2)), 10**places)
    return size if value >= 0 else -size


def moved_to_places(value: Fraction, places: int, whole: Meaning) -> Fraction:
    """Return a number with so many decimal places: the next below or above."""
    return Fraction(whole(value * 10**places), 10**places)


def mean(values: Iterable[Fraction], places: int, rest: Fraction) -> Fraction:
    """Return the rounded mean of some numbers."""
    found = list(values)
    return rounded(sum(found, Fraction()) / len(found), places) if found else rest


def working_days(first: date, last: date, holidays: frozenset[date]) -> Fraction:
    """Return the working days after a day up to another one."""
    low, high = sorted((first, last))
    days = (low + timedelta(days=step + 1) for step in range((high - low).days))
    found = sum(day.weekday() < 5 and day not in holidays for day in days)
    return Fraction(found if first <= last else -found)


def after_working_days(holidays: frozenset[date], day: date, count: Fraction) -> date:
    """Return the day by which so many working days after another are over."""
    while count > 0:
        day += timedelta(days=1)
        count -= day.weekday() < 5 and day not in holidays
    return day


def quoted(text: str) -> list[str]:
    """Return the labels in a text."""
    return [part[1:-1] for part in re.findall(QUOTED, text)]


def days(first: date, last: date) -> Fraction:
    """Return the number of days from one to another."""
    return Fraction((last - first).days)


def lower_median(values: Iterable[Any], rest: Any, rank: Callable[[Any], Any] | None = None) -> Any:  # noqa: ANN401 - numbers or labels
    """Return the middle of some values, the lower of two; ``rest`` where there are none."""
    ordered = sorted(values, key=rank)
    return ordered[(len(ordered) - 1) // 2] if ordered else rest


TERMS: tuple[Phrase, ...] = (
    ("how", "(at least|at most|more than|less than|fewer than|not exactly|exactly)", DEGREES.get),
    ("order", "(on or before|on or after|at or before|at or after|before|after)", DEGREES.get),
    ("order", "(not the same day as|the same day as)", DEGREES.get),
    ("bound", "(no later than|no earlier than)", DEGREES.get),
    ("labels", "(LABELS)", lambda text: frozenset(quoted(text))),
    ("anyof", "(QUOTED(?:(?:, QUOTED)*,? or QUOTED)?)", lambda text: frozenset(quoted(text))),
    ("span", r"(\d+) (day|month|year|minute|hour)s?", lambda count, unit: (int(count), unit)),
    ("span", r"(\d+) hours? and (\d+) minutes?", lambda h, m: (60 * int(h) + int(m), "minute")),
    ("side", "(before|after)", {"before": -1, "after": 1}.get),
    ("places", r"a whole number()|(\d+) decimal places?", lambda _, count: int(count or 0)),
    ("count", "(NUMBER)", Fraction),
    ("count", "(one)", lambda _: 1),
    ("end", "(lower|lowest|higher|highest)", lambda word: min if word[0] == "l" else max),
    ("place", "(first|last)", lambda word: 0 if word == "first" else -1),
    ("which", "(smallest|smaller|largest|larger)", lambda word: min if word[0] == "s" else max),
)
RANKS: tuple[Phrase, ...] = (
    (
        "pred:label",
        "(?:IS )?(above|below|at least|at most) {label}",
        lambda rank, s, how, a: DEGREES[how](rank(s), rank(a)),
    ),
    ("label1", "the {end} of {ranked}", lambda rank, end, found: end(found, key=rank)),
    ("ranked", "{label} and {label}", lambda _, a, b: [a, b]),
    ("ranked", "{label}, {ranked}", lambda _, a, rest: [a, *rest]),
    ("labelx", "{label}, but at most {label}", lambda rank, a, b: min(a, b, key=rank)),
    ("labelx", "{label}, but at least {label}", lambda rank, a, b: max(a, b, key=rank)),
    (
        "labelx",
        "{label}, but at most {label} and at least {label}",
        lambda rank, a, b, c: max(c, min(a, b, key=rank), key=rank),
    ),
    (
        "labelx",
        "{label}, but at least {label} and at most {label}",
        lambda rank, a, b, c: min(c, max(a, b, key=rank), key=rank),
    ),
)
RANKED_PARTS: tuple[Phrase, ...] = (
    (
        "labelx",
        "the {end} PART of the PL{filter@L}, or {label} if there is none",
        lambda rank, end, value, found, rest: end(map(value, found), key=rank, default=rest),
    ),
    (
        "labelx",
        "the PART of the {place} of the PL{filter@L}, or {label} if there is none",
        lambda _, value, place, found, rest: value(found[place]) if found else rest,
    ),
    (
        "labelx",
        "the lower median PART of the PL{filter@L}, or {label} if there is none",
        lambda rank, value, found, rest: lower_median(map(value, found), rest, rank),
    ),
)
VALUES: tuple[Phrase, ...] = (
    ("num1", "(NUMBER)(?: UNITS)?", Fraction),
    ("day1", "(DAY)(?! \\d\\d:)", date.fromisoformat),
    ("time1", "(DAY \\d\\d:\\d\\d)", datetime.fromisoformat),
    ("label1", '"([^"]*)"', str),
    *((f"{kind}1", rf"\({{{kind}x}}\)", lambda value: value) for kind in KINDS),
    ("num1", "twice {num1}", lambda a: 2 * a),
    ("num1", "minus {num1}", operator.neg),
    ("num1", "the absolute value of {num1}", abs),
    ("num1", "the difference between {num} and {num}", lambda a, b: abs(a - b)),
    ("num1", "the {which} of {nums}", lambda which, found: which(found)),
    ("nums", "{num} and {num}", lambda a, b: [a, b]),
    ("nums", "{num}, {nums}", lambda a, rest: [a, *rest]),
    ("num1", "{count} percent of {num1}", lambda share, a: a * share / 100),
    ("num1", "the number of days from {day} to {day}", days),
    (
        "num1",
        "the number of minutes from {time} to {time}",
        lambda a, b: (b - a) // timedelta(0, 60),
    ),
    (
        "num1",
        r"(\d+) hours?(?: and (\d+) minutes?)?",
        lambda h, m: Fraction(60 * int(h) + int(m or 0)),
    ),
    ("num1", "the hour of {time1}", lambda time: Fraction(time.hour)),
    ("label1", "the weekday of {day1}", lambda day: calendar.day_name[day.weekday()]),
    ("label1", "the weekday of {time1}", lambda time: calendar.day_name[time.weekday()]),
    ("num1", "the number of entries in {set1}", len),
    ("numx", "{num}, rounded to {places}", rounded),
    (
        "numx",
        "{num}, rounded (down|up) to {places}",
        lambda value, side, places: moved_to_places(
            value, places, {"down": floor, "up": ceil}[side]
        ),
    ),
    ("num1", "the remainder of {num1} divided by {num1}", operator.mod),
    ("num1", "{base} squared", lambda a: a * a),
    ("num1", r"{base} to the power of (\d+)", lambda a, times: a ** int(times)),
    ("base", r"\({numx}\)", lambda value: value),
    ("numx", "{num}, but at most {num}", min),
    ("numx", "{num}, but at least {num}", max),
    ("numx", "{num}, but at most {num} and at least {num}", lambda a, b, c: max(c, min(a, b))),
    ("numx", "{num}, but at least {num} and at most {num}", lambda a, b, c: min(c, max(a, b))),
    ("day1", "the day {side} {day1}", lambda side, day: moved(day, (1, "day"), side)),
    ("day1", "{span} {side} {day1}", lambda span, side, day: moved(day, span, side)),
    ("time1", "{span} {side} {time1}", lambda span, side, time: moved(time, span, side)),
    *(
        (
            "time",
            rf"{{time1}} {word} {{num1}} \(in (minute|hour|day)s\)",
            lambda time, count, unit, side=side: moved(time, (int(count), unit), side),
        )
        for word, side in (("plus", 1), ("minus", -1))
    ),
    (
        "day",
        r"{day1} plus {num1} \(in (day|month)s\)",
        lambda day, count, unit: moved(day, (int(count), unit), 1),
    ),
    (
        "day",
        r"{day1} minus {num1} \(in (day|month)s\)",
        lambda day, count, unit: moved(day, (int(count), unit), -1),
    ),
    ("set1", "the entr(?:y|ies) {labels}", lambda labels: labels),
    ("set1", "no entry", frozenset),
    ("set1", "what {set} and {set} have in common", operator.and_),
    ("set", "{set1} together with {set1}", operator.or_),
    ("set", "{set1} without {set1}", operator.sub),
    ("set", "{set1} that are not among {set1}", operator.sub),
)
PREDICATES: tuple[Phrase, ...] = (
    ("num", "(?:IS )?{how} {num}", lambda s, how, a: how(s, a)),
    ("num", "IS (above|below|equal to) {num}", lambda s, how, a: DEGREES[how](s, a)),
    ("num", "exceeds? {num}", operator.gt),
    ("num", "IS {num}", operator.eq),
    ("num", "IS not {num}", operator.ne),
    ("num day time label", "differs? from {SAME}", operator.ne),
    ("day time", "(?:IS )?{order} {SAME}", lambda s, order, a: order(s, a)),
    ("day time", "(?:IS )?{how} {span} {side} {SAME}", is_apart),
    (
        "day time",
        "(?:IS )?{bound} {span} {side} {SAME}",
        lambda s, bound, span, side, a: bound(s, moved(a, span, side)),
    ),
    ("day", "IS between {day} and {day} inclusive", lambda s, a, b: a <= s <= b),
    (
        "day",
        "in the {span} before {day1}( or on it)?",
        lambda s, span, a, last: moved(a, span, -1) <= s and (s <= a if last else s < a),
    ),
    ("time", "IS exactly {time}", operator.eq),
    ("time", "IS not {time}", operator.ne),
    ("label", "IS the same as {label}", operator.eq),
    ("label", "IS among {set1}", lambda s, a: s in a),
    ("label", "IS not among {set1}", lambda s, a: s not in a),
    ("truth", "{labels}", lambda s, a: s in a),
    ("label truth", "IS (?:one of )?{labels}", lambda s, a: s in a),
    ("label", "IS (?:not|neither|none of) {labels}", lambda s, a: s not in a),
    ("set", "includes? (?:both|all of) {labels}", operator.ge),
    ("set", "includes? (?:at least one of )?{anyof}", operator.and_),
    ("set", "DO not include {label1}", lambda s, a: a not in s),
    ("set", "DO not include (?:both|all of) {labels}", lambda s, a: not s >= a),
    ("set", "includes? (?:neither|none of) {labels}", frozenset.isdisjoint),
    ("set", "includes? nothing besides {labels}", operator.le),
    ("set", "includes? something besides {labels}", lambda s, a: not s <= a),
    ("set", "HAVE no entry", operator.not_),
    ("set", "HAVE {how} {num} entr(?:y|ies)", lambda s, how, a: how(len(s), a)),
)
JOINED: tuple[Phrase, ...] = (
    ("cond", "{either}", bool),
    ("cond", "{either}, {ands}", lambda a, rest: a and all(rest)),
    ("cond", "{either}, {ors}", lambda a, rest: a or any(rest)),
    ("ands", "and {either}", lambda a: [a]),
    ("ands", "{either}, {ands}", lambda a, rest: [a, *rest]),
    ("ors", "or {either}", lambda a: [a]),
    ("ors", "{either}, {ors}", lambda a, rest: [a, *rest]),
    ("either", "{both}", bool),
    ("either", "{both} or {either}", lambda a, b: a or b),
    ("both", "{atom}", bool),
    ("both", "{atom} and {both}", lambda a, b: a and b),
    ("atom", "{same}", bool),
)
CONDITIONS: tuple[Phrase, ...] = (
    *JOINED,
    # What a list's entries meet has an f before its kind.
    *((f"f{kind}", re.sub(r"\{(?!same)", "{f", words), meant) for kind, words, meant in JOINED),
    ("both", "{atom}, {same} and {same}", lambda *parts: all(parts)),
    ("both", "{atom}, {same} or {same}", lambda *parts: any(parts)),
    # "whose size is 1 or is 2 and whose kind is 3" may be one of two things.
    ("fboth", "{fatom} or {same} and {fboth}", lambda a, b, rest: (a or b) and rest),
    ("fboth", "{fatom} or {same}, {fatom} and {fatom}", lambda a, b, *rest: (a or b) and all(rest)),
    ("fboth", "{fatom}, {fatom} and {fatom}", lambda *parts: all(parts)),
    ("fboth", "{fatom}, {fatom} or {fatom}", lambda *parts: any(parts)),
    # What comes after "for every" or "these hold" belongs to it, up to the end.
    ("cond", "{every}", bool),
    ("cond", "{either} and {every}", lambda a, b: a and b),
    ("cond", "{either} or {every}", lambda a, b: a or b),
    ("ands", "and {every}", lambda a: [a]),
    ("ors", "or {every}", lambda a: [a]),
    ("cond", "all of these hold: {points}", all),
    ("cond", "at least one of these holds: {points}", any),
    ("points", r"\([a-z]\) {cond}", lambda a: [a]),
    ("points", r"\([a-z]\) {cond}; {points}", lambda a, rest: [a, *rest]),
    ("atom", r"\({cond}\)", bool),
    ("atom", r"it is not the case that \({cond}\)", operator.not_),
    ("atom", "all of {set1} IS among {set1}", operator.le),
    ("atom", "not all of {set1} IS among {set1}", lambda a, b: not a <= b),
    ("fatom", "for which {cond}", bool),
)
COUNTS: tuple[Phrase, ...] = (
    ("atom", "there is an? {members:L}", bool),
    ("atom", "there IS no {members:L}", operator.not_),
    ("atom", "there IS {how} {count} {members:L}", lambda how, n, found: how(len(found), n)),
    ("num1", "the number of {members:L}", len),
)
REST = "rounded to {places}, or {num} if there is none"
ENTRIES: tuple[Phrase, ...] = (
    ("every", "for every SG{filter@L}, {cond@L~}", lambda found, holds: all(map(holds, found))),
    ("atom", "any SG{filter@L} {said:L@L~}", lambda found, holds: any(map(holds, found))),
    ("atom", "every SG{filter@L} {said:L@L~}", lambda found, holds: all(map(holds, found))),
    ("atom", "no SG{filter@L} {said:L@L~}", lambda found, holds: not any(map(holds, found))),
    (
        "num1",
        "the sum of {num@L~} over the PL{filter@L}",
        lambda value, found: sum(map(value, found)),
    ),
    (
        "numx",
        "the {which} value of {num1@L~} over the PL{filter@L}, or {num} if there is none",
        lambda which, value, found, rest: which(map(value, found), default=rest),
    ),
    (
        "numx",
        "the value of {num1@L~} for the {place} of the PL{filter@L}, or {num} if there is none",
        lambda value, place, found, rest: value(found[place]) if found else rest,
    ),
    (
        "numx",
        "the lower median of {num@L~} over the PL{filter@L}, or {num} if there is none",
        lambda value, found, rest: lower_median(map(value, found), rest),
    ),
    (
        "numx",
        f"the average of {{num@L~}} over the PL{{filter@L}}, {REST}",
        lambda value, found, places, rest: mean(map(value, found), places, rest),
    ),
    (
        "numx",
        f"the percentage of the PL {{fcond@L~}}{{filter@L}}, {REST}",
        lambda holds, found, *how: mean((Fraction(100 * holds(row)) for row in found), *how),
    ),
)
PARTS: tuple[Phrase, ...] = (
    (
        "atom",
        "the PART of every SG{filter@L} {pred:KIND}",
        lambda value, found, holds: all(holds(value(row)) for row in found),
    ),
    *(
        (
            "atom",
            f"the PART of every SG{{filter@L}} {{pred:KIND}} {word} {{pred:KIND}}",
            lambda value, found, *both, join=join: all(
                join(holds(value(row)) for holds in both) for row in found
            ),
        )
        for word, join in (("and", all), ("or", any))
    ),
    ("fatom:L", "with an? PART of {pred:KIND}{row}", lambda value, holds, row: holds(value(row))),
    ("fatom:L", "of the PART {labels}{row}", lambda value, labels, row: value(row) in labels),
)
FEWEST = "the {which} number of days from the PART of an? SG to {day}, "
DAYS: tuple[Phrase, ...] = (
    (
        "numx",
        f"{FEWEST}or {{num}} if there is none{{filter@L}}",
        lambda which, start, end, rest, found: which(
            (days(start(row), end) for row in found), default=rest
        ),
    ),
    (
        "numx",
        f"{FEWEST}among the PL{{filter@L}}, or {{num}} if there is none",
        lambda which, start, end, found, rest: which(
            (days(start(row), end) for row in found), default=rest
        ),
    ),
)
NUMBERS: tuple[Phrase, ...] = (
    ("num1", "the total PART of the PL{filter@L}", lambda value, found: sum(map(value, found))),
    (
        "atom",
        "the PL{filter@L} HAVE a total PART of {pred:num}",
        lambda found, value, holds: holds(sum(map(value, found))),
    ),
    (
        "numx",
        "the {which} PART of the PL{filter@L}, or {num} if there is none",
        lambda which, value, found, rest: which(map(value, found), default=rest),
    ),
    (
        "numx",
        "the PART of the {place} of the PL{filter@L}, or {num} if there is none",
        lambda value, place, found, rest: value(found[place]) if found else rest,
    ),
    (
        "numx",
        "the lower median PART of the PL{filter@L}, or {num} if there is none",
        lambda value, found, rest: lower_median(map(value, found), rest),
    ),
    (
        "numx",
        f"the average PART of the PL{{filter@L}}, {REST}",
        lambda value, found, places, rest: mean(map(value, found), places, rest),
    ),
)
