"""Reads how many tokens an endpoint says that it counted: a budget hangs on these numbers."""

from __future__ import annotations

from dataclasses import fields

from sopforge.providers.completion import Usage

# More than any model reads or writes at once.
MOST_TOKENS = 100_000_000


def read_usage(
    *, input_: object, output: object, cache_read: object = None, cache_write: object = None
) -> Usage | None:
    """Return the counts, or nothing where one of them is no whole number that tokens can have.

    Those of the cache may be left out.
    """
    counts = map(_read_count, (input_, output, cache_read or 0, cache_write or 0))
    known = [count for count in counts if count is not None]
    return Usage(*known) if len(known) == len(fields(Usage)) else None


def _read_count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else None
