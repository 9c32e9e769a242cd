"""Sifting: of what was written for a domain, what operators may draw, and why not the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sopforge.artifacts.material.earlier_values import parse_stated_value
from sopforge.artifacts.material.material import (
    NAMES,
    PARTS,
    Detail,
    Earlier,
    Material,
    Rejected,
    Service,
    Twin,
    format_item,
)
from sopforge.artifacts.material.own_fields import find_detail_fault, find_tool_fault
from sopforge.artifacts.material.own_prose import (
    StatedFacts,
    collect_stated_facts,
    find_name_fault,
    find_phrase_fault,
    find_sentence_fault,
    normalize_text,
)
from sopforge.language.domain.model import DomainModel


def sift_material(written: Material, model: DomainModel, sop: str, before: Material) -> Material:
    """Return what was kept before with what may be kept of this too; the rest is rejected.

    Each thing is judged on its own, in order, so that one bad one costs no good one.
    """
    known, found = collect_stated_facts(model, sop), before
    for part in PARTS:
        for item in getattr(written, part):
            fault = _Sieve(model, known, found).find_fault(part, item)
            found = _with_item(found, part, item, fault)
    return replace(found, written=before.written + written.kept)


def find_unsound_items(material: Material, model: DomainModel, sop: str) -> list[Rejected]:
    """Return what of a material sifting would not have kept."""
    bare_material = replace(material, rejected=(), written=0)
    return list(sift_material(bare_material, model, sop, Material()).rejected)


def _with_item(material: Material, part: str, item: object, fault: str) -> Material:
    if fault:
        return replace(
            material, rejected=(*material.rejected, Rejected(part, format_item(item), fault))
        )
    grown: dict[str, Any] = {part: (*getattr(material, part), item)}
    return replace(material, **grown)


@dataclass(frozen=True, slots=True)
class _Sieve:
    """Judges one item beside those that are kept already."""

    model: DomainModel
    known: StatedFacts
    kept: Material

    def find_fault(self, part: str, item: Any) -> str:  # noqa: ANN401 - a part's own type
        judges: Mapping[str, Callable[[Any], str]] = {
            "lead_ins": self._find_sentence_fault,
            "tangents": self._find_sentence_fault,
            "twins": self._find_twin_fault,
            "earlier": self._find_earlier_fault,
            "services": self._find_service_fault,
            "form_details": self._find_detail_fault,
            "record_details": self._find_detail_fault,
            **dict.fromkeys(NAMES, self._find_name_fault),
        }
        return judges[part](item)

    def _find_sentence_fault(self, text: str) -> str:
        said = {normalize_text(other) for other in (*self.kept.lead_ins, *self.kept.tangents)}
        return (
            "is there twice"
            if normalize_text(text) in said
            else find_sentence_fault(text, self.known)
        )

    def _find_name_fault(self, text: str) -> str:
        said = {normalize_text(other) for names in NAMES for other in getattr(self.kept, names)}
        return (
            "is there twice" if normalize_text(text) in said else find_name_fault(text, self.known)
        )

    def _find_twin_fault(self, item: Twin) -> str:
        if item.same_as not in self.model.called:
            return f"no step calls '{item.same_as}'"
        fault = find_tool_fault(item.tool, self.model, self.known, self._tools)
        return fault or find_phrase_fault(item.description, self.known)

    def _find_earlier_fault(self, item: Earlier) -> str:
        if item.constant not in self.model.policy:
            return f"the policy has no '{item.constant}'"
        if item.constant in {other.constant for other in self.kept.earlier}:
            return "is there twice"
        constant = self.model.policy[item.constant].constant
        if parse_stated_value(self.model, constant, item.value) is None:
            return f"'{item.value}' is no other value near it that would make a difference"
        return find_sentence_fault(item.why, self.known)

    def _find_service_fault(self, item: Service) -> str:
        fault = find_tool_fault(item.tool, self.model, self.known, self._tools)
        return (
            fault
            or find_phrase_fault(item.description, self.known)
            or self._find_detail_fault(item.shows)
        )

    def _find_detail_fault(self, item: Detail) -> str:
        return find_detail_fault(item, self.model, self.known, self._fields)

    @property
    def _tools(self) -> frozenset[str]:
        twins = (item.tool for item in self.kept.twins)
        return frozenset({*twins, *(item.tool for item in self.kept.services)})

    @property
    def _fields(self) -> frozenset[str]:
        shows = (item.shows for item in self.kept.services)
        details = (*self.kept.form_details, *self.kept.record_details, *shows)
        return frozenset(item.name for item in details)
