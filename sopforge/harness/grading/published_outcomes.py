"""Answers of packages without a model: read from a text, and compared by their declared types."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import TypeAlias

from sopforge.harness.scoring.sop_bench_package import UNPARSABLE
from sopforge.language.domain.values.composing import compose

Value: TypeAlias = str | Decimal | date | bool | frozenset[str] | None
"""None where the task has no answer to an outcome."""
_TRUE, _FALSE = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
_LONGEST = 200_000
"""Of an answer in which objects are looked for: to look from each brace on takes its square."""
_MOST_BRACES = 200
DECISION = "final_decision"
"""The element that SOP-Bench's prompts ask for, whatever the package."""


class NoValueError(ValueError):
    """A text is no value of its type."""


class AnswerKind(StrEnum):
    """How the values of an outcome are compared."""

    LABEL = "label"
    """Without regard to case, to spaces, underscores and hyphens, and to composed letters."""
    NUMBER = "number"
    """As decimals, to so many places where that is said."""
    DATE = "date"
    BOOLEAN = "boolean"
    SET = "set"
    """As labels, in any order."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One column that agents answer; ``tag`` is the element to answer it in.

    Of no ``labels`` any text is one. ``missing`` is the word for no answer, where a cell is blank.
    """

    name: str
    tag: str
    kind: AnswerKind
    labels: tuple[str, ...] = ()
    places: int | None = None
    format: str = ""
    missing: str = "none"

    def parse_cell(self, cell: str) -> Value:
        """Return the value of a cell of the table.

        Raises:
            NoValueError: it is none.
        """
        return self.parse(cell) if cell.strip() else None

    def parse(self, text: str) -> Value:
        """Return the value that a text states.

        Raises:
            NoValueError: it is none.
        """
        try:
            return self.parse_kind(text.strip())
        except NoValueError:
            if normalize_label(text) == normalize_label(self.missing):
                return None
            raise

    def parse_kind(self, text: str) -> Value:
        """Return a value as ``parse`` does, whatever the word for no answer."""
        match self.kind:
            case AnswerKind.NUMBER:
                return _parse_number(text, self.places)
            case AnswerKind.DATE:
                return _parse_date(text, self.format)
            case AnswerKind.BOOLEAN:
                return _parse_boolean(text)
            case AnswerKind.SET:
                return frozenset(_require_label(self, item) for item in _split_items(text))
            case _:
                return _require_label(self, text)


def is_right(outcome: Outcome, cell: str, stated: str | None) -> bool:
    """Return whether what was stated is the value of a cell."""
    try:
        return stated is not None and outcome.parse(stated) == outcome.parse_cell(cell)
    except NoValueError:
        return False


def is_value(outcome: Outcome, stated: str | None) -> bool:
    """Return whether what was stated is a value of its type."""
    try:
        return stated is not None and (outcome.parse(stated), True)[1]
    except NoValueError:
        return False


def normalize_label(text: str) -> str:
    """Return a label as labels are compared; a minus before a number is no hyphen."""
    plain = compose(text).strip()
    return re.sub(r"(?!^-\d)[\s_-]+", " ", plain).strip().casefold() or plain


def read_stated(text: str, outcomes: Sequence[Outcome]) -> dict[str, str]:
    """Return what a final text states, by the names of outcomes.

    An element named as the outcome's tag counts, the last one of several; else the key of that name
    in an object, as JSON or Python writes it; else, of a single outcome, SOP-Bench's own element.
    """
    objects = list(_iterate_objects(text))
    found = {}
    for outcome in outcomes:
        stated = _read_element(text, outcome.tag)
        if stated is None:
            stated = _read_key(objects, outcome)
        if stated is None and len(outcomes) == 1:
            stated = _read_element(text, DECISION)
        if stated is not None:
            found[outcome.name] = stated
    return found


