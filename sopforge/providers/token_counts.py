"""Reads how many tokens an endpoint says that it counted: a budget hangs on these numbers."""

from __future__ import annotations

from sopforge.providers.completion import Usage

# More than any model reads or writes at once.
MOST_TOKENS = 100_000_000


def read_usage(
    *, input_: object, output: object, cache_read: object = None, cache_write: object = None
) -> Usage | None:
    """Return the counts, or nothing where one of them is no whole number that tokens can have.

    Those of the cache may be left out.
    """
    counts = (input_, output, cache_read or 0, cache_write or 0)
    if all(_is_count(count) for count in counts):
        return Usage(*counts)  # type: ignore[arg-type] - seen to be integers
    return None


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= MOST_TOKENS
