"""The model author: a language model writes, and mends what the checks find.

It asks by the templates in ``prompt_templates/`` and puts the answers into the form that the
stages expect. What it writes is no truer for that: the same checks judge it as everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sopforge.authors import written_api, written_domain, written_tools
from sopforge.authors.asking import Asking
from sopforge.authors.author import Author
from sopforge.authors.estimating import Estimating, Question
from sopforge.authors.language import domain_language, tool_rules
from sopforge.authors.offline import OfflineAuthor
from sopforge.authors.repair import NOTHING_FOUND, NOTHING_SAID, Repair, Review
from sopforge.authors.written_rows import RowWriting
from sopforge.authors.written_sop import SopWriting
from sopforge.domain.model import DomainModel
from sopforge.domain.reading import Brief
from sopforge.domain.schema import AuthorDocument, BriefDocument
from sopforge.domain.tasks import GoldCall
from sopforge.findings import Finding
from sopforge.rendering.openapi import render_openapi
from sopforge.rendering.sop_document import SopDocument
from sopforge.store.digests import digest_of

TEMPLATES: Mapping[str, tuple[str, ...]] = {
    "schema": ("domain_model", "dataset_values", "edit_document", "repair_findings"),
    "sop": ("sop_section",),
    "dataset": ("dataset_rows",),
    "api": ("api_texts",),
    "toolspec": ("toolspec_texts",),
    "tools": ("tool_code", "edit_document", "repair_findings"),
}
"""The templates by which each stage is written."""


@dataclass(frozen=True, slots=True)
class ModelAuthor:
    """Writes with a language model what its settings say, and all else as the offline author."""

    settings: AuthorDocument
    asking: Asking
    stage: str = ""
    review: Review = NOTHING_SAID
    repair: Repair = NOTHING_FOUND
    applies_feedback: bool = True

    @property
    def name(self) -> str:
        """The name in manifests."""
        return f"{self.settings.name} {self.settings.model}"

    @property
    def identity(self) -> str:
        """The model, its settings, and the templates of the stage."""
        versions = [f"{name} {self.asking.version(name)}" for name in TEMPLATES[self.stage]]
        pages = digest_of([domain_language(), tool_rules()])
        parts = [self.asking.identity, f"{self.settings.rounds} rounds", f"pages {pages}"]
        return "; ".join([*parts, *versions])

    def for_stage(
        self, stage: str, feedback: Sequence[str], before: Mapping[str, str] | None = None
    ) -> Author:
        if stage in self.settings.stages:
            review = Review(tuple(feedback), dict(before or {}))
            return replace(self, stage=stage, review=review)
        return OfflineAuthor()

    def revising(self, files: Mapping[str, str], findings: Sequence[Finding]) -> Author | None:
        # Taking sections of the SOP back asks nobody, and so is no round of its own.
        most = self.settings.rounds + (self.stage == "sop")
        # Rows went back as often as they may when they were written; labels are not the model's.
        if self.repair.round == most or self.stage == "dataset":
            return None
        repair = Repair(self.repair.round + 1, self.settings.rounds, dict(files), tuple(findings))
        return replace(self, repair=repair)

    def write_domain(self, brief: Brief) -> str:
        return written_domain.domain(self._ask, brief, self.review, self.repair)

    def write_sop(self, model: DomainModel, brief: Brief) -> SopDocument:
        writing = self._sop(model, brief)
        return writing.mended(self.repair) if self.repair.round else writing.first()

    def write_rows(self, model: DomainModel, brief: Brief) -> str:
        if self.stage != "dataset":
            return OfflineAuthor().write_rows(model, brief)
        feedback, rounds = self.review.feedback, self.settings.rounds
        return RowWriting(self._ask, model, brief, feedback, rounds).book()

    def write_openapi(self, model: DomainModel, examples: Iterable[GoldCall]) -> str:
        derived = OfflineAuthor().write_openapi(model, examples)
        return written_api.openapi(self._ask, model, derived, self.review.feedback, self.repair)

    def write_toolspecs(self, openapi: str) -> str:
        derived = OfflineAuthor().write_toolspecs(openapi)
        return written_api.toolspecs(self._ask, derived, self.review.feedback, self.repair)

    def write_tools(self, model: DomainModel) -> str:
        return written_tools.tools(self._ask, model, self.review, self.repair)

    def write_tool_tests(self, model: DomainModel, cases: Iterable[GoldCall]) -> str:
        return OfflineAuthor().write_tool_tests(model, cases)

    def sample_sop(self, model: DomainModel, brief: Brief) -> SopDocument:
        """Return one section of the SOP, for a look before all are paid for."""
        return self._sop(model, brief).sample()

    def _sop(self, model: DomainModel, brief: Brief) -> SopWriting:
        # Where the model of the procedure was written from prose, it holds the later additions.
        told = brief if brief.built else replace(brief, parts=_without_context(brief.parts))
        derived = OfflineAuthor().write_sop(model, told)
        return SopWriting(self._ask, model, brief, derived, self.review.feedback)

    def estimated(self, model: DomainModel, brief: Brief) -> list[Question]:
        """Return the questions that the stages behind the schema would be written with."""
        counting = Estimating(str(self.settings.model))
        for stage in [name for name in self.settings.stages if name in _WRITE]:
            writer = replace(self, asking=counting, stage=stage, repair=NOTHING_FOUND)
            _WRITE[stage](writer, model, brief)
        return counting.questions

    def _ask(self, template: str, values: Mapping[str, object]) -> Mapping[str, Any]:
        return self.asking.ask(template, values, stage=self.stage)


def _without_context(parts: BriefDocument) -> BriefDocument:
    return parts.model_copy(update={"context": ()})


_WRITE: Mapping[str, Callable[[ModelAuthor, DomainModel, Brief], object]] = {
    "sop": lambda writer, model, brief: writer.write_sop(model, brief),
    "dataset": lambda writer, model, brief: writer.write_rows(model, brief),
    "api": lambda writer, model, _: writer.write_openapi(model, ()),
    "toolspec": lambda writer, model, _: writer.write_toolspecs(render_openapi(model, {})),
    "tools": lambda writer, model, _: writer.write_tools(model),
}
