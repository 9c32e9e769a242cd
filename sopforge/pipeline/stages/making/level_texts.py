"""The plain SOP of a level's model, in the words that people approved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from sopforge.artifacts.rendering.sop.alignment import attach_terms, with_text
from sopforge.artifacts.rendering.sop.document import SopDocument, Statement
from sopforge.artifacts.rendering.sop.marks import OWN_WORDS
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.stages.editing.merging import merge


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
        merged = attach_terms(derived, with_text(derived, text))
        said = {item.text: item for item in self.approved.statements}
        return SopDocument(
            tuple(
                _keep_origin(item, said[item.text]) if item.text in said else item
                for item in merged.statements
            )
        )

    @cached_property
    def _base(self) -> SopDocument:
        return OfflineAuthor().write_sop(self.model, self.brief)


def _keep_origin(item: Statement, approved: Statement) -> Statement:
    """Return a statement with who worded it, or vouched for its words."""
    excused = OWN_WORDS if approved.excused == OWN_WORDS else item.excused
    return replace(item, excused=excused, read_as=approved.read_as, read_by=approved.read_by)
