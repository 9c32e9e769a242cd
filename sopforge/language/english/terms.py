"""What a sentence says, as a tree: the rule language without types, scales and constants' names.

A term is a tuple of a head and its parts, which are terms, texts or None. Leaves are
``("field", name)``, ``("part", list, name)``, ``("number", figure, unit, name)``,
``("day", date, name)``, ``("time", moment, name)``, ``("label", text)``, ``("labels", *texts)`` and
``("it",)``, the subject that a predicate lacks, and ``("limit", name)``, a figure
that stands elsewhere. The name of a policy constant is carried along, and
says nothing: ``drop_names`` leaves it out. Other heads are those of the rule language (``+``,
``>=``, ``days``, ``some`` …); ``("items", list, where)`` are the entries of a list that meet a
condition, None for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

Term: TypeAlias = tuple[Any, ...]
IT: Term = ("it",)
NAMED = {"number": 3, "day": 2, "time": 2}
"""Where leaves that a policy constant may name have its name."""
LITERALS = frozenset({*NAMED, "label", "labels", "limit"})
ROUNDED = frozenset({"round", "floor", "ceiling"})
OF_ONE_ENTRY = frozenset({"least", "greatest", "first", "last", "median"})
"""Heads of what is the value of one entry of a list."""
MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def map_parts(term: Term, change: Callable[[Term], Term]) -> Term:
    """Return a term with each of its parts changed that is a term."""
    return (term[0], *(change(x) if isinstance(x, tuple) else x for x in term[1:]))


def walk_term(term: Term) -> Iterator[Term]:
    """Yield a term and all terms within it, parents first."""
    yield term
    for part in term[1:]:
        if isinstance(part, tuple):
            yield from walk_term(part)


def drop_names(term: Term) -> Term:
    """Return a term without the names of constants, which no text has."""
    place = NAMED.get(term[0])
    return map_parts(term, drop_names) if place is None else (*term[:place], "")


def find_lists(term: Term) -> frozenset[str]:
    """Return the lists of whose entries a part of a condition is, none for what is about the case.

    What a term itself takes of each entry, it says of which list that is.
    """
    if term[0] == "part":
        return frozenset({term[1]})
    parts = [x for x in term[1:] if isinstance(x, tuple)]
    if any(x[0] == "items" for x in parts):
        return frozenset()
    return frozenset[str]().union(*map(find_lists, parts))
