"""Names for tools that are offered beside others, made from the names of those."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

LONGEST = 64
_LIKE = (
    ("get", "fetch", "retrieve", "read", "load"),
    ("find", "search", "locate", "identify"),
    ("check", "verify", "validate", "confirm"),
    ("calculate", "compute", "determine"),
    ("count", "tally"),
    ("register", "enrol", "enter"),
    ("release", "clear"),
    ("price", "rate"),
    ("reserve", "allocate"),
    ("issue", "emit"),
    ("create", "add"),
    ("score", "grade"),
)
_ENDINGS = ("Service", "Online", "Direct", "Central", "Desk", "Hub", "Portal", "Gateway")


def iterate_similar_names(name: str, taken: Collection[str]) -> Iterator[str]:
    """Return names that say the same: first with another verb, then with an ending."""
    verb = re.match(r"[a-z]+", name)
    start = verb[0] if verb else ""
    verbs = next((group for group in _LIKE if start in group), ())
    others = [other + name.removeprefix(start) for other in verbs if other != start]
    yield from _filter_free_names([*others, *(name + ending for ending in _ENDINGS)], taken)


def iterate_ended_names(
    name: str, endings: Collection[str], taken: Collection[str]
) -> Iterator[str]:
    """Return the name with each of these endings."""
    yield from _filter_free_names([name + ending for ending in endings], taken)


def format_camel_case(words: str) -> str:
    """Return words as a part of a tool's name: ``copay_tier`` becomes ``CopayTier``."""
    return "".join(part.capitalize() for part in re.split(r"[^A-Za-z0-9]+", words))


def join_ending(name: str, ending: str) -> str:
    """Return a name with an ending, of which the word that the name ends with is said once."""
    # e.g. getOrder and OrderStatus make getOrderStatus; getOrder and Order make getOrderOrder.
    last = re.findall(r"[A-Z][a-z0-9]*", name)[-1:]
    rest = ending.removeprefix(last[0]) if last else ending
    return name + (rest or ending)


def _filter_free_names(names: Collection[str], taken: Collection[str]) -> Iterator[str]:
    lower = {name.lower() for name in taken}
    yield from (name for name in names if name.lower() not in lower and len(name) <= LONGEST)
