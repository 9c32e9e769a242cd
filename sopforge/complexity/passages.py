"""Where passages that state nothing may stand: after a section or step, never inside one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from sopforge.complexity.annexes import drop_annexes
from sopforge.complexity.variant import Variant
from sopforge.rendering.sop.document import Line, SopDocument, Style, insert_after
from sopforge.seeds import draw_below

_HEADINGS = frozenset({Style.SECTION, Style.STEP})


def with_passages(variant: Variant, operator: str, passages: Iterable[Line], seed: int) -> Variant:
    """Return the variant with passages at keyed places of its text."""
    lines, given = variant.sop.lines, list(passages)
    for number, passage in enumerate(given):
        lines = insert_after(lines, _choose_position(lines, operator, number, seed), passage)
    changed = replace(variant, sop=SopDocument(lines))
    return changed.with_added(operator, *(passage.text for passage in given))


def _choose_position(lines: tuple[Line, ...], operator: str, number: int, seed: int) -> int:
    """Choose the last line of a section or step, never a place between its instructions."""
    found = drop_annexes(lines)
    places = [
        index
        for index, (line, after) in enumerate(pairwise(found))
        if after.style in _HEADINGS and line.style in {Style.PARAGRAPH, Style.BULLET}
    ] or [len(found) - 1]
    return places[draw_below(len(places), seed, operator, "position", number)]
