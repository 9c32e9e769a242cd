"""The names of its trade that a language model writes for a domain, sifted name by name.

What is refused goes back with the reasons, as often as there are rounds; names that fit any case
stand for what is missing. Where a check finds an error in a level that was made with them, those
that the error shows are taken out, or all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sopforge.artifacts.complexity.material import (
    NAMES,
    NOTHING,
    Material,
    read_material,
    sift_names,
)
from sopforge.authors.writers.repair import Ask, Repair, as_records
from sopforge.language.domain.model import DomainModel

FILE = "material.json"
TEMPLATE = "trade_names"


@dataclass(frozen=True, slots=True)
class MaterialWriting:
    """A model with its SOP, how many names are wanted, and how often a refusal goes back."""

    ask: Ask
    model: DomainModel
    sop: str
    wanted: Mapping[str, int]
    rounds: int
    feedback: Sequence[str] = ()

    def write_first(self) -> Material:
        """Return the names that the language model writes, and which are not used, with reasons."""
        found = NOTHING
        for _ in range(1 + self.rounds):
            missing = {part: self._count_missing(part, found) for part in NAMES}
            if not any(missing.values()):
                break
            answer = self.ask(TEMPLATE, self._build_values(missing, found))
            written = {part: tuple(answer[part]) for part in NAMES if missing[part]}
            before, found = found, sift_names(written, self.model, found)
            # Rounds are for what was refused; what else is missing has names that fit any case.
            if len(found.rejected) == len(before.rejected):
                break
        return found

    def revise(self, repair: Repair) -> Material:
        """Return the material of the round before without the names that errors show.

        Nothing of it stays where an error shows none of it, or all rounds are over.
        """
        before = found = read_material(repair.files.get(FILE, ""), FILE)
        texts = [f"{item.message} {item.evidence}" for item in repair.errors]
        for part in NAMES:
            shown = {x: text for text in texts for x in getattr(before, part) if x in text}
            kept = tuple(name for name in getattr(before, part) if name not in shown)
            found = found.with_names(part, kept)
            for name, text in shown.items():
                found = found.with_rejected(part, name, text)
        return NOTHING if repair.is_over or found == before else found

    def _count_missing(self, part: str, found: Material) -> int:
        """Return how many to ask for: half as many more than are missing, for some are refused."""
        missing = max(0, self.wanted.get(part, 0) - len(getattr(found, part)))
        return missing + (missing + 1) // 2

    def _build_values(self, missing: Mapping[str, int], found: Material) -> dict[str, object]:
        kept = [name for part in NAMES for name in getattr(found, part)]
        return {
            "title": self.model.title,
            "business_task": self.model.business_task,
            "whole": self.sop,
            "feedback": as_records(self.feedback),
            "kept": as_records(kept),
            "rejected": [{"text": x.text, "reason": x.reason} for x in found.rejected],
            **missing,
        }
