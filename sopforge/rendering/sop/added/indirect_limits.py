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
from sopforge.rendering.sop.document import Line, Style, format_table_row

LIMIT = "limit"
LIMITS_ANNEX = "Table of limits"
_ENTRY = re.compile(
    r"\| (T\d+) \| (.+) \| (-?\d[^|]*?)(?: (more|less|later|earlier) than (T\d+))? \|\Z"
)
_USES = (
    "the limit in row {name} of Annex {annex}",
    "limit {name} (see Annex {annex})",
    "the figure under {name} in Annex {annex}",
)
_USE = re.compile(
    "|".join(
        re.escape(use).replace(r"\{name\}", r"(T\d+)").replace(r"\{annex\}", "([A-Z])")
        for use in _USES
    )
)
_ANNEX = re.compile(r"\bAnnex ([A-Z]): ")
HEAD = ("Entry", "What it limits", "Limit")
"""The heads of the columns of the table."""
_DAYS = re.compile(r"(\d{1,6}) days?\Z")
_AMOUNT = re.compile(r"(-?\d+(?:\.\d+)?)(?: (.+))?\Z")


POINTS = "percentage points"
"""In what one percentage lies above or below another."""
_POINTS = frozenset({POINTS, POINTS.removesuffix("s")})


def format_limit_use(name: str, annex: str) -> str:
    """Return what stands in a rule in the place of the figure: one wording for each limit."""
    return _USES[int(name[1:]) % len(_USES)].format(name=name, annex=annex)


def build_limit_entry(
    name: str, amount: str, meaning: str, *, beyond: str = "", word: str = ""
) -> Line:
    """Return an entry: an amount, or how much ``word`` (more, later) than the limit ``beyond``."""
    relation = f" {word} than {beyond}" if beyond else ""
    return Line(Style.ROW, format_table_row((name, meaning, f"{amount}{relation}")), excused=LIMIT)


def is_limit_entry(text: str) -> bool:
    """Return whether a line is an entry, of a limit or of what another one is given by."""
    return _ENTRY.match(text) is not None


def find_limit_name(lines: Iterable[Line], meaning: str) -> str:
    """Return the name of the limit that is given under its meaning, "" where none is."""
    found = (_ENTRY.match(line.text) for line in lines if line.excused == LIMIT)
    return next((entry[1] for entry in found if entry and entry[2] == meaning), "")


def find_annex_letter(lines: Iterable[Line]) -> str:
    """Return the letter of the annex in which the limits stand, "" where there is none."""
    found = (_ANNEX.search(line.text) for line in lines if _is_heading(line))
    return next((annex[1] for annex in found if annex), "")


def put_in(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines with each limit's figure in the place of its name, without the annex.

    A name without exactly one entry, or whose entries lead in a circle, stays as it is.
    """
    limits, annex = compute_figures(lines), find_annex_letter(lines)
    kept = (line for line in lines if line.excused != LIMIT and not _is_heading(line))
    return tuple(replace(line, text=_put_in(line.text, limits, annex)) for line in kept)


def _is_heading(line: Line) -> bool:
    is_annex = line.style is Style.SECTION and _ANNEX.search(line.text)
    return bool(is_annex) and line.text.endswith(f": {LIMITS_ANNEX}")


def _put_in(text: str, limits: Mapping[str, str], annex: str) -> str:
    """Return a text with the figures of limits; a name in another annex stays as it is."""

    def put(use: re.Match[str]) -> str:
        name, letter = (group for group in use.groups() if group is not None)
        return limits.get(name, use[0]) if letter == annex else use[0]

    return _USE.sub(put, text)


@dataclass(frozen=True, slots=True)
class _Entry:
    amount: str
    word: str
    beyond: str


def compute_figures(lines: Iterable[Line]) -> dict[str, str]:
    """Return the figure of each limit that the entries determine."""
    found = [_ENTRY.match(line.text) for line in lines if line.excused == LIMIT]
    read = [
        (entry[1], _Entry(entry[3], entry[4] or "", entry[5] or "")) for entry in found if entry
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
    unit = first[2] if further[2] in _POINTS else further[2]
    return format_quantity(trim_zeros(f"{value:f}"), unit or "")


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
