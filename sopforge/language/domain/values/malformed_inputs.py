"""Malformed inputs: texts that are no values of their fields, and how rows mark them.

A row keeps the value that was meant, and beside it a mark where the task states another one in its
place: so a record has its key although its task does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sopforge.language.domain.values.patterns import read_pattern
from sopforge.language.domain.values.types import ListType, TextType, Value, ValueType

_SUFFIX = " malformed"


def name_malformed_mark(name: str) -> str:
    """Return under which name a row says, by 1 or None, that a field is malformed.

    No field and no entity has such a name.
    """
    return f"{name}{_SUFFIX}"


def find_marked_field(mark: str) -> str:
    """Return the field that a mark is of, "" if the name is none of a mark."""
    name = mark.removesuffix(_SUFFIX)
    return "" if name == mark else name


def is_malformed(kind: ValueType, value: Value | None) -> bool:
    """Return whether a value is a text outside its type: its pattern does not have it.

    Of a list, whether some item has such a text. Values of all other types are no texts.
    """
    if isinstance(kind, ListType) and isinstance(value, tuple):
        return any(is_malformed(part, item[name]) for item in value for name, part in kind.fields)
    if not isinstance(value, str):
        return False
    if not isinstance(kind, TextType):
        return True
    return bool(kind.pattern) and not read_pattern(kind.pattern).has(value)


def compute_text_shape(text: str) -> str:
    """Return a text with one letter for all letters and one digit for all digits.

    >>> compute_text_shape("Px12 7")
    'Aa99 9'
    """
    return "".join(map(_generalize_letter, text))


def collect_malformed_shapes(
    kinds: Mapping[str, ValueType], values: Mapping[str, Value | None], names: Iterable[str]
) -> dict[str, str]:
    """Return the shapes of the named values that are malformed.

    Tasks that differ in identifiers only are alike, but for how an identifier is malformed.
    """
    found = {name: values[name] for name in names if is_malformed(kinds[name], values.get(name))}
    return {name: compute_text_shape(str(value)) for name, value in sorted(found.items())}


def _generalize_letter(letter: str) -> str:
    if letter.isdigit():
        return "9"
    if not letter.isalpha():
        return letter
    return "A" if letter.isupper() else "a"
