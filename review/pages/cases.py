"""A case that a reviewer chooses or types, and what the model makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from review.pages.page import Query
from review.pages.parts.decision_tables import CaseFacts
from review.pages.parts.field_words import describe_values
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.malformed_inputs import is_malformed, name_malformed_mark
from sopforge.language.domain.values.types import (
    BOOLEAN_WORDS,
    BooleanType,
    EnumType,
    Value,
    ValueNotAllowedError,
)
from sopforge.language.english.words import phrase_expression
from sopforge.language.logic.explaining import Storyteller
from sopforge.language.logic.readings.scalar import holds
from sopforge.language.logic.walking import Walk, collect_outcomes
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.workspace import parse_model

EXAMPLES = 12
LONGEST_FAULT = 300
VALUE = "v."
"""What the name of a typed value begins with in the page's address."""
ONE_RECORD = "equal references lead to the same record, so each of its columns has one value"
GIVEN = (Role.INPUT, Role.TOLD, Role.OBSERVED)
Row = Mapping[str, Value | None]


@dataclass(frozen=True, slots=True)
class Entry:
    """A value that can be typed; ``options`` are there to choose from, ``fault`` is what is wrong.

    ``typed`` is what was typed in the place of the example's ``value``.
    """

    name: str
    label: str
    role: str
    value: str
    options: tuple[str, ...]
    hint: str
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A drawn case that can be chosen, by its answers."""

    number: int
    answers: str


@dataclass(frozen=True, slots=True)
class Case:
    """A chosen case: what it is, what it came to, and why; ``breaks`` are constraints it breaks."""

    number: int
    entries: tuple[Entry, ...]
    known: CaseFacts
    path: tuple[str, ...]
    answers: Mapping[str, str]
    story: tuple[str, ...]
    breaks: tuple[str, ...]

    @property
    def has_faults(self) -> bool:
        """Whether a typed value is not allowed in its field."""
        return any(entry.fault for entry in self.entries)


@dataclass(frozen=True, slots=True)
class _Drawn:
    rows: tuple[Row, ...]
    walks: tuple[Walk, ...]


def list_examples(model: DomainModel, domain: str, seed: int) -> tuple[Example, ...]:
    """Return the cases to choose from: drawn by the seed, so that they stay what they are."""
    return tuple(
        Example(number, "; ".join(_collect_answers(model, walk).values()))
        for number, walk in enumerate(_draw_cases(domain, seed).walks, start=1)
    )


def build_chosen_case(model: DomainModel, domain: str, seed: int, query: Query) -> Case | None:
    """Return the case that is asked for: an example, with typed values in the place of its own."""
    number = _parse_number(query.get("case", ""))
    if number is None:
        return None
    row = dict(_draw_cases(domain, seed).rows[number - 1])
    entries = []
    for item in model.with_role(*GIVEN):
        typed = query.get(VALUE + item.name)
        fault = "" if typed is None else _put(item, typed, row)
        shown = typed if typed is not None else item.format_cell(row[item.name])
        entries.append(_build_entry(item, shown, fault))
    breaks = tuple(
        phrase_expression(condition, model.fields)
        for condition in model.constraints
        if not holds(condition, row)
    )
    # Typed by hand, one record may be said to hold two things: what ties rows has no better words.
    if any(not holds(tie, row) for tie in model.ties):
        breaks += (ONE_RECORD,)
    if any(entry.fault for entry in entries) or breaks:
        return Case(number, tuple(entries), CaseFacts(), (), {}, (), breaks)
    done = label_row(model, row)
    known = CaseFacts({**row, **done.known}, done.rules)
    return Case(
        number,
        tuple(entries),
        known,
        tuple(done.path),
        _collect_answers(model, done),
        tuple(Storyteller(model).explain_walk(done)),
        (),
    )


@lru_cache(maxsize=16)
def _draw_cases(domain: str, seed: int) -> _Drawn:
    model = parse_model(domain)
    rows = tuple(sample_rows(model, seed, range(EXAMPLES)))
    return _Drawn(rows, tuple(label_row(model, row) for row in rows))


def _parse_number(text: str) -> int | None:
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(EXAMPLES))
    return int(text) if is_number and 1 <= int(text) <= EXAMPLES else None


def _put(item: Field, typed: str, row: dict[str, Value | None]) -> str:
    """Put a typed value into a row, with the mark that says whether it is malformed.

    Returns what is wrong with it, if anything is.
    """
    try:
        value = item.parse(typed)
    except ValueNotAllowedError as cause:
        return _shorten_words(str(cause))
    if item.malformed is not None:
        row[name_malformed_mark(item.name)] = 1 if is_malformed(item.type, value) else None
    row[item.name] = value
    return ""


def _shorten_words(words: str) -> str:
    """Return words without the middle of a long value in them."""
    is_long = len(words) > LONGEST_FAULT
    return f"{words[: LONGEST_FAULT // 2]} … {words[-LONGEST_FAULT // 2 :]}" if is_long else words


def _build_entry(item: Field, value: str, fault: str) -> Entry:
    match item.type:
        case EnumType(values):
            options = values
        case BooleanType():
            options = BOOLEAN_WORDS
        case _:
            options = ()
    if options and item.missing:
        options = (*options, item.missing)
    hint = describe_values(item.type) + (f", or “{item.missing}”" if item.missing else "")
    return Entry(item.name, item.label, item.role.value, value, options, hint, fault)


def _collect_answers(model: DomainModel, done: Walk) -> dict[str, str]:
    return {
        model.fields[name].label: model.fields[name].format_cell(value)
        for name, value in collect_outcomes(model, done).items()
    }
