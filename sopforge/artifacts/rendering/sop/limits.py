"""Limits that an SOP states in a section of their own; its rules call them by what they mean.

An entry names a limit and says its value, or by how much it is more or less than the limit of
another entry; of a day, by how many days later or earlier.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.marks import LIMIT
from sopforge.language.english.lexicon import LIMITS_SECTION, is_noun
from sopforge.language.english.nouns import format_quantity, is_percent, trim_zeros

POINTS = "percentage points"
"""In what one percentage lies above or below another."""
_POINTS = frozenset({POINTS, "percentage point"})
_ARTICLE = re.compile(r"\A(?:the|an?) ", re.IGNORECASE)
_ENTRY = re.compile(
    r"(.+): (-?\d[^:]*?)"
    r'(?: (more|less|later|earlier) than the (?:figure for "(?P<said>.+)"|(?P<named>.+)))?\Z'
)
_DAYS = re.compile(r"(\d{1,6}) days?\Z")
_AMOUNT = re.compile(r"(-?\d+(?:\.\d+)?)(?: (.+))?\Z")


def name_limit(meaning: str) -> str:
    """Return how a sentence calls a limit of a meaning, after its article."""
    name = _ARTICLE.sub("", " ".join(meaning.split()), count=1).removesuffix(".")
    return name if _is_fixed(name) else f"{name[:1].lower()}{name[1:]}"


def _is_fixed(name: str) -> bool:
    """Return whether a name is written as it is everywhere, such as "pH" and "VAT"."""
    # "µ" has no capital that is read as the same letter.
    first = name[:1]
    return name[1:2].isupper() or first.upper().lower() != first.lower()


def build_limit_entry(name: str, amount: str, *, beyond: str = "", word: str = "") -> Statement:
    """Return an entry: an amount, or how much ``word`` (more, later) than the limit ``beyond``."""
    other = f"the {beyond}" if is_noun(beyond) else f'the figure for "{beyond}"'
    relation = f" {word} than {other}" if beyond else ""
    start = name if _is_fixed(name) else f"{name[:1].upper()}{name[1:]}"
    return Statement(Style.BULLET, f"{start}: {amount}{relation}", excused=LIMIT)


def select_section(statements: Iterable[Statement], title: str) -> Iterator[Statement]:
    """Yield the statements of the section of a title, whatever its number."""
    is_within = False
    for item in statements:
        if item.style is Style.SECTION:
            is_within = item.text.partition(". ")[2] == title
        elif is_within:
            yield item


def compute_figures(statements: Iterable[Statement]) -> dict[str, str]:
    """Return the figure of each limit that the entries of a text determine."""
    texts = [item.text for item in select_section(statements, LIMITS_SECTION)]
    read = [
        (
            name_limit(found[1]),
            _Entry(found[2], found[3] or "", found["said"] or found["named"] or ""),
        )
        for found in map(_ENTRY.match, texts)
        if found
    ]
    names = [name for name, _ in read]
    entries = {name: entry for name, entry in read if names.count(name) == 1}
    amounts = {name: _compute_figure(name, entries, frozenset()) for name in entries}
    return {name: amount for name, amount in amounts.items() if amount is not None}


@dataclass(frozen=True, slots=True)
class _Entry:
    amount: str
    word: str
    beyond: str


def _compute_figure(name: str, entries: Mapping[str, _Entry], seen: frozenset[str]) -> str | None:
    entry = entries.get(name)
    if entry is None or name in seen:
        return None
    if not entry.beyond:
        return entry.amount
    base = _compute_figure(entry.beyond, entries, seen | {name})
    return None if base is None else _compute_amount(base, entry)


def _compute_amount(base: str, entry: _Entry) -> str | None:
    """Return the amount that lies so much above or below a base, with the unit of the amount."""
    if entry.word in {"later", "earlier"}:
        return _compute_day(base, entry)
    first, further = _AMOUNT.match(base), _AMOUNT.match(entry.amount)
    if first is None or further is None:
        return None
    of, by = first[2] or "", further[2] or ""
    # 3 days are so much less than 1 day, and not than 1 EUR.
    is_alike = format_quantity("1", of) == format_quantity("1", by)
    if not (is_percent(of) if by in _POINTS else is_alike):
        return None
    step = Decimal(further[1])
    value = Decimal(first[1]) + (step if entry.word == "more" else -step)
    return format_quantity(trim_zeros(f"{value:f}"), of if by in _POINTS else by)


def _compute_day(base: str, entry: _Entry) -> str | None:
    """Return the day that lies so many days after or before another."""
    days = _DAYS.match(entry.amount)
    try:
        away = timedelta(days=int(days[1])) if days else None
        first = date.fromisoformat(base)
        if away is None:
            return None
        return (first + away if entry.word == "later" else first - away).isoformat()
    except (ValueError, OverflowError):
        return None
