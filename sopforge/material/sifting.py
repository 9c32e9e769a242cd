"""Sifting: of what was written for a domain, what operators may draw, and why not the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sopforge.domain.model import DomainModel
from sopforge.material.earlier_values import stated_value
from sopforge.material.material import (
    PARTS,
    Detail,
    Earlier,
    Material,
    Rejected,
    Service,
    Twin,
    shown,
)
from sopforge.material.own_fields import detail_fault, tool_fault
from sopforge.material.own_prose import StatedFacts, bare, known_of, phrase_fault, sentence_fault


def sifted(written: Material, model: DomainModel, sop: str, before: Material) -> Material:
    """Return what was kept before with what may be kept of this too; the rest is rejected.

    Each thing is judged on its own, in order, so that one bad one costs no good one.
    """
    known, found = known_of(model, sop), before
    for part in PARTS:
        for item in getattr(written, part):
            fault = _Sieve(model, known, found).reason_against(part, item)
            found = _with(found, part, item, fault)
    return replace(found, written=before.written + written.kept)


def unsound(material: Material, model: DomainModel, sop: str) -> list[Rejected]:
    """Return what of a material sifting would not have kept."""
    bare_material = replace(material, rejected=(), written=0)
    return list(sifted(bare_material, model, sop, Material()).rejected)


def _with(material: Material, part: str, item: object, fault: str) -> Material:
    if fault:
        return replace(material, rejected=(*material.rejected, Rejected(part, shown(item), fault)))
    grown: dict[str, Any] = {part: (*getattr(material, part), item)}
    return replace(material, **grown)


@dataclass(frozen=True, slots=True)
class _Sieve:
    """Judges one item beside those that are kept already."""

    model: DomainModel
    known: StatedFacts
    kept: Material

    def reason_against(self, part: str, item: Any) -> str:  # noqa: ANN401 - a part's own type
        judges: Mapping[str, Callable[[Any], str]] = {
            "lead_ins": self._sentence,
            "tangents": self._sentence,
            "twins": self._twin,
            "earlier": self._earlier,
            "services": self._service,
            "form_details": self._detail,
            "record_details": self._detail,
        }
        return judges[part](item)

    def _sentence(self, text: str) -> str:
        said = {bare(other) for other in (*self.kept.lead_ins, *self.kept.tangents)}
        return "is there twice" if bare(text) in said else sentence_fault(text, self.known)

    def _twin(self, item: Twin) -> str:
        if item.same_as not in self.model.called:
            return f"no step calls '{item.same_as}'"
        fault = tool_fault(item.tool, self.model, self.known, self._tools)
        return fault or phrase_fault(item.description, self.known)

    def _earlier(self, item: Earlier) -> str:
        if item.constant not in self.model.policy:
            return f"the policy has no '{item.constant}'"
        if item.constant in {other.constant for other in self.kept.earlier}:
            return "is there twice"
        constant = self.model.policy[item.constant].constant
        if stated_value(self.model, constant, item.value) is None:
            return f"'{item.value}' is no other value near it that would make a difference"
        return sentence_fault(item.why, self.known)

    def _service(self, item: Service) -> str:
        fault = tool_fault(item.tool, self.model, self.known, self._tools)
        return fault or phrase_fault(item.description, self.known) or self._detail(item.shows)

    def _detail(self, item: Detail) -> str:
        return detail_fault(item, self.model, self.known, self._fields)

    @property
    def _tools(self) -> frozenset[str]:
        twins = (item.tool for item in self.kept.twins)
        return frozenset({*twins, *(item.tool for item in self.kept.services)})

    @property
    def _fields(self) -> frozenset[str]:
        shows = (item.shows for item in self.kept.services)
        details = (*self.kept.form_details, *self.kept.record_details, *shows)
        return frozenset(item.name for item in details)
