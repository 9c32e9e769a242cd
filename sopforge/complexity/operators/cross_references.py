"""SOP level: rules that stand in a section of their own, to which steps and rules refer."""

from __future__ import annotations

from dataclasses import replace

from sopforge.complexity.conditional_lines import select_conditional_lines
from sopforge.complexity.last_sections import make_last_heading
from sopforge.complexity.variant import Variant
from sopforge.domain.documents.schema import HarderLevel
from sopforge.domain.model import DomainModel
from sopforge.rendering.sop.added.moved_rules import (
    POINTERS,
    RULES_SECTION,
    is_result_said,
    make_part_heading,
    make_pointer,
)
from sopforge.rendering.sop.added.standing_alone import complete_line
from sopforge.rendering.sop.document import Line, SopDocument
from sopforge.seeds import draw_below, permute_index

BREADTH = 4
"""So many rules are moved at most; a larger dose moves them on, so that references lead further."""


class CrossReferences:
    """Puts ``dose`` references between steps and rules; the rules keep every word.

    A rule that gives its value alone names its field there.
    """

    name = "cross_references"
    level: HarderLevel = "L1"
    usual = 2
    follows: tuple[str, ...] = ()

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        lines = list(variant.sop.lines)
        moved = _choose_lines(lines, variant.model, seed)
        if not dose or not moved:
            return variant
        heading = make_last_heading(lines, RULES_SECTION)
        lines.append(heading)
        texts = []
        for number in range(1, dose + 1):
            line = moved[(number - 1) % len(moved)]
            # A larger dose comes to the same rules again: each then stands in that section, where
            # a pointer takes its place, so that references lead on from part to part.
            wording = draw_below(len(POINTERS), seed, "pointer", number)
            alone = complete_line(line, variant.model)
            place = lines.index(alone if number > len(moved) else line)
            part = f"{heading.text.partition('.')[0]}.{number}"
            lines[place] = make_pointer(line, part, wording)
            lines += [make_part_heading(part, _choose_title(line, variant.model)), alone]
            texts.append(f"section {part}: {alone.text}")
        return replace(variant, sop=SopDocument(tuple(lines))).with_added(self.name, *texts)


def _choose_lines(lines: list[Line], model: DomainModel, seed: int) -> list[Line]:
    """Return rules and edges in a keyed order: lines that stand once and state one of them."""
    found = [
        line
        for line in select_conditional_lines(lines, model)
        # Lines are found again by their words: of two that are alike, the wrong one might be moved.
        if line.states[0].startswith(("rule ", "edge ")) and lines.count(line) == 1
    ]
    order = [permute_index(place, len(found), seed, "reference") for place in range(len(found))]
    # Of a pointer that says no result, nobody would see why it stands there.
    chosen = sorted((found[place] for place in order), key=lambda line: not is_result_said(line))
    return chosen[:BREADTH]


def _choose_title(line: Line, model: DomainModel) -> str:
    """Return what a rule or an edge is about: the value that it decides, or the step it leaves."""
    kind, _, name = line.states[0].partition(" ")
    owner = name.rpartition(".")[0]
    return model.fields[owner].label if kind == "rule" else model.steps[owner].title


OPERATOR = CrossReferences()
