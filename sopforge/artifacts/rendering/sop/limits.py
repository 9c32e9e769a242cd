"""Limits that an SOP states in a section of their own; its rules call them by what they mean.

An entry names a limit and says its value, or by how much it is more or less than the limit of
another entry; of a day, by how many days later or earlier.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.marks import LIMIT
from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.kinds.duration import HOURS_AND_MINUTES, MINUTES
from sopforge.language.english.english import English
from sopforge.language.english.nouns import is_percent, trim_zeros
from sopforge.language.english.terms import Term
from sopforge.language.english.vocabulary import LIMITS_SECTION, is_noun
from sopforge.language.english.words import load_words
from sopforge.morphology import singularize_unit

POINTS = "percentage points"
"""In what one percentage lies above or below another."""
_POINTS = frozenset({POINTS, "percentage point"})
_ARTICLE = re.compile(r"\A(?:the|an?) ", re.IGNORECASE)
_ENTRY = re.compile(
    r"(.+): (-?\d(?:[^:]|:\d)*?)"
    r'(?: (more|less|later|earlier) than the (?:figure for "(?P<said>.+)"|(?P<named>.+)))?\Z'
)


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


def find_limits(fields: Mapping[str, Field], statements: Iterable[Statement]) -> dict[str, Term]:
    """Return the limits that the entries of a text determine, by what they are called."""
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
    english = load_words(fields).english
    found = {name: _compute_limit(english, name, entries, frozenset()) for name in entries}
    return {name: limit for name, limit in found.items() if limit is not None}


@dataclass(frozen=True, slots=True)
class _Entry:
    amount: str
    word: str
    beyond: str


def _compute_limit(
    english: English, name: str, entries: Mapping[str, _Entry], seen: frozenset[str]
) -> Term | None:
    entry = entries.get(name)
    amount = _read_amount(english, entry.amount) if entry else None
    if entry is None or name in seen or not entry.beyond:
        return amount if name not in seen else None
    base = _compute_limit(english, entry.beyond, entries, seen | {name})
    return base and amount and _move_limit(base, entry.word, amount)


def _read_amount(english: English, text: str) -> Term | None:
    """Return a day, or a number with its unit."""
    figure, _, unit = text.partition(" ")
    # Of a unit that no field has, the figure is read alone.
    read = english.read("literal", text) or {
        ("number", figure, unit, "") for _ in english.read("literal", figure)
    }
    return next(iter(read)) if len(read) == 1 else None


def _move_limit(base: Term, word: str, away: Term) -> Term | None:
    """Return what lies so much above or below a number, or so many days after or before a day."""
    sign = 1 if word in {"more", "later"} else -1
    match base, away, word:
        case ("day", day, mark), ("number", days, "days", _), "later" | "earlier":
            with suppress(ValueError, OverflowError):
                moved = date.fromisoformat(day) + sign * timedelta(days=int(days))
                return ("day", moved.isoformat(), mark)
        case ("time", at, mark), ("number", minutes, _, _), "later" | "earlier":
            with suppress(ValueError, OverflowError):
                later = datetime.fromisoformat(at) + sign * timedelta(minutes=int(minutes))
                return ("time", later.isoformat(" ", "minutes"), mark)
        case ("number", of, unit, mark), ("number", by, other, _), "more" | "less":
            other = unit if (unit, other) == (HOURS_AND_MINUTES, MINUTES) else other
            is_point = other in _POINTS and is_percent(unit)
            # 3 days are so much less than 1 day, and not than 1 EUR.
            if is_point or singularize_unit(unit) == singularize_unit(other):
                value = Decimal(of) + sign * Decimal(by)
                whole = unit if is_point else max(unit, other, key=len)
                return ("number", trim_zeros(f"{value:f}"), whole, mark)
        case _:
            pass
    return None
