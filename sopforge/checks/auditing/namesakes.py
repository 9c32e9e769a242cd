"""Columns that tools and keys of their results are named after."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\dA-Za-z_]+|\d+")


def find_namesake(name: str, columns: Sequence[str]) -> str:
    """Return the column of a name, "" for none: ``outage id`` is ``outage_id``."""
    names = {_normalize_name(column): column for column in columns}
    return names.get(_normalize_name(name), "")


def find_column_of_tool(name: str, description: str, columns: Sequence[str]) -> str:
    """Return the column that a tool says it gives, "" for none.

    Its name says so, with or without a verb before it, or its description does, of one column
    alone. There a column of one word has to stand in quotes, for any sentence may use the word.

    >>> find_column_of_tool("calculateRiskIndex", "", ["risk", "risk_index"])
    'risk_index'
    >>> find_column_of_tool("rate", "Return the risk index of a site", ["risk", "risk_index"])
    'risk_index'
    """
    after_verb = "".join(_WORD.findall(name)[1:])
    if found := find_namesake(name, columns) or find_namesake(after_verb, columns):
        return found
    named = [column for column in columns if _is_named(column, description)]
    return named[0] if len(named) == 1 else ""


def _is_named(column: str, text: str) -> bool:
    words = list(map(re.escape, _WORD.findall(column)))
    phrase = r"[\s_-]*".join(words)
    is_plain_word = words[1:] == []
    pattern = rf"([\"'`]){phrase}\1" if is_plain_word else rf"(?<![^\W_]){phrase}(?![^\W_])"
    return bool(words) and re.search(pattern, text, re.IGNORECASE) is not None


def _normalize_name(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
