"""Wordings of conditions that a careless reader takes otherwise, beside plain ones of one meaning.

"not more than" is "at most", "no earlier than" a day is "on or after" it, "any but" a label is that
it is "not" this one, and what holds "unless" something does, holds if it does not. So "unless" is
for what is always known: a comparison with a missing value does not hold, nor does its contrary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

SUBJECT = r'the (?:(?! is | are | and | or )[^",;:()|.])+?'
LABEL = r'"[^"]*"'
_VERB = r"(?:is|are)"
_REST = r'(?:(?! and | or )[^",;:()|])+?'


@dataclass(frozen=True, slots=True)
class _Wording:
    """The pattern of plain words, what is ``said`` instead, and the ``pattern`` of that.

    ``meant`` are the plain words for it, ``taken`` what a careless reader takes it for. One that is
    for ``whole`` conditions stands in none with "or" or with a list.
    """

    plain: str
    said: str
    pattern: str
    meant: str
    taken: str
    is_for_whole: bool = False


def _make_relation(plain: str, said: str, taken: str, before: str) -> _Wording:
    """Return the wording of a relation, before what stands after it."""
    return _Wording(
        rf"\b{plain} (?={before})",
        f"{said} ",
        rf"\b{said} (?={before})",
        f"{plain} ",
        f"{taken} ",
    )


def _make_denial(plain: str, denied: str) -> _Wording:
    """Return the wording by which something holds unless the contrary of its condition does."""
    holds = rf"({SUBJECT} {_VERB}) {plain} ({_REST})(?=\.$)"
    fails = rf"({SUBJECT} {_VERB}) {denied} ({_REST})(?=\.$)"
    return _Wording(
        f" if {holds}",
        rf" unless \1 {denied} \2",
        f"(?<!,) unless {fails}",
        rf" if \1 {plain} \2",
        rf" if \1 {denied} \2",
    )


_CONTRARY = (
    ("more than", "at most"),
    ("less than", "at least"),
    ("after", "on or before"),
    ("before", "on or after"),
)
_WORDINGS = (
    _Wording(
        rf" and ({SUBJECT} {_VERB}) not ({LABEL})(?=[;.]?$)",
        r", unless \1 \2",
        rf", unless ({SUBJECT} {_VERB}) ({LABEL})(?=[;.]?$)",
        r" and \1 not \2",
        r" and \1 \2",
        is_for_whole=True,
    ),
    _Wording(
        rf" if ({SUBJECT} {_VERB}) not ({LABEL})(?=\.$)",
        r" unless \1 \2",
        rf"(?<!,) unless ({SUBJECT} {_VERB}) ({LABEL})(?=\.$)",
        r" if \1 not \2",
        r" if \1 \2",
    ),
    *(
        _make_denial(*pair)
        for first, second in _CONTRARY
        for pair in ((first, second), (second, first))
    ),
    _Wording(
        rf" if ({SUBJECT}) differs from ({_REST})(?=\.$)",
        r" unless \1 is the same as \2",
        rf"(?<!,) unless ({SUBJECT}) is the same as ({_REST})(?=\.$)",
        r" if \1 differs from \2",
        r" if \1 is the same as \2",
    ),
    _Wording(
        rf"({SUBJECT} {_VERB}) not (?=\")",
        r"\1 any but ",
        rf"({SUBJECT} {_VERB}) any but (?=\")",
        r"\1 not ",
        r"\1 ",
    ),
    _make_relation("at most", "not more than", "less than", r"-?\d"),
    _make_relation("at least", "not less than", "more than", r"-?\d"),
    # Of so many days before or after another day, these are the plain words.
    _make_relation("on or before", "no later than", "before", r"the |\d{4}-"),
    _make_relation("on or after", "no earlier than", "after", r"the |\d{4}-"),
)


def list_rewordings(line: str) -> list[str]:
    """Return a line in wordings that ask for care, each time with one of them.

    >>> list_rewordings('  - the share is at most 5;')
    ['  - the share is not more than 5;']
    """
    return [reworded for wording in _WORDINGS for reworded in _iterate_reworded(line, wording)]


def _iterate_reworded(line: str, wording: _Wording) -> Iterator[str]:
    condition = line.rpartition(" if ")[2]
    if wording.is_for_whole and (" or " in condition or "(a)" in condition):
        return
    for found in re.finditer(wording.plain, line):
        yield f"{line[: found.start()]}{found.expand(wording.said)}{line[found.end() :]}"


def take_as_meant(text: str) -> str:
    """Return a text with plain words in the place of those that ask for care.

    >>> take_as_meant('Go on unless the kind is "Gift".')
    'Go on if the kind is not "Gift".'
    """
    for item in _WORDINGS:
        text = re.sub(item.pattern, item.meant, text, flags=re.MULTILINE)
    return text


def take_otherwise(text: str) -> str:
    """Return a text with what a careless reader takes those words for.

    >>> take_otherwise('Go on unless the kind is "Gift".')
    'Go on if the kind is "Gift".'
    """
    for item in _WORDINGS:
        text = re.sub(item.pattern, item.taken, text, flags=re.MULTILINE)
    return text
