"""What a task states of a row: its inputs, of which some are malformed by a slip of the pen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from sopforge.language.domain.building.field_parts.labels import describe_unreadable_label
from sopforge.language.domain.expressions.expressions import collect_read_fields
from sopforge.language.domain.fields import Field
from sopforge.language.domain.kinds import Kind
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.malformed_inputs import (
    compute_text_shape,
    is_malformed,
    name_malformed_mark,
)
from sopforge.language.domain.values.patterns import Pattern, read_pattern
from sopforge.language.domain.values.types import TextType, Value
from sopforge.language.logic.readings.scalar import holds
from sopforge.seeds import draw_below

_LETTERS_FOR_DIGITS = {"0": "O", "1": "I", "2": "Z", "5": "S", "8": "B"}
_DIGITS_FOR_LETTERS = {letter: digit for digit, letter in _LETTERS_FOR_DIGITS.items()}
_SEPARATORS = "_.-"


def derive_stated_inputs(
    model: DomainModel, row: Mapping[str, Value | None]
) -> dict[str, Value | None]:
    """Return what the task of a row says; what is malformed stays as it is."""
    return {item.name: _derive_stated_value(item, row) for item in model.given}


def list_stated_fields(model: DomainModel, cells: Mapping[str, str]) -> tuple[Field, ...]:
    """Return the inputs that have cells, without those of kinds of which the case is not."""
    others = {
        name for kind in model.kinds if not _is_of_kind(model, kind, cells) for name in kind.fields
    }
    return tuple(item for item in model.inputs if item.name in cells and item.name not in others)


def _is_of_kind(model: DomainModel, kind: Kind, cells: Mapping[str, str]) -> bool:
    """Return whether a case is of a kind, by its own entries where those asked for are lacking."""
    asked = collect_read_fields(kind.when)
    if asked <= cells.keys():
        return holds(kind.when, {name: model.fields[name].parse(cells[name]) for name in asked})
    words = {name: model.fields[name].missing for name in kind.fields}
    return any(cells.get(name, word) != word for name, word in words.items())


def derive_marks(model: DomainModel, inputs: Mapping[str, Value | None]) -> dict[str, Value | None]:
    """Return the marks of the inputs that may be malformed, as stated inputs bear them out."""
    return {
        name_malformed_mark(item.name): 1
        if is_malformed(item.type, inputs.get(item.name))
        else None
        for item in model.malformable
    }


def choose_malformed_text(item: Field, meant: str) -> str:
    """Return the malformed text that stands for the one that was meant; equal texts give equal."""
    listed = item.malformed.texts if item.malformed else ()
    pattern = read_pattern(item.type.pattern if isinstance(item.type, TextType) else "")
    kinds = [listed] if listed else list_slips(pattern, meant)
    # The kind before the place: a digit that looks like a letter stands at few places, and would
    # hardly be drawn among all. Seed 0, for what was meant alone decides (ADR 0006).
    kind = kinds[draw_below(len(kinds), 0, "malformed", item.name, meant)]
    return kind[draw_below(len(kind), 0, "malformed", item.name, meant, "place")]


def list_slips(pattern: Pattern, meant: str) -> list[tuple[str, ...]]:
    """Return what one slip makes of a text: the texts of each kind of slip that it can have.

    The pattern has none of them, and no reader of CSV files changes one. There is always one.
    """
    kinds = [
        tuple(
            text
            # Once each: to leave out either 0 of 1001 is one slip, not one that is twice as likely.
            for text in dict.fromkeys(kind)
            if text and not pattern.has(text) and not describe_unreadable_label(text)
        )
        for kind in _iterate_slips(meant)
    ]
    return [kind for kind in kinds if kind] or [(f"{meant}-x",)]


def _derive_stated_value(item: Field, row: Mapping[str, Value | None]) -> Value | None:
    value = row[item.name]
    if (
        item.malformed is None
        or row.get(name_malformed_mark(item.name)) is None
        or is_malformed(item.type, value)
    ):
        return value
    return choose_malformed_text(item, item.format_cell(value))


def _iterate_slips(text: str) -> Iterator[Iterable[str]]:
    """Return texts with one slip: a character too few or too many, mistaken, swapped or small."""
    yield _iterate_changed_texts(text, str.isalnum, lambda letter: "")  # noqa: ARG005 - it is left out
    yield _iterate_changed_texts(text, str.isalnum, lambda letter: letter * 2)
    yield _iterate_changed_texts(
        text, _LETTERS_FOR_DIGITS.__contains__, _LETTERS_FOR_DIGITS.__getitem__
    )
    yield _iterate_changed_texts(
        text, _DIGITS_FOR_LETTERS.__contains__, _DIGITS_FOR_LETTERS.__getitem__
    )
    yield [text.lower()]
    yield _iterate_swapped_texts(text)
    yield _iterate_changed_texts(text, _SEPARATORS.__contains__, lambda letter: "")  # noqa: ARG005 - it is left out
    yield [f"{text[:place]} {text[place:]}" for place in range(1, len(text))]


def _iterate_changed_texts(
    text: str, is_meant: Callable[[str], bool], change: Callable[[str], str]
) -> Iterator[str]:
    """Return the texts in which one of the characters that are meant is changed."""
    for place, letter in enumerate(text):
        if is_meant(letter):
            yield f"{text[:place]}{change(letter)}{text[place + 1 :]}"


def _iterate_swapped_texts(text: str) -> Iterator[str]:
    """Return the texts in which two neighbours of different kinds have changed places."""
    for place, (first, second) in enumerate(pairwise(text)):
        # Two digits that change places make another well-formed text.
        if compute_text_shape(first) != compute_text_shape(second):
            yield f"{text[:place]}{second}{first}{text[place + 2 :]}"
