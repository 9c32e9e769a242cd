"""Data level: fields that look relevant and that no rule, guard or tool reads.

The brief's fields of role ``distractor`` come first; a pool of form details follows.
"""

from __future__ import annotations

from dataclasses import replace

from sopforge.complexity.variant import Variant
from sopforge.domain.fields import Field, Role, Sampling
from sopforge.domain.schema import Level
from sopforge.domain.types import EnumType, NumberType
from sopforge.rendering.sop_document import SopDocument, insert_after
from sopforge.rendering.sop_fields import entry_line
from sopforge.seeds import permuted


def _detail(name: str, kind: EnumType | NumberType, description: str) -> Field:
    label = name.replace("_", " ")
    return Field(name, label, Role.DISTRACTOR, kind, description, "", False, Sampling())  # noqa: FBT003 - not primary


_POOL = (
    _detail(
        "form_channel",
        EnumType(("Counter", "Post", "Telephone", "Web form")),
        "way in which the form came in",
    ),
    _detail("form_revision", NumberType(3, 9), "revision of the form that was used"),
    _detail(
        "office_location",
        EnumType(("Annex", "Main building", "North wing", "Riverside")),
        "office that took the form in",
    ),
    _detail("pages_attached", NumberType(0, 12), "pages attached to the form"),
)


class DistractorFields:
    """Shows ``dose`` distractor fields among the inputs of every task."""

    name = "distractor fields"
    level: Level = "L3"

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        chosen = _chosen(variant, dose, seed)
        shown = {item.name: replace(item, role=Role.INPUT) for item in chosen}
        model = replace(variant.model, fields={**variant.model.fields, **shown})
        sop = _described(variant.sop, chosen)
        added = tuple(f"field {item.name}: {item.description}" for item in chosen)
        return Variant(model, sop, variant.added + added)


def _chosen(variant: Variant, dose: int, seed: int) -> list[Field]:
    model = variant.model
    own = [
        item for item in model.with_role(Role.DISTRACTOR) if model.owner(item.name) is model.case
    ]
    declared = [item for item in own if item.name not in {part.key for part in model.references}]
    taken = {*model.fields, *model.policy}
    further = [item for item in _POOL if item.name not in taken]
    order = [permuted(place, len(declared), seed, "distractor") for place in range(len(declared))]
    return ([declared[place] for place in order] + further)[:dose]


def _described(sop: SopDocument, chosen: list[Field]) -> SopDocument:
    """List the fields among the inputs, behind the last input that is listed."""
    lines = sop.lines
    entries = [
        index
        for index, line in enumerate(lines)
        if line.states[:1] and line.states[0].startswith("field ")
    ]
    position = entries[-1] if entries else len(lines) - 1
    for item in reversed(chosen):
        line = replace(entry_line(item), excused="distractor")
        lines = insert_after(lines, position, line)
    return SopDocument(lines)


OPERATOR = DistractorFields()
