"""What changed with a release, as blocks of a document: its entry of the changelog is Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

_TITLE = "## "
_HEADING = "### "
_BULLET = "- "


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph or a list; only a list has several lines."""

    kind: str
    lines: tuple[str, ...]


def parse_blocks(changes: str) -> Iterator[Block]:
    r"""Return the blocks of an entry, without the title that names its version.

    >>> [block.kind for block in parse_blocks("## 1.0.0\n\nOne rule.\n\n### Rules\n\n- A\n- B\n")]
    ['paragraph', 'heading', 'list']
    """
    lines = [line for line in changes.splitlines() if line.strip() and line[:3] != _TITLE]
    for kind, group in groupby(lines, key=_classify_line):
        texts = tuple(line.removeprefix(_HEADING).removeprefix(_BULLET) for line in group)
        yield from [Block(kind, texts)] if kind == "list" else [Block(kind, (t,)) for t in texts]


def _classify_line(line: str) -> str:
    if line.startswith(_HEADING):
        return "heading"
    return "list" if line.startswith(_BULLET) else "paragraph"
