"""Whether a value is one of its shape, as calls carry values; read from the shape alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

from pydantic import JsonValue

from sopforge.artifacts.packaging.state.shapes import ValueShape


def is_value(shape: ValueShape, value: JsonValue) -> bool:
    """Return whether a value is one of its shape."""
    if isinstance(value, str) and (value == shape.missing or value in (shape.malformed or ())):
        return True
    return _KINDS[shape.type](shape, value)


def _is_number(shape: ValueShape, value: JsonValue) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        number = Decimal(str(value))
        is_exact = number == round(number, shape.places or 0)
        return is_exact and Decimal(shape.least or "0") <= number <= Decimal(shape.most or "0")
    except (InvalidOperation, OverflowError, ValueError):
        return False


def _is_answer(_shape: ValueShape, value: JsonValue) -> bool:
    return value in ("yes", "no")


def _is_label(shape: ValueShape, value: JsonValue) -> bool:
    return value in (shape.labels or ())


def _is_set(shape: ValueShape, value: JsonValue) -> bool:
    return isinstance(value, list) and all(item in (shape.labels or ()) for item in value)


def _is_date(shape: ValueShape, value: JsonValue) -> bool:
    return _is_between(shape, value, date.fromisoformat)


def _is_moment(shape: ValueShape, value: JsonValue) -> bool:
    return _is_between(shape, value, datetime.fromisoformat)


def _is_between(shape: ValueShape, value: JsonValue, read: Callable[[str], date]) -> bool:
    if not isinstance(value, str):
        return False
    try:
        return read(shape.least or "") <= read(value) <= read(shape.most or "")
    except ValueError:
        return False


def _is_text(_shape: ValueShape, value: JsonValue) -> bool:
    return isinstance(value, str)


def _is_list(shape: ValueShape, value: JsonValue) -> bool:
    return isinstance(value, list) and all(_is_item(shape, item) for item in value)


def _is_item(shape: ValueShape, value: JsonValue) -> bool:
    fields = shape.fields or {}
    return (
        isinstance(value, dict)
        and value.keys() == fields.keys()
        and all(is_value(fields[name], value[name]) for name in fields)
    )


_KINDS: Mapping[str, Callable[[ValueShape, JsonValue], bool]] = {
    "number": _is_number,
    "yes or no": _is_answer,
    "label": _is_label,
    "set of labels": _is_set,
    "date": _is_date,
    "date and time": _is_moment,
    "text": _is_text,
    "list": _is_list,
}
