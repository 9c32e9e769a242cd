"""How the calculators work out what they return, in a section of its own."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.sections.decisions import render_calculator
from sopforge.artifacts.rendering.sop.writer import Writer
from sopforge.language.domain.fields import Role
from sopforge.language.domain.rules import Formula

VALUES = "How values are worked out"


def render_values(writer: Writer) -> Iterator[Statement]:
    """Return the formulas of the values that no step works out."""
    model = writer.model
    decided = {target for step in model.steps.values() for target in step.decide}
    derived = {item.name for item in model.with_role(Role.DERIVED)} - decided
    computed = [name for name in model.fields if name in derived]
    if computed:
        text = "The tools calculate the following values. Use them as returned."
        yield Statement(Style.PARAGRAPH, text)
    for name in computed:
        decision = model.decisions.get(name)
        if isinstance(decision, Formula):
            yield from render_calculator(writer, decision)
