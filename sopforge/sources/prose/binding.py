"""Words by which a sentence of English prose may oblige, limit or decide."""

from __future__ import annotations

import re

BINDING_WORDS = (
    *("must", "shall", "should", "has to", "have to", "needs to", "need to", "required"),
    *("may", "cannot", "nobody", "never", "always", "only", "unless", "except"),
    *("at least", "at most", "at the latest", "within", "no later than", "no more than"),
    *("more than", "less than", "fewer than", "if", "otherwise", "in all other cases"),
)
"""Any of them makes a sentence one that may bind: it has to lead somewhere, or to be set aside."""
DENYING_WORDS = ("not", "no", "none", "never", "neither", "nor", "without", "unless", "except")
"""Beside one of them, a result that a passage names may be the one that it rules out."""
_BINDING = re.compile(rf"\b(?:{'|'.join(BINDING_WORDS)})\b", re.IGNORECASE)
_DENYING = re.compile(rf"\b(?:{'|'.join(DENYING_WORDS)}|only|other than)\b", re.IGNORECASE)


def is_binding(text: str) -> bool:
    """Return whether a sentence may be a rule, by its words alone.

    >>> is_binding("Refunds must be signed."), is_binding("The shop was founded by two brothers.")
    (True, False)
    """
    return _BINDING.search(text) is not None


def is_denying(text: str) -> bool:
    """Return whether a text may deny what it names."""
    return _DENYING.search(text) is not None
