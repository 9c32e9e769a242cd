"""The annex that says what terms of the steps stand for, and by how much their limits are amended.

A step says that a value *counts as* something, and the annex for which condition that stands; a
step has a limit *as amended*, and the annex has what is added to it or taken from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from sopforge.rendering.sop.ambiguous.wordings import LABEL, SUBJECT

TITLE = "Annex: terms and amendments"
OPENING = (
    "Where a step says that something counts as something else, it means what stands here, and"
    " nothing else. A limit that a step has as amended is changed as it stands here."
)
DAY = r"\d{4}-\d\d-\d\d"
FIGURE = rf"{DAY}|\d+(?:\.\d+)?"
AMENDED = " as amended"
_VERBS = {"raised": 1, "lowered": -1, "put off": 1, "brought forward": -1}
_TERM = re.compile(rf"- In step (\d+\.\d+) \(.+?\), ({SUBJECT} counts? as {LABEL}) if (.+)\.\Z")
_AMENDMENT = re.compile(
    rf"- In step (\d+\.\d+) \(.+\), the limit of ({FIGURE})( .+)? is ({'|'.join(_VERBS)}) by"
    r" (\d+(?:\.\d+)?) .+\.\Z"
)
_USED = re.compile(rf"({SUBJECT}) count(s?) as (?=\")")
_AMENDED_FIGURE = re.compile(rf"(?<![\w.-])((?:{FIGURE})(?: [^ |\"]+)?){AMENDED}\b")
_HEADING = re.compile(r"(\d+\. \S|\d+\.\d+ \S|Item \d+\Z)")
_STEP = re.compile(r"(\d+\.\d+) (\S.*)\Z")


@dataclass(frozen=True, slots=True)
class StepLines:
    """A step of a text: its number and title, the line of its heading, and that after its last."""

    number: str
    title: str
    start: int
    end: int


def list_steps(lines: Sequence[str]) -> list[StepLines]:
    """Return the steps that a text has, in their order."""
    starts = [at for at, line in enumerate(lines) if _is_heading(lines, at, line)]
    ends = [*starts[1:], len(lines)][: len(starts)]
    return [
        StepLines(found[1], found[2], start, end)
        for start, end in zip(starts, ends, strict=True)
        if (found := _STEP.match(lines[start]))
    ]


def _is_heading(lines: Sequence[str], at: int, line: str) -> bool:
    return (at == 0 or not lines[at - 1]) and _HEADING.match(line) is not None


def write_term(step: StepLines, term: str, condition: str) -> str:
    """Return the entry that says for which condition a term stands in a step."""
    return f"- In step {step.number} ({step.title}), {term} if {condition}."


def write_amendment(step: StepLines, first: str, unit: str, away: Decimal) -> str:
    """Return the entry that says by how much a first figure is changed; days by days."""
    is_day = re.fullmatch(DAY, first) is not None
    more, less = ("put off", "brought forward") if is_day else ("raised", "lowered")
    verb = more if away > 0 else less
    limit = f"{first} {unit}" if unit else first
    changed = f"{abs(away):f} {'days' if is_day else unit}"
    return f"- In step {step.number} ({step.title}), the limit of {limit} is {verb} by {changed}."


def put_annex(lines: Iterable[str]) -> list[str]:
    """Return the lines of a text with what the annex says in its place, and without the annex.

    What has no entry stays as it is.
    """
    kept, entries = _split_annex(list(lines))
    uses = _read_entries(entries)
    for step in list_steps(kept) if uses else ():
        for at in range(step.start + 1, step.end):
            for used, meant in uses.get(step.number, {}).items():
                kept[at] = meant.join(re.split(_build_pattern(used), kept[at]))
    return kept


def _build_pattern(words: str) -> str:
    return rf"(?<![\w.-]){re.escape(words)}(?!\w)"


def _split_annex(lines: list[str]) -> tuple[list[str], list[str]]:
    """Return the lines without the annex, and those of the annex."""
    start = next((at for at, line in enumerate(lines) if _is_title(line)), None)
    if start is None:
        return lines, []
    later = range(start + 1, len(lines))
    end = next((at for at in later if _is_heading(lines, at, lines[at])), len(lines))
    return [*lines[:start], *lines[end:]], lines[start:end]


def _is_title(line: str) -> bool:
    number, _, title = line.partition(". ")
    return title == TITLE and number.isdigit()


def _read_entries(entries: Iterable[str]) -> Mapping[str, Mapping[str, str]]:
    """Return for each step what stands in it, with what is meant by that."""
    uses: dict[str, dict[str, str]] = {}
    for entry in entries:
        if term := _TERM.match(entry):
            uses.setdefault(term[1], {})[term[2]] = term[3]
        elif found := _AMENDMENT.match(entry):
            first, unit = found[2], found[3] or ""
            figure = _compute_amended(first, Decimal(found[5]) * _VERBS[found[4]])
            uses.setdefault(found[1], {})[f"{first}{unit}{AMENDED}"] = f"{figure}{unit}"
    return uses


def _compute_amended(first: str, away: Decimal) -> str:
    if re.fullmatch(DAY, first):
        return (date.fromisoformat(first) + timedelta(days=int(away))).isoformat()
    return f"{Decimal(first) + away:f}"


def take_without_annex(text: str) -> str:
    """Return a text as it is read by somebody who looks nothing up in the annex.

    >>> take_without_annex('Go on if the kind counts as "Gift" and it costs 20 EUR as amended.')
    'Go on if the kind is "Gift" and it costs 20 EUR.'
    """
    kept, _ = _split_annex(text.split("\n"))
    text = _USED.sub(lambda use: f"{use[1]} {'is' if use[2] else 'are'} ", "\n".join(kept))
    return _AMENDED_FIGURE.sub(r"\1", text)
