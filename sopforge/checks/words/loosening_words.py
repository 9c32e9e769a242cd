"""Words that make of all some, of a duty a choice, or of a fact a habit."""

from __future__ import annotations

import re

_LOOSENING = re.compile(
    r"\b(?:certain|some|several|selected|usually|normally|generally|sometimes|often|mostly|mainly"
    r"|partly|roughly|almost|nearly|(?:a|any) (?:share|part|number|few) of|most of|you can|will"
    r"|would"
    r"|(?:is|are|was|were|do|does|did) not always)\b",
    re.IGNORECASE,
)
_ALL = re.compile(r"\b(?:every|everybody|everything|each|all|any|throughout)\b", re.IGNORECASE)


def find_loosening_words(text: str) -> list[str]:
    """Return the words by which a text holds for some, or now and then.

    >>> find_loosening_words("Certain cases end here, and some are not always closed.")
    ['Certain', 'some', 'are not always']
    """
    return _LOOSENING.findall(text)


def is_looser(text: str, known: str) -> bool:
    """Return whether a text has more such words than another one, or no longer speaks of all."""
    has_more = len(find_loosening_words(text)) > len(find_loosening_words(known))
    return has_more or (_ALL.search(known) is not None and _ALL.search(text) is None)
