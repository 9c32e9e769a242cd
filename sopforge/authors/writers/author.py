"""The protocol of authors: what each stage asks to be written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from sopforge.artifacts.complexity.material import Material
from sopforge.artifacts.rendering.sop.document import SopDocument
from sopforge.authors.writers.repair import NOT_TRIED, Attempt
from sopforge.findings import Finding
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief
from sopforge.language.domain.tasks import GoldCall


class Author(Protocol):
    """Writes artifacts; whatever it writes is checked, so that it promises form and no truth."""

    @property
    def name(self) -> str:
        """The name in manifests."""

    @property
    def applies_feedback(self) -> bool:
        """Whether words, of a reviewer or of a check, can change what it writes."""

    @property
    def identity(self) -> str:
        """All of the author that decides what it writes: equal identities write the same."""

    def choose_stage_author(
        self, stage: str, feedback: Sequence[str], before: Mapping[str, str] | None = None
    ) -> Author:
        """Return who writes a stage, heeding what reviewers said of it.

        ``before`` are the files of which they said it last, if they said anything.
        """

    def choose_reviser(
        self,
        files: Mapping[str, str],
        findings: Sequence[Finding],
        dropped: Attempt = NOT_TRIED,
    ) -> Author | None:
        """Return an author who repairs what the checks found in ``files``; None if none can.

        ``dropped`` is the last attempt at that, which made things no better.
        """

    def list_remarks(self) -> list[Finding]:
        """Return what it did not do of what was asked for, in what it wrote last."""

    def write_domain(self, brief: Brief) -> str:
        """Return ``domain.yaml`` for a brief."""

    def write_second_reading(self, brief: Brief, domain: str) -> Mapping[str, str]:
        """Return what a second reader understands, beside the written domain; maybe nothing.

        These are ``second.yaml``, a domain of its own, ``alignment.yaml``, which says what is the
        same in the two, and ``clauses.yaml``, which has what passages alone say of cases.
        """

    def write_sop(self, model: DomainModel, brief: Brief) -> SopDocument:
        """Return the SOP of a model, with the brief's draft and context worked in."""

    def write_rows(self, model: DomainModel, brief: Brief) -> str:
        """Return ``rows_asked.json``: rows for tasks and what became of them; "" to draw all."""

    def write_openapi(self, model: DomainModel, examples: Iterable[GoldCall]) -> str:
        """Return ``openapi.yaml``, with an example per tool; none of them is of a task."""

    def write_toolspecs(self, model: DomainModel, openapi: str) -> str:
        """Return ``toolspecs.json`` for a model and its API document."""

    def write_tools(self, model: DomainModel) -> str:
        """Return ``tools.py``."""

    def write_material(
        self, model: DomainModel, sop: SopDocument, wanted: Mapping[str, int]
    ) -> Material:
        """Return names of the trade for complexity operators: sifted, maybe none.

        ``wanted`` is how many roles, systems and papers the brief does not declare.
        """

    def write_tool_tests(self, model: DomainModel, cases: Iterable[GoldCall]) -> str:
        """Return ``test_tools.py``, which runs beside ``tools.py``, from cases."""
