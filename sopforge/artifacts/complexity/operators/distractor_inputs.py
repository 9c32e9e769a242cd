"""Data level: inputs that look relevant and that no rule, guard or tool reads.

The brief's fields of role ``distractor`` come first; what is so of the papers and roles of a
procedure, what cases state of a value that tools return, and what files hold follow.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from sopforge.artifacts.complexity.added_fields import is_free
from sopforge.artifacts.complexity.trade.details import (
    OF_FILES,
    iterate_named_fields,
    iterate_stated_fields,
    name_cases,
)
from sopforge.artifacts.complexity.variant import Variant
from sopforge.language.domain.documents.schema import HarderLevel
from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.fields import Field, Role
from sopforge.seeds import permute_items

_NAMED = 2
_STATED = 1
"""So many fields are of a paper and a role, and of what a tool returns, before those of other
kinds: more would give each other away.
"""


class DistractorInputs:
    """Shows ``dose`` distractor fields among the inputs of every task."""

    name = "distractor_inputs"
    level: HarderLevel = "L3"
    usual = 4
    follows: tuple[str, ...] = ()
    is_of_model = True

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        chosen = _choose_fields(variant, dose, seed) if dose else []
        if not chosen:
            return variant
        shown = {item.name: replace(item, role=Role.INPUT) for item in chosen}
        model = replace(variant.model, fields={**variant.model.fields, **shown})
        changed = replace(variant, model=model)
        return changed.with_added(self.name, *(f"{x.name}: {x.description}" for x in chosen))


def _choose_fields(variant: Variant, dose: int, seed: int) -> list[Field]:
    model = variant.model
    of_case = [
        item
        for item in model.with_role(Role.DISTRACTOR)
        if model.find_owner(item.name) is model.case
    ]
    keys = {part.key for part in model.references}
    # What a constraint ties to a value of the rules would show that value.
    tied = collect_all_read_fields(model.row_conditions)
    declared = [item for item in of_case if item.name not in keys | tied]
    case = variant.setting.case
    named = iterate_named_fields(model, variant.setting, seed)
    stated = iterate_stated_fields(model, seed)
    pool = [
        *islice(named, _NAMED),
        *islice(stated, _STATED),
        *permute_items(name_cases(OF_FILES, case), seed, "files", model.name),
        *named,
        *stated,
    ]
    labels = {item.label.lower() for item in model.fields.values()}
    further = [
        item for item in pool if is_free(model, item.name) and item.label.lower() not in labels
    ]
    return (permute_items(declared, seed, "distractor") + further)[:dose]


OPERATOR = DistractorInputs()
