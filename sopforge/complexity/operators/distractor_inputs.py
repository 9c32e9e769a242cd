"""Data level: inputs that look relevant and that no rule, guard or tool reads.

The brief's fields of role ``distractor`` come first, then details that were written for the domain;
what cases state of values that tools return, and details of forms, follow.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from sopforge.complexity.added_tools import is_free
from sopforge.complexity.details import OF_FORMS, iterate_stated_fields, name_cases, with_pool
from sopforge.complexity.variant import Variant
from sopforge.domain.documents.schema import HarderLevel
from sopforge.domain.fields import Field, Role
from sopforge.rendering.sop.document import SopDocument, insert_after
from sopforge.rendering.sop.sections.fields import render_entry
from sopforge.seeds import permute_index

_STATED = 1
"""So many fields state what a tool returns; of more, each would give the others away."""


class DistractorInputs:
    """Shows ``dose`` distractor fields among the inputs of every task."""

    name = "distractor_inputs"
    level: HarderLevel = "L3"
    usual = 4
    follows: tuple[str, ...] = ()

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        chosen = _choose_fields(variant, dose, seed)
        shown = {item.name: replace(item, role=Role.INPUT) for item in chosen}
        model = replace(variant.model, fields={**variant.model.fields, **shown})
        changed = replace(variant, model=model, sop=_add_field_entries(variant.sop, chosen))
        return changed.with_added(self.name, *(f"{x.name}: {x.description}" for x in chosen))


def _choose_fields(variant: Variant, dose: int, seed: int) -> list[Field]:
    model = variant.model
    of_case = [
        item
        for item in model.with_role(Role.DISTRACTOR)
        if model.find_owner(item.name) is model.case
    ]
    keys = {part.key for part in model.references}
    declared = [item for item in of_case if item.name not in keys]
    case = model.case.name.replace("_", " ")
    pool = [*islice(iterate_stated_fields(model, seed), _STATED), *name_cases(OF_FORMS, case)]
    further = [
        item for item in with_pool(variant.material.form_details, pool) if is_free(model, item.name)
    ]
    order = [
        permute_index(place, len(declared), seed, "distractor") for place in range(len(declared))
    ]
    return ([declared[place] for place in order] + further)[:dose]


def _add_field_entries(sop: SopDocument, chosen: list[Field]) -> SopDocument:
    """List the fields among the inputs, after the last input that is listed."""
    lines = sop.lines
    entries = [
        index
        for index, line in enumerate(lines)
        if line.states[:1] and line.states[0].startswith("field ")
    ]
    position = entries[-1] if entries else len(lines) - 1
    # Each is put in at the same place, and so before those that are in already.
    for item in reversed(chosen):
        line = replace(render_entry(item), excused="distractor")
        lines = insert_after(lines, position, line)
    return SopDocument(lines)


OPERATOR = DistractorInputs()