def write_stated(outcomes: Sequence[Outcome], stated: Mapping[str, str]) -> str:
    """Return a final text that ``read_stated`` reads."""
    return "\n".join(
        f"<{item.tag}>{stated[item.name]}</{item.tag}>" for item in outcomes if item.name in stated
    )


def _read_element(text: str, tag: str) -> str | None:
    # As labels are: not every SOP spells a column as the table does.
    name = r"[\s_-]+".join(map(re.escape, re.split(r"[\s_-]+", tag)))
    found = re.findall(rf"(?is)<{name}>((?:(?!<{name}>).)*?)</{name}>", text)
    return found[-1].strip() if found else None


def _read_key(objects: Sequence[Mapping[str, object]], outcome: Outcome) -> str | None:
    wanted = {normalize_label(outcome.tag), normalize_label(outcome.name)}
    found = [
        value
        for item in objects
        for name, value in _iterate_keys(item)
        if normalize_label(name) in wanted
    ]
    return _format_value(found[-1], outcome) if found else None


def _iterate_keys(item: object) -> Iterator[tuple[str, object]]:
    """Return the keys of an object and of those in it."""
    if isinstance(item, dict):
        for name, value in item.items():
            yield str(name), value
            yield from _iterate_keys(value)
    elif isinstance(item, list):
        for part in item:
            yield from _iterate_keys(part)


def _iterate_objects(text: str) -> Iterator[Mapping[str, object]]:
    """Return the outermost objects in a text."""
    start, tried = text.find("{"), 0
    decoder = json.JSONDecoder()
    while 0 <= start < _LONGEST and tried < _MOST_BRACES:
        tried += 1
        end = start + 1
        with suppress(ValueError, RecursionError):
            found, end = decoder.raw_decode(text, start)
            yield found
        start = text.find("{", end)
    with suppress(*UNPARSABLE):
        literal = ast.literal_eval(text[text.find("{") : text.rfind("}") + 1][:_LONGEST])
        if isinstance(literal, dict):
            yield literal


def _format_value(value: object, outcome: Outcome) -> str:
    if value is None:
        return outcome.missing
    if isinstance(value, bool):
        return str(value).lower()
    try:
        return json.dumps(value, default=str) if isinstance(value, list | dict) else str(value)
    except (ValueError, TypeError, RecursionError):
        # A number of thousands of digits, or keys that are no texts.
        return ""


def _require_label(outcome: Outcome, text: str) -> str:
    label = normalize_label(text)
    if not label or (outcome.labels and label not in map(normalize_label, outcome.labels)):
        raise NoValueError(text)
    return label


def _parse_number(text: str, places: int | None) -> Decimal:
    plain = text.replace(",", "") if _THOUSANDS.fullmatch(text) else text
    try:
        number = Decimal(plain)
        if not number.is_finite():
            raise NoValueError(text)
        return number if places is None else number.quantize(Decimal(1).scaleb(-places))
    except InvalidOperation as cause:
        raise NoValueError(text) from cause


def _parse_date(text: str, layout: str) -> date:
    """Return a date as the table writes it, or as ISO 8601 does."""
    with suppress(ValueError):
        return date.fromisoformat(text)
    try:
        return datetime.strptime(text, layout).date() if layout else _refuse(text)  # noqa: DTZ007 - a day
    except ValueError as cause:
        raise NoValueError(text) from cause


def _refuse(text: str) -> date:
    raise NoValueError(text)


def _parse_boolean(text: str) -> bool:
    if text.lower() not in _TRUE | _FALSE:
        raise NoValueError(text)
    return text.lower() in _TRUE


def _split_items(text: str) -> list[str]:
    """Return the items of a list as JSON or Python writes it, else what separators part."""
    if text.startswith("["):
        for read in (json.loads, ast.literal_eval):
            with suppress(*UNPARSABLE):
                return [str(item) for item in read(text)]
        raise NoValueError(text)
    # Stripped one by one: a pattern with the blanks in it takes the square of a run of them.
    return [item for part in re.split("[;,|]", text) if (item := part.strip())]
