"""SOP level: reminders, which repeat elsewhere what a step or section says.

A reminder quotes a line whole and names where it stands, so that it is as true as the line itself.
It stands at a step that has to do with the line, if there is one.
A sentence that was written for the domain may lead to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sopforge.complexity.conditional_lines import select_conditional_lines
from sopforge.complexity.last_sections import drop_last_sections
from sopforge.complexity.passages import Passage, Where, place_passages
from sopforge.complexity.variant import Variant
from sopforge.domain.documents.schema import HarderLevel
from sopforge.domain.language.expressions import collect_all_read_fields
from sopforge.domain.model import DomainModel, Step
from sopforge.domain.rules import collect_decision_inputs
from sopforge.rendering.sop.added.reminders import (
    WORDINGS,
    WORDINGS_IN_ORDER,
    add_lead_in,
    make_reminder,
)
from sopforge.rendering.sop.added.standing_alone import complete_line
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.references import PROCEDURE
from sopforge.seeds import permute_index

_MANNERS = len(WORDINGS) * len(WORDINGS_IN_ORDER)


class RedundantDetail:
    """Puts in ``dose`` reminders of lines that state rules, edges, formulas and checks."""

    name = "redundant_detail"
    level: HarderLevel = "L1"
    usual = 1
    follows: tuple[str, ...] = ("cross_references", "indirect_thresholds")

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        found = list(_iterate_repeatable_lines(variant))
        # Those that have to do with another step, if there are any.
        found = [item for item in found if _find_subject(variant.model, item[1].states[0])] or found
        own = variant.material.lead_ins
        chosen = []
        for number in range(dose if found else 0):
            heading, line = found[permute_index(number % len(found), len(found), seed, self.name)]
            wording = permute_index(number % _MANNERS, _MANNERS, seed, "wording")
            lead_in = (
                own[permute_index(number, len(own), seed, "lead-in")] if number < len(own) else ""
            )
            reminder = add_lead_in(make_reminder(heading, line, variant.model, wording), lead_in)
            subject = _find_subject(variant.model, line.states[0])
            where = Where(section=PROCEDURE, states=subject, apart_from=heading)
            chosen.append(Passage(reminder, where))
        return place_passages(variant, self.name, chosen, seed)


def _find_subject(model: DomainModel, states: str) -> str:
    """Return the name of the step at which one would look for what a line states, "" for none.

    An edge is of interest where it leads, a check of a tool where the tool is called, and how a
    value is decided at the first other step that reads it.
    """
    kind, _, name = states.partition(" ")
    owner = name.partition(".")[0]
    steps = model.steps.values()
    if kind == "edge":
        edges = [edge for step in steps for edge in step.edges]
        found = [edge.to for edge in edges if edge.id == name]
    elif kind == "guard":
        found = [step.id for step in steps if step.call == owner]
    else:
        others = (step for step in steps if owner not in step.decide)
        found = [step.id for step in others if owner in _collect_read(model, step)]
    return f"step {found[0]}" if found else ""


def _collect_read(model: DomainModel, step: Step) -> frozenset[str]:
    """Return the fields that a step passes to its tool, decides by, or chooses the next step by."""
    decided = (collect_decision_inputs(model.decisions[target]) for target in step.decide)
    conditions = [edge.when for edge in step.edges if edge.when is not None]
    taken = model.tools[step.call].takes if step.call else ()
    return frozenset().union(taken, *decided, collect_all_read_fields(conditions))


def _iterate_repeatable_lines(variant: Variant) -> Iterator[tuple[str, Line]]:
    """Return each line that states a condition or a formula, with the heading over it.

    Lines in sections that levels have put last are left out: their rules belong elsewhere.
    """
    lines = drop_last_sections(variant.sop.lines)
    heading, said = "", select_conditional_lines(lines, variant.model)
    for line in lines:
        if line.style in {Style.SECTION, Style.STEP}:
            heading = line.text
        elif line in said and not _is_command(line) and not _HERE.search(line.text):
            yield heading, complete_line(line, variant.model)


_HERE = re.compile(r"\bthis (?:step|section|table)\b")
"""What a line says of its own place, which means another one elsewhere."""


def _is_command(line: Line) -> bool:
    """Return whether a line has a value worked out: at a step that has none, nobody may do that."""
    is_decision = any(item.startswith("decision ") for item in line.states)
    return is_decision and line.style is Style.PARAGRAPH


OPERATOR = RedundantDetail()
