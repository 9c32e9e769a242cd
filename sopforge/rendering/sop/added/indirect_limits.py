"""Limits that an SOP states in a section of their own, and the text with them put in.

A rule calls such a limit by what it means. ``put_in`` reads nothing but the text: an entry names a
limit and says its value, or by how much it is more or less than the limit of another entry; of a
day, by how many days later or earlier.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

from sopforge.logic.phrasing.grammar import format_quantity, is_percent, trim_zeros
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.references import call_section

LIMIT = "limit"
LIMITS_SECTION = "Limits and amounts"
_HEADING = re.compile(rf"(?:\d+\. )?{LIMITS_SECTION}\Z")
_ENTRY = re.compile(
    r"(.+): (-?\d[^:]*?)"
    r'(?: (more|less|later|earlier) than the (?:figure for "(?P<said>.+)"|(?P<named>.+)))?\Z'
)
_NO_NAME = re.compile(
    r"(?:how|when|where|whether|if|what|who|which|from|until|up|at|in|on|of|for|no|not|after|before"
    r"|above|below|over|under|more|less|fewer|as|to|by|with|without|so|every|each|any|all)\b",
    re.IGNORECASE,
)
"""First words of meanings that do not name a thing, so that "the" cannot stand before them."""
_ARTICLE = re.compile(r"\A(?:the|an?) ", re.IGNORECASE)
_DAYS = re.compile(r"(\d{1,6}) days?\Z")
_AMOUNT = re.compile(r"(-?\d+(?:\.\d+)?)(?: (.+))?\Z")


POINTS = "percentage points"
"""In what one percentage lies above or below another."""
_POINTS = frozenset({POINTS, POINTS.removesuffix("s")})


def name_limit(meaning: str) -> str:
    """Return how a sentence calls a limit of a meaning, after its article."""
    name = _ARTICLE.sub("", " ".join(meaning.split()), count=1)
    return name if _is_fixed(name) else f"{name[:1].lower()}{name[1:]}"


def _is_fixed(name: str) -> bool:
    """Return whether a name is written as it is everywhere, such as "pH" and "VAT"."""
    # "µ" has no capital that is read as the same letter.
    first = name[:1]
    return name[1:2].isupper() or first.upper().lower() != first.lower()


def format_limit_use(name: str, section: str) -> str:
    """Return what stands in a rule in the place of the figure; in a section of that name."""
    return f"{call_limit(name)} (see {section})"


def call_limit(name: str) -> str:
    """Return a limit as a sentence names it: "the maximum fee", 'the figure for "how long ..."'."""
    return f'the figure for "{name}"' if _NO_NAME.match(name) else f"the {name}"


def build_limit_entry(name: str, amount: str, *, beyond: str = "", word: str = "") -> Line:
    """Return an entry: an amount, or how much ``word`` (more, later) than the limit ``beyond``."""
    relation = f" {word} than {call_limit(beyond)}" if beyond else ""
    start = name if _is_fixed(name) else f"{name[:1].upper()}{name[1:]}"
    return Line(Style.BULLET, f"{start}: {amount}{relation}", excused=LIMIT)


def mark_entries(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines of a text, with those marked that stand in the section of limits."""
    is_inside = False
    for line in lines:
        if line.style in {Style.SECTION, Style.STEP}:
            is_inside = _HEADING.match(line.text) is not None
            yield line
        else:
            yield replace(line, excused=LIMIT) if is_inside else line


def find_limits_section(lines: Sequence[Line]) -> str:
    """Return how references call the section in which the limits stand, "" where there is none."""
    found = next((line for line, after in pairwise(lines) if _is_heading(line, after)), None)
    return "" if found is None else call_section(found.text)


def put_in(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines with each limit's figure in the place of its name, without their section.

    A name without exactly one entry, or whose entries lead in a circle, stays as it is.
    """
    section = find_limits_section(lines)
    if not section:
        return tuple(lines)
    figures = {
        format_limit_use(name, section): figure for name, figure in compute_figures(lines).items()
    }
    used = re.compile("|".join(map(re.escape, figures)) or r"(?!)")
    after = [*lines[1:], None]
    return tuple(
        replace(line, text=used.sub(lambda use: figures[use[0]], line.text))
        for line, following in zip(lines, after, strict=True)
        if line.excused != LIMIT and not _is_heading(line, following)
    )


def _is_heading(line: Line, following: Line | None) -> bool:
    is_titled = line.style is Style.SECTION and _HEADING.match(line.text) is not None
    return is_titled and following is not None and following.excused == LIMIT


@dataclass(frozen=True, slots=True)
class _Entry:
    amount: str
    word: str
    beyond: str


def compute_figures(lines: Iterable[Line]) -> dict[str, str]:
    """Return the figure of each limit that the entries determine."""
    found = [_ENTRY.match(line.text) for line in lines if line.excused == LIMIT]
    read = [
        (
            name_limit(entry[1]),
            _Entry(entry[2], entry[3] or "", entry["said"] or entry["named"] or ""),
        )
        for entry in found
        if entry
    ]
    names = [name for name, _ in read]
    entries = {name: entry for name, entry in read if names.count(name) == 1}
    amounts = {name: _compute_figure(name, entries, frozenset()) for name in entries}
    return {name: amount for name, amount in amounts.items() if amount is not None}


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
        return None if away is None else _move_day(first, away, entry.word).isoformat()
    except (ValueError, OverflowError):
        return None


def _move_day(first: date, away: timedelta, word: str) -> date:
    return first + away if word == "later" else first - away
