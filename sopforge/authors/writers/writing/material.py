"""What a language model writes for complexity operators: of the trade, sifted thing by thing.

What is refused goes back with the reasons, as often as there are rounds, until there is enough;
the operators' pools fill what is missing. Where a check finds an error in a level that was made
with it, what the error shows is taken out, or all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from sopforge.artifacts.material.material import (
    NAMES,
    NOTHING,
    PARTS,
    Material,
    Rejected,
    build_material,
    format_item,
    read_material,
)
from sopforge.artifacts.material.sifting import sift_material
from sopforge.authors.writers.repair import AskAll, Repair, as_records
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import OrderedType

FILE = "material.json"
KINDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "complexity_sentences": {"lead_ins": "redundant_detail", "tangents": "tangents"},
        "complexity_additions": {
            "twins": "equivalent_tools",
            "earlier": "superseded",
            "services": "general_tools",
            "form_details": "distractor_inputs",
            "record_details": "distractor_returns",
            **{part: part for part in NAMES},
        },
    }
)
"""The templates, what each asks for, and which operator draws from it; from names, all may."""


@dataclass(frozen=True, slots=True)
class MaterialWriting:
    """A model with its SOP, the doses that are asked for, and how often a refusal goes back."""

    ask_all: AskAll
    model: DomainModel
    sop: str
    doses: Mapping[str, int]
    rounds: int
    feedback: Sequence[str] = ()

    def write_first(self) -> Material:
        """Return what is kept of what the language model writes, and what is not, with reasons."""
        return self._fill_material(NOTHING)

    def revise(self, repair: Repair) -> Material:
        """Return the material of the round before without what errors show, and with more.

        Nothing of it stays where an error shows none of it, or all rounds are over.
        """
        before = read_material(repair.files.get(FILE, ""), FILE)
        texts = [f"{item.message} {item.evidence}" for item in repair.errors]
        shown_in = {
            (part, format_item(item)): next(text for text in texts if _name_item(item) in text)
            for part in PARTS
            for item in getattr(before, part)
            if any(_name_item(item) in text for text in texts)
        }
        if repair.is_over or not shown_in:
            return NOTHING
        return self._fill_material(before.without_items(shown_in))

    def _fill_material(self, material: Material) -> Material:
        wanted = {template: self._compute_limits(template) for template in KINDS}
        for _ in range(1 + self.rounds):
            wanted = {
                template: parts for template, parts in wanted.items() if _is_short(material, parts)
            }
            questions = [
                (template, self._build_values(parts, material))
                for template, parts in wanted.items()
            ]
            answers = self.ask_all(questions)
            for (template, values), answer in zip(questions, answers, strict=True):
                before = len(material.rejected)
                material = self._sift_answer(answer, values, material)
                # Rounds are for what was refused; what else is missing, the operators' pools fill.
                if len(material.rejected) == before:
                    del wanted[template]
        return material

    def _sift_answer(
        self, answer: Mapping[str, Any], values: Mapping[str, object], material: Material
    ) -> Material:
        """Return the material with what may be kept of an answer, of the parts asked for."""
        written = build_material({part: answer[part] for part in answer if values[part]})
        return sift_material(written, self.model, self.sop, material)

    def _compute_limits(self, template: str) -> dict[str, int]:
        return {part: self._compute_limit(part, name) for part, name in KINDS[template].items()}

    def _compute_limit(self, part: str, operator: str) -> int:
        """Return how many things an operator can put in: of a constant one earlier value."""
        dose = self.doses.get(operator, 0)
        return min(dose, len(_list_constants(self.model))) if part == "earlier" else dose

    def _build_values(self, wanted: Mapping[str, int], material: Material) -> dict[str, object]:
        model = self.model
        kept = [format_item(item) for part in wanted for item in getattr(material, part)]
        refused = [item for item in material.rejected if item.part in wanted]
        values: dict[str, object] = {
            "title": model.title,
            "business_task": model.business_task,
            "whole": self.sop,
            "feedback": as_records(self.feedback),
            "kept": as_records(kept),
            "rejected": [_build_rejected_record(item) for item in refused],
            **{part: _count_requested(material, part, dose) for part, dose in wanted.items()},
        }
        if "twins" in wanted:
            values |= {
                "tools": _list_called_tools(model),
                "fields": _list_fields(model),
                "constants": _list_constants(model),
            }
        return values


def _is_short(material: Material, wanted: Mapping[str, int]) -> bool:
    return any(len(getattr(material, part)) < dose for part, dose in wanted.items())


def _count_requested(material: Material, part: str, dose: int) -> int:
    """Return how many to ask for: half as many more than are missing, for some are refused."""
    missing = max(0, dose - len(getattr(material, part)))
    return missing + (missing + 1) // 2


def _name_item(item: object) -> str:
    """Return how findings show an item: its sentence, or the name of its tool or field."""
    return str(getattr(item, "tool", "") or getattr(item, "name", "") or _get_item_text(item))


def _get_item_text(item: object) -> str:
    return str(getattr(item, "why", item))


def _build_rejected_record(item: Rejected) -> dict[str, str]:
    return {"text": item.text, "reason": item.reason}


def _list_called_tools(model: DomainModel) -> list[dict[str, str]]:
    return [
        {"tool": name, "description": model.tools[name].description}
        for name in model.tools
        if name in model.called
    ]


def _list_fields(model: DomainModel) -> list[dict[str, str]]:
    return [
        {"field": item.name, "description": item.description, "role": item.role.value}
        for item in model.fields.values()
    ]


def _list_constants(model: DomainModel) -> list[dict[str, str]]:
    """Return the constants of which there may have been another value."""
    return [
        {
            "constant": name,
            "meaning": item.meaning,
            "value": item.constant.type.to_cell(item.constant.value),
            "unit": getattr(item.constant.type, "unit", ""),
        }
        for name, item in model.policy.items()
        if isinstance(item.constant.type, OrderedType)
    ]
