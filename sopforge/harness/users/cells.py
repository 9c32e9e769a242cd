"""Values as a user says them, and read back: a number with its unit, all else as its cell."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.malformed_inputs import is_malformed
from sopforge.language.domain.values.types import NumberType, ValueNotAllowedError
from sopforge.language.english.nouns import contains_unit


def show_value(item: Field, cell: str) -> str:
    """Return a cell as a user says it: a number with its unit."""
    unit = _get_unit(item)
    return f"{cell} {unit}" if unit and not item.malformed and cell != item.missing else cell


def iterate_cells(item: Field, shown: str) -> Iterator[str]:
    """Yield the cells of a field that are shown so: one, or none where it is no value."""
    unit = _get_unit(item)
    stripped = shown.removesuffix(f" {unit}") if unit else shown
    for cell in dict.fromkeys((stripped, shown)):
        if is_cell(item, cell) and show_value(item, cell) == shown:
            yield cell


def is_cell(item: Field, cell: str) -> bool:
    """Return whether a text is a cell of a field."""
    try:
        value = item.parse(cell)
    except ValueNotAllowedError:
        return False
    if item.format_cell(value) != cell:
        return False
    return bool(item.malformed) or not is_malformed(item.type, value)


def _get_unit(item: Field) -> str:
    if not isinstance(item.type, NumberType) or contains_unit(item.label, item.type):
        return ""
    return item.type.unit
