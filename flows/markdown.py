"""Text of users and models in Markdown: shown as it is, whatever it looks like."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# What begins anything inside a line: emphasis, code, links, images, tables, tags, entities; and
# what makes a bare address a link.
_MARKS = re.compile(r"([\\`*_~\[\]<>|&@$]|(?<=\w):(?=//)|(?<=\bwww)\.)", re.IGNORECASE)
_TICKS = re.compile(r"`+")


def escape_markdown(text: str) -> str:
    """Return a text on one line, of which nothing is read as Markdown or HTML."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    return _MARKS.sub(r"\\\1", " ".join(shown.split()))


def format_code(text: str) -> str:
    """Return a text on one line as code, whatever ticks it holds."""
    ticks = "`" * (_count_longest_ticks(text) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{space}{' '.join(text.split())}{space}{ticks}"


def format_commands(lines: Iterable[str]) -> str:
    """Return commands as a block of code that none of them can end."""
    text = "\n".join(lines)
    fence = "`" * max(3, _count_longest_ticks(text) + 1)
    return f"{fence}\n{text}\n{fence}"


def format_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of plain texts."""
    cells = [head, ["---"] * len(head), *([escape_markdown(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def _count_longest_ticks(text: str) -> int:
    return max((len(found) for found in _TICKS.findall(text)), default=0)
