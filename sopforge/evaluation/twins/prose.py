"""The prose of an expert beside a change: what it says of the place follows, or is left out.

An SOP keeps the sentences of a draft; those of a twin must not say what held before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from sopforge.authors.sources.prose.quantities import Quantity, read_quantities
from sopforge.evaluation.twins.changes import RuleChange

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_BLANK_LINE = re.compile(r"(\n[ \t]*\n\s*)")
_ITEM = re.compile(r"(?m)^(?=[ \t]*(?:[-*] |\d+[.)] |#))|(?<=\n)(?=\|)")
"""Where a bullet, a numbered item, a heading or a row of a table begins."""
_HEADING = re.compile(r"[ \t]*#.*\n?")


def adapt_draft(draft: str, change: RuleChange, cited: Sequence[str]) -> str:
    """Return a draft in which nothing says what held before a change.

    ``cited`` are the sentences that are known to say it; where none is, those are taken for it
    that have the figure, or one of the labels. A figure is replaced where it stands once; what
    else speaks of the place is left out, paragraph by paragraph.
    """
    return "".join(
        part if is_gap else _adapt_block(part, change, cited)
        for is_gap, part in _split_blocks(draft)
    )


def _split_blocks(draft: str) -> Iterator[tuple[bool, str]]:
    for number, part in enumerate(_BLANK_LINE.split(draft)):
        yield number % 2 == 1, part


def _adapt_block(block: str, change: RuleChange, cited: Sequence[str]) -> str:
    return "".join(_adapt_item(item, change, cited) for item in _ITEM.split(block))


def _adapt_item(item: str, change: RuleChange, cited: Sequence[str]) -> str:
    if _HEADING.fullmatch(item) or not _is_concerned(item, change, cited):
        return item
    heading = _HEADING.match(item)
    return _put_figure(item, change) or (heading[0] if heading else "")


def _is_concerned(text: str, change: RuleChange, cited: Sequence[str]) -> bool:
    words = _join_words(text)
    if cited:
        return any(_join_words(sentence) in words for sentence in cited)
    if change.figure is not None:
        return bool(_find_figures(text, change.figure[0]))
    return any(_join_words(label) in words for label in change.labels)


def _join_words(text: str) -> str:
    return " ".join(text.casefold().split())


def _find_figures(text: str, value: Decimal) -> list[Quantity]:
    return [item for item in read_quantities(text) if item.value == Fraction(value)]


def _put_figure(text: str, change: RuleChange) -> str:
    """Return a text with the new figure in place of the old one, empty where that is not clear."""
    if change.figure is None:
        return ""
    before, after = change.figure
    found = _find_figures(text, before)
    if len(found) != 1:
        return ""
    (place,) = found
    number = _NUMBER.search(text, place.start, place.end)
    if number is None:
        return ""
    written = f"{after:,}" if "," in number[0] else str(after)
    return f"{text[: number.start()]}{written}{text[number.end() :]}"
