"""Names for what a layer adds, which nothing else of a domain has."""

from __future__ import annotations

from collections.abc import Collection


def find_free_name(name: str, taken: Collection[str]) -> str:
    """Return a name that is not taken, with a number where it has to be.

    >>> find_free_name("findCases", {"findCases", "findCases2"})
    'findCases3'
    """
    number = 1
    while (found := name if number == 1 else f"{name}{number}") in taken:
        number += 1
    return found
