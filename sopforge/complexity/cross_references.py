"""SOP level: rules that stand in an annex, to which the step refers, directly or over others."""

from __future__ import annotations

from dataclasses import replace

from sopforge.complexity.annexes import annex_heading
from sopforge.complexity.conditional_lines import conditional_lines
from sopforge.complexity.variant import Variant
from sopforge.domain.model import DomainModel
from sopforge.rendering.sop_document import Line, SopDocument, Style
from sopforge.seeds import permuted

BREADTH = 4
"""So many rules are moved at most; a larger dose moves them on, so that references lead further."""

REFERENCE = "reference"
_TITLE = "rules to which the steps refer"
_ITEM = "Item A"


class CrossReferences:
    """Puts ``dose`` references between steps and rules; the rules keep every word."""

    name = "cross_references"

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        lines = list(variant.sop.lines)
        moved = _chosen(lines, variant.model, seed)
        if not dose or not moved:
            return variant
        lines.append(annex_heading(lines, _TITLE))
        texts = []
        for number in range(dose):
            line = moved[number % len(moved)]
            lines[lines.index(line)] = _pointer(line, number + 1)
            lines += [Line(Style.STEP, f"{_ITEM}{number + 1}"), line]
            texts.append(f"item A{number + 1}: {line.text}")
        return replace(variant, sop=SopDocument(tuple(lines))).with_added(self.name, *texts)


def _chosen(lines: list[Line], model: DomainModel, seed: int) -> list[Line]:
    """Return rules and ways in a keyed order: lines that stand once and state one of them."""
    found = [
        line
        for line in conditional_lines(lines, model)
        if line.states[0].startswith(("rule ", "edge ")) and lines.count(line) == 1
    ]
    order = [permuted(place, len(found), seed, "reference") for place in range(len(found))]
    return [found[place] for place in order[:BREADTH]]


def _pointer(line: Line, number: int) -> Line:
    """Return what stands in the place of a line; it says nothing but where to read on."""
    text = (
        f"What belongs here stands in item A{number} of the annex, and counts as if it stood here."
    )
    return Line(line.style, text, excused=REFERENCE)


OPERATOR = CrossReferences()
