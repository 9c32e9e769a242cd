"""Limits that an SOP states in an annex, one through another, and the text with them put in.

``put_in`` reads nothing but the text: an entry names a limit and says its value, or by how much
it is more or less than the limit of another entry; of a day, by how many days later or earlier.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from sopforge.logic.phrasing.grammar import format_quantity, trim_zeros
from sopforge.rendering.sop.document import Line, Style

LIMIT = "limit"
LIMITS_ANNEX = "limits"
_ENTRY = re.compile(
    r"Limit (T\d+) is (-?\d[^:]*?)(?: (more|less|later|earlier) than limit (T\d+))?: "
)
_USE = re.compile(r"\[limit (T\d+)\]")
_DAYS = re.compile(r"(\d{1,6}) days?\Z")
_AMOUNT = re.compile(r"(-?\d+(?:\.\d+)?)(?: (.+))?\Z")


def format_limit_use(name: str) -> str:
    """Return what stands in a rule in the place of the figure."""
    return f"[limit {name}]"


def build_limit_entry(
    name: str, amount: str, meaning: str, *, beyond: str = "", word: str = ""
) -> Line:
    """Return an entry: an amount, or how much ``word`` (more, later) than the limit ``beyond``."""
    relation = f" {word} than limit {beyond}" if beyond else ""
    return Line(Style.BULLET, f"Limit {name} is {amount}{relation}: {meaning}.", excused=LIMIT)


def put_in(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines with each limit's figure in the place of its name, without the annex.

    A name without exactly one entry, or whose entries lead in a circle, stays as it is.
    """
    limits = compute_figures(lines)
    kept = (line for line in lines if line.excused != LIMIT and not _is_heading(line))
    return tuple(replace(line, text=_put_in(line.text, limits)) for line in kept)


def _is_heading(line: Line) -> bool:
    return line.style is Style.SECTION and line.text.endswith(f"Annex: {LIMITS_ANNEX}")


def _put_in(text: str, limits: Mapping[str, str]) -> str:
    return _USE.sub(lambda use: limits.get(use[1], use[0]), text)


@dataclass(frozen=True, slots=True)
class _Entry:
    amount: str
    word: str
    beyond: str


def compute_figures(lines: Iterable[Line]) -> dict[str, str]:
    """Return the figure of each limit that the entries determine."""
    found = [_ENTRY.match(line.text) for line in lines if line.excused == LIMIT]
    read = [
        (entry[1], _Entry(entry[2], entry[3] or "", entry[4] or "")) for entry in found if entry
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
    step = Decimal(further[1])
    value = Decimal(first[1]) + (step if entry.word == "more" else -step)
    return format_quantity(trim_zeros(f"{value:f}"), further[2] or "")


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
