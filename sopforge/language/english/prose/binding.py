"""The sentences of English prose, and which of them may oblige, limit or decide."""

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
_MONTH = re.compile(r"(?<=\w )May\b")
_ASKED = re.compile(r"\b(?:whether|whoever|how)\b[^,;:.]*", re.IGNORECASE)
_SENTENCES = re.compile(r'(?<=[.!?])\s+(?=[^\W\d_a-z]|["(])')
_HISTORY = re.compile(r"\b(?:[Ss]ince|[Ii]n|[Uu]ntil) (?:(?:the year|[A-Z]\w+) )?(?:19|20)\d\d\b")
"""When something was so: no rule is about it."""
_FIGURE = re.compile(r"(?<![\w./-])\d+(?:[.,]\d+)*(?![\w/-])")
"""A number by itself: "261/2004" is what a statute is called by."""


def is_binding(text: str) -> bool:
    """Return whether a sentence may be a rule, by its words alone.

    >>> is_binding("Refunds must be signed."), is_binding("The shop was founded by two brothers.")
    (True, False)
    """
    return _BINDING.search(_MONTH.sub("", text)) is not None


def is_denying(text: str) -> bool:
    """Return whether a text may deny what it names."""
    return _DENYING.search(text) is not None


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a paragraph."""
    return _SENTENCES.split(" ".join(text.split()))


def list_figures(sentence: str) -> list[str]:
    """Return the figures of a sentence; years of history are none.

    >>> list_figures("Since 2019, up to 1,500 EUR are paid.")
    ['1,500']
    """
    return _FIGURE.findall(_HISTORY.sub("", sentence))


def may_bind(sentence: str) -> bool:
    """Return whether a sentence may be a rule: by its words, or for it has a figure.

    What is asked in it ("decide whether a parcel may leave") obliges nobody.

    >>> may_bind("Decide whether a parcel may leave."), may_bind("A parcel may leave.")
    (False, True)
    """
    return is_binding(_ASKED.sub("", sentence)) or bool(list_figures(sentence))
