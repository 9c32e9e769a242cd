"""What callers give by mistake in the place of a parameter: other types, slips and odd texts.

Some of it may be a value all the same; the model decides that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.types import (
    Json,
    ListType,
    MomentType,
    NumberType,
    ValueType,
)

# The longest text that is taken and one more; half of a pair, which UTF-8 cannot write; letters
# from right to left; and one beyond 16 bits.
ODD_TEXTS = ("x" * 200, "x" * 201, "\ud800", "\u0645\u0631\u062d\u0628\u0627", "\U0001f600")
# In Python, True equals 1 and False 0: careless checks take them for numbers.
OTHER_TYPES: tuple[object, ...] = (
    *(12.5, "", "\u00e9\u0000", [], [{"a": 1}], {"a": 1}, True, None),
    *(0, -1, False, 10**25, 1e300, 0.1 + 0.2, " ", "null", "None", ["yes"], [[]], [None]),
)
# Full-width twins of ASCII: to `int` and `str.isdigit` their digits are digits.
_WIDE = {ord(digit): 0xFEE0 + ord(digit) for digit in map(chr, range(0x21, 0x7F))}


def _get_next_letter(letter: str) -> str:
    return chr(ord(letter) + 1) if letter else "x"


def _change_middle(text: str) -> str:
    middle = len(text) // 2
    return f"{text[:middle]}{_get_next_letter(text[middle : middle + 1])}{text[middle + 1 :]}"


_SLIPS: tuple[Callable[[str], str], ...] = (
    lambda text: f"{text} ",
    lambda text: f" {text}",
    # Before a last line end, `$` of a regular expression holds too.
    lambda text: f"{text}\n",
    lambda text: f"{text}\u0000",
    str.upper,
    str.lower,
    str.swapcase,
    lambda text: text[:-1],
    lambda text: text[1:],
    lambda text: text + text[-1:],
    lambda text: f"{text[:-1]}{_get_next_letter(text[-1:])}",
    lambda text: f"{_get_next_letter(text[:1])}{text[1:]}",
    _change_middle,
    lambda text: text.translate(_WIDE),
    lambda text: f"{text[:-1]}{text[-1:].translate(_WIDE)}",
    lambda text: f"{text}\u0301",
    lambda text: f"\u202e{text}",
    lambda text: f"{text}\U0001f600",
    lambda text: f"\ufeff{text}",
    lambda text: text.replace(" ", "\u00a0"),
    lambda text: text.replace("-", "/"),
    lambda text: text.replace("-", ""),
    lambda text: text.replace(" ", "T"),
    lambda text: f"'{text}'",
    lambda text: text * 500,
)


def list_wrong_values(item: Field, given: Json) -> tuple[object, ...]:
    """Return what may be given in the place of a value of a field."""
    found = [*OTHER_TYPES, *ODD_TEXTS, *_iterate_outside_values(item.type)]
    if isinstance(given, str):
        found += [slip(given) for slip in _SLIPS if slip(given) != given]
    if isinstance(given, int | float):
        found += [str(given), [given], f"{given} ", -given, given + 0.0001, float(given)]
    if isinstance(given, list):
        found += _iterate_wrong_lists(item.type, list(given))
    if item.missing:
        found += [item.missing, item.missing.upper()]
    return tuple(found)


def _iterate_outside_values(kind: ValueType) -> Iterator[object]:
    """Return what lies one unit outside the bounds, and dates that there are not."""
    if isinstance(kind, NumberType):
        low, high = kind.bounds
        yield from (kind.to_json(low - 1), kind.to_json(high + 1))
    if isinstance(kind, MomentType):
        low, high = kind.bounds
        has_time = kind.get_minutes(low) is not None
        step = 60 if has_time else 1
        for value in (low - step, high + step):
            # Beyond the first and the last day of all calendars there is no date to give.
            with suppress(ValueError, OverflowError):
                yield kind.to_json(value)
        time = " 10:00" if has_time else ""
        yield from (f"2026-02-30{time}", f"2026-13-01{time}", "2026-03-01 24:00")
        yield from ("2026-03-01 10:60", "2026-3-1", "1 March 2026")


def _iterate_wrong_lists(kind: ValueType, given: list[object]) -> Iterator[object]:
    """Return lists with one item too many, twice the same, or with one thing wrong in an item."""
    yield [*given, *given]
    yield [*given, "no such label"]
    yield given[0] if given else "no such label"
    for place, item in enumerate(given):
        others = [*given[:place], *given[place + 1 :]]
        if isinstance(item, str):
            yield from ([item.lower(), *others], [f"{item} ", *others])
        if isinstance(item, dict) and isinstance(kind, ListType):
            yield from ([changed, *others] for changed in _iterate_wrong_items(kind, item))
    if isinstance(kind, ListType) and given:
        yield [given[0]] * (kind.size + 1)


def _iterate_wrong_items(kind: ListType, item: dict[str, object]) -> Iterator[dict[str, object]]:
    yield {**item, "further": 1}
    for name, value in item.items():
        yield {part: found for part, found in item.items() if part != name}
        yield from ({**item, name: wrong} for wrong in ({"a": 1}, None, 10**25, True))
        if isinstance(value, str):
            yield {**item, name: f"{value} "}
    for name, part in kind.fields:
        yield from ({**item, name: wrong} for wrong in _iterate_outside_values(part))
