"""The plain SOP of a level's model, in the words that people approved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from sopforge.authors.offline import OfflineAuthor
from sopforge.domain.model import DomainModel
from sopforge.domain.reading import Brief
from sopforge.rendering.sop.alignment import attach_terms, with_text
from sopforge.rendering.sop.document import SopDocument
from sopforge.rendering.sop.marks import OWN_WORDS
from sopforge.stages.editing.merging import merge


@dataclass(frozen=True)
class LevelTexts:
    """Derives the SOPs of models; ``approved`` is that of the plain one, with people's words."""

    brief: Brief
    model: DomainModel
    approved: SopDocument

    def derive(self, model: DomainModel) -> SopDocument:
        """Return the SOP of a model: as it is derived, but for what was worded anew or added."""
        derived = OfflineAuthor().write_sop(model, self.brief)
        if self._base.as_text() == self.approved.as_text():
            return derived
        text = merge(self._base.as_text(), derived.as_text(), self.approved.as_text()).text
        own = {item.text for item in self.approved.statements if item.excused == OWN_WORDS}
        merged = attach_terms(derived, with_text(derived, text))
        return SopDocument(
            tuple(
                replace(item, excused=OWN_WORDS) if item.text in own else item
                for item in merged.statements
            )
        )

    @cached_property
    def _base(self) -> SopDocument:
        return OfflineAuthor().write_sop(self.model, self.brief)
