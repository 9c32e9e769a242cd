"""Slips in expressions: what people write from other languages or by habit, and what to write.

Texts in quotes are left out: only what stands between them is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_DAY = r"\b[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}\b"
_TIME = r"(?:[ T][0-9]{1,2}:[0-9]{2})?"
DATE_HINT = "to subtract numbers, put blanks around the -"
NUMBER_HINT = "write only the number, or write 'and' between two conditions"
AND_HINT = "write 'and' or 'or' between conditions"


@dataclass(frozen=True, slots=True)
class Slip:
    """Where a text leaves the language (counted from 0), what is wrong, and what to write."""

    place: int
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class _Habit:
    """A habit of writing; ``{0}`` is what was found, as in the message and the hint."""

    pattern: re.Pattern[str]
    message: str
    hint: str


def _make_habit(pattern: str, hint: str, message: str = "'{0}' is not allowed here") -> _Habit:
    return _Habit(re.compile(pattern), message, hint)


# The first that is found is reported, so that longer signs stand before those that they begin with.
_HABITS = (
    _make_habit(
        "[\u201c-\u201f\u2018-\u201b\u00ab\u00bb\u00b4`]",
        "write straight quotes: 'Active'",
        "{0} does not quote a label",
    ),
    _make_habit(r"!==|===", "write == for equal, or != for not equal"),
    _make_habit(r"=>|≥|⩾", "write >= for at least"),
    _make_habit(r"=<|≤|⩽", "write <= for at most"),
    _make_habit(r"<>|≠|/=", "write != for not equal"),
    _make_habit(r"->|→", "write the result on its own, under 'then'"),
    _make_habit(r"&&|&", "write 'and'"),
    _make_habit(r"\|\||\|", "write 'or'"),
    _make_habit(r"!(?!=)|¬|~", "write 'not'"),
    _make_habit(r"(?<![=!<>])=(?!=)", "write == to compare", "'=' is not a comparison"),
    _make_habit(r"\?", "write: a if condition else b", "'?' is not allowed here"),
    _make_habit("[\u2212\u2013\u2014]", "write a plain - for minus"),
    _make_habit("[\u00d7\u00b7]", "write * for times"),
    _make_habit(r"÷", "write round(a / b, places)"),
    _make_habit("[²³]", "write a power as a ** 2"),
    _make_habit(r"\b(?:mod|MOD)\b", "write remainder(a, b)"),
    _make_habit(r"\b(?:div|DIV)\b", "write floor(a / b)"),
    _make_habit(r";", AND_HINT),
    _make_habit(
        r"[$€£¥]",
        "write only the number, because the field states the unit",
        "'{0}' is not a number",
    ),
    _make_habit(r"[0-9.]+ ?%(?! *[\w(])", "write only the number, for example 10 for 10 percent"),
    _make_habit(r"\b(?:AND|And)\b", "write 'and' in lowercase"),
    _make_habit(r"\b(?:OR|Or)\b", "write 'or' in lowercase"),
    _make_habit(r"\b(?:NOT|Not)\b", "write 'not' in lowercase"),
    _make_habit(r"\b(?:IN|In)\b", "write 'in' in lowercase"),
    _make_habit(r"\b[Bb]etween\b|\bBETWEEN\b", "write: low <= field <= high"),
    _make_habit(r"\b(?:contains|includes|has)\b(?! *\()", "write: 'label' in field"),
    _make_habit(r"\bpresent\b(?! *\()", "write present(field)"),
    _make_habit(
        r"\b(?:then|THEN)\b",
        "write: a if condition else b; or write the result of a rule under 'then'",
    ),
    _make_habit(r"\bif\b(?!.*\belse\b)", "write: a if condition else b", "'if' has no 'else'"),
    _make_habit(
        r"\bnot\b(?= *\0)(?<=\w not)", "write != for not equal", "'not' is not a comparison"
    ),
    _make_habit(r"\b[0-9.]+ +(?!(?:and|or|if|else|in|not)\b)[A-Za-z]\w*", NUMBER_HINT),
    _make_habit(r"(?<![\w.])0[0-9]+(?!\.)", "remove the zeros before the number"),
    _make_habit(
        r"[0-9]+\.[0-9]+\.[0-9.]*", "write a number with one point, or put a date in quotes"
    ),
)
_OPEN = {")": "(", "]": "[", "}": "{"}
_DANGLING = re.compile(r"(?:\b(?:and|or|not|in|if|else)|[-+*/<>=,])\s*\Z")
_MISSING_WORDS = frozenset({"present", "missing", "empty", "none", "null", "nil", "na"})
_YES_NO = frozenset({"true", "false", "yes", "no"})
_ALWAYS = frozenset({"true", "always", "otherwise", "else", "any", "default"})
ALWAYS_HINT = (
    "a condition that always holds is left out: the last rule has 'otherwise' instead, an edge"
    " nothing; what is added in every case stands in a formula, as in 'value: points + 5'"
)
_CLOCKS = frozenset({"today", "now", "current_date", "date"})
INSTEAD = {
    "write count(...)": "len length size counta",
    "write count(i for i in items if condition)": "countif countifs",
    "write sum(i.amount for i in items if condition)": "sumif sumifs total",
    "write average((i.x for i in items), places=2, default=0)": "avg mean averageif",
    "write [i for i in items if condition]": "filter select where",
    "write any(condition for i in items), or all(...)": "some every exactly_one",
    "write present(field)": "exists is_present is_given notnull",
    "write not present(field)": "is_missing isnull is_null missing isblank is_empty isna",
    "write: a if present(a) else b": "coalesce ifnull nvl nz ifna",
    "write: a if condition else b": "iff iif ifs ifelse switch choose decode case",
    "write: low <= field <= high": "between",
    "write: a and b, or: a or b": "and or",
    "write: not condition": "not",
    "write floor(a), or floor(a, places)": "rounddown round_down trunc truncate",
    "write ceiling(a), or ceiling(a, places)": "ceil roundup round_up",
    "write floor(a / b)": "div idiv quotient",
    "write round(a / step, 0) * step": "mround",
    "write remainder(a, b)": "mod modulo rem",
    "write a ** 2": "pow power square",
    "write days_between(start, end)": "datediff datedif date_diff days",
    "compare minutes_between(start, end) with a duration or with minutes": (
        "hours_between timediff seconds_between"
    ),
    "write workdays_between(start, end, calendar)": "networkdays business_days",
    "compare add_months(start, n) with the end": "months_between years_between age yearfrac",
    "write add_days(date, n) or add_hours(time, n)": "timedelta",
    "write add_workdays(date, n, calendar)": "workday add_business_days add_working_days",
    "write add_days(date, 7 * n)": "add_weeks",
    "write add_months(date, 12 * n)": "add_years",
    "write add_months(date, n)": "edate dateadd",
    "write weekday_of(date)": "weekday dayofweek day_of_week",
    "write hour_of(time)": "hour",
    "write a date in quotes, such as '2026-01-31'; for the day of a date-time, date_of(time)": (
        "date to_date datetime"
    ),
    "compare the date with others: '2026-01-01' <= date <= '2026-12-31'": (
        "year month day year_of month_of day_of quarter"
    ),
    "decide a field by a 'table' with 'rows'": "lookup vlookup xlookup hlookup",
    "write 'label' in field, where the field is a set; rules do not search in texts": (
        "contains includes has isin find search instr"
    ),
    "remove it, because numbers need no conversion": "float decimal number to_number",
    "remove it, because numbers need no conversion; to round, write round(a, 0)": "int integer",
    "remove it, and compare numbers and labels as they are": "str string",
    "remove it, and write labels as they are declared": "lower upper trim strip",
    "rules do not look into texts: let a field state what matters in it": (
        "startswith endswith starts_with ends_with like match matches regex substring substr left"
        " right mid split replace concat concatenate join format"
    ),
    "rules do not put items in order: let a field state the result": (
        "percentile quartile mode stddev stdev std variance var rank sort sorted order_by"
        " distinct unique nth index"
    ),
    "rules take no roots and no logarithms: let a field state the result": (
        "sqrt root ln log log10 exp sin cos tan"
    ),
    "rules draw nothing: let a field state the result": "random rand randint uniform",
}
"""What to write in the place of functions of spreadsheets, SQL, Python and FEEL."""
_FUNCTIONS = {name: hint for hint, names in INSTEAD.items() for name in names.split()}
CLOCK_HINT = (
    "declare the current day as an input field, or as a constant under 'policy'; no rule knows it"
)


def find_date(text: str) -> Slip | None:
    """Return the first date that stands in the text without quotes."""
    found = re.search(_DAY + _TIME, _without_quoted(text))
    if found is None:
        return None
    message = f"the date {found[0]} is not in quotes and would be read as a subtraction"
    return Slip(found.start(), message, f"write '{found[0]}' in quotes; {DATE_HINT}")


def find_slip(text: str) -> Slip | None:
    """Return why a text that is no expression may have been meant as one."""
    plain = _without_quoted(text)
    quote = re.search("['\"]", plain)
    if quote is not None:
        message = f"the quote {quote[0]} is not closed"
        return Slip(quote.start(), message, "write a quote before and after each label")
    for habit in _HABITS:
        found = habit.pattern.search(plain)
        if found is not None:
            return Slip(found.start(), habit.message.format(found[0]), habit.hint.format(found[0]))
    return _find_unbalanced_bracket(plain) or _find_dangling_word(plain)


def find_split_name(text: str, names: Iterable[str]) -> Slip | None:
    """Return where one of the names is written with a blank or a dash for its underscore."""
    plain = _without_quoted(text)
    for name in names:
        found = re.search(rf"\b{name.replace('_', '[ -]')}\b", plain) if "_" in name else None
        if found is not None:
            message = f"'{found[0]}' is not read as one name"
            return Slip(found.start(), message, f"write {name}")
    return None


def hint_at_function(name: str) -> str:
    """Return what to write in the place of a function that other languages have."""
    word = name.lower()
    return _FUNCTIONS.get(word, CLOCK_HINT if word in _CLOCKS else "")


def hint_at_name(name: str, text: str) -> str:
    """Return what to write in the place of a word that is no field here; ``text`` is the whole."""
    if text.strip().lower() in _ALWAYS:
        return ALWAYS_HINT
    if name.lower() in _CLOCKS:
        return CLOCK_HINT
    if name.lower() in _YES_NO:
        return "write the yes/no field by itself, or with 'not' before it"
    return "write present(field), or not present(field)" if is_missing_word(name) else ""


def is_missing_word(name: str) -> bool:
    """Return whether a missing value, or a present one, is often written so."""
    return name.lower() in _MISSING_WORDS


def _without_quoted(text: str) -> str:
    # As long as what it stands for, so that places in the result are places in the text.
    return _QUOTED.sub(lambda found: "\0" * len(found[0]), text)


def _find_unbalanced_bracket(plain: str) -> Slip | None:
    waiting: list[tuple[str, int]] = []
    for place, letter in enumerate(plain):
        if letter in _OPEN.values():
            waiting.append((letter, place))
        elif letter in _OPEN:
            if not waiting or waiting[-1][0] != _OPEN[letter]:
                return Slip(
                    place,
                    f"'{letter}' has no opening bracket",
                    f"remove it, or add {_OPEN[letter]}",
                )
            waiting.pop()
    if not waiting:
        return None
    letter, place = waiting[-1]
    hint = "close it; if YAML cut the text at a comma, put the whole value in double quotes"
    return Slip(place, f"there is no closing bracket for '{letter}'", hint)


def _find_dangling_word(plain: str) -> Slip | None:
    found = _DANGLING.search(plain)
    if found is None:
        return None
    message = f"something is missing after '{found[0].strip()}'"
    return Slip(len(plain.rstrip()), message, "add what it compares or joins")
