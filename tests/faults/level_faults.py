"""Faults planted into the text of a level, each of which makes it say something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.marks import ADDED, LIMIT
from sopforge.artifacts.rendering.sop.resolving import without_last_sections

Text = tuple[Statement, ...]
HEADINGS = frozenset({Style.TITLE, Style.SECTION, Style.STEP})
OTHERS = {
    "at least": "at most",
    "at most": "at least",
    "more than": "less than",
    "less than": "more than",
    "on or after": "before",
    "before": "on or after",
    " is ": " is not ",
    " are ": " are not ",
    " is not ": " is ",
    " are not ": " are ",
    " and ": " or ",
    " or ": " and ",
}
"""Words of conditions, and others that turn them round."""


def iterate_level_faults(statements: Sequence[Statement]) -> Iterator[tuple[str, Text]]:
    """Yield texts of a level with one fault each, by what was done to which statement.

    What levels put beside the statements of the model is left alone: it says nothing.
    """
    kept = len(without_last_sections(statements))
    for place, item in enumerate(statements):
        if item.excused in ADDED or (item.style in HEADINGS and place >= kept):
            continue
        before, after = tuple(statements[:place]), tuple(statements[place + 1 :])
        for what, text in iterate_texts(item.text):
            changed = replace(item, text=text)
            yield f"{place}: {what} in {item.text}", (*before, changed, *after)
        yield f"{place}: dropped {item.text}", (*before, *after)
        if is_ordered(item) and after and is_ordered(after[0]) and item.text != after[0].text:
            yield (
                f"{place}: put {item.text} after {after[0].text}",
                (*before, after[0], item, *after[1:]),
            )


def is_ordered(item: Statement) -> bool:
    """Return whether it matters where a statement stands: of inputs, and of limits, it does not."""
    is_input = item.states[:1] != () and item.states[0].startswith("field ")
    return item.excused not in {*ADDED, LIMIT} and not is_input


def iterate_texts(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text with one figure, word or label changed, and what was changed."""
    for found in re.finditer(r"\d+", text):
        other = str(int(found[0]) + 70)
        yield f"{found[0]} made {other}", text[: found.start()] + other + text[found.end() :]
    for words, other in OTHERS.items():
        for found in re.finditer(re.escape(words), text):
            changed = text[: found.start()] + other + text[found.end() :]
            yield f"{words.strip()} made {other.strip()}", changed
    labels = dict.fromkeys(re.findall(r'"[^"]+"', text))
    for label in labels:
        yield f"{label} made another", text.replace(label, '"another label"', 1)
