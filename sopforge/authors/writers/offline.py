"""The offline author: deterministic, without a key; all follows from the structured facts.

What it writes with is loaded when it writes: a run that finds all as it was waits for none of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sopforge.artifacts.complexity.material import NOTHING, Material
from sopforge.artifacts.rendering.sop.document import SopDocument
from sopforge.authors.writers.repair import NOT_TRIED, Attempt
from sopforge.findings import Finding
from sopforge.language.domain.documents.yaml_documents import write_document
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief
from sopforge.language.domain.tasks import GoldCall


class OfflineAuthor:
    """Writes from the model alone, through ``rendering``; it cannot apply words of feedback."""

    name = "offline"
    applies_feedback = False
    identity = name

    def choose_stage_author(
        self,
        stage: str,  # noqa: ARG002 - all stages are alike to it
        feedback: Sequence[str],  # noqa: ARG002 - it cannot apply words
        before: Mapping[str, str] | None = None,  # noqa: ARG002 - nor change what was written
    ) -> OfflineAuthor:
        return self

    def choose_reviser(
        self,
        files: Mapping[str, str],
        findings: Sequence[Finding],
        dropped: Attempt = NOT_TRIED,
    ) -> None:
        """It has no second thoughts: what is wrong is wrong in the facts."""

    def list_remarks(self) -> list[Finding]:
        return []

    def write_domain(self, brief: Brief) -> str:
        parts = brief.parts
        document: dict[str, object] = {
            "format": parts.format,
            "domain": parts.domain,
            "title": parts.title,
            "business_task": parts.business_task,
        }
        if "remarks" in parts.model_fields_set:
            document["remarks"] = parts.remarks.model_dump(mode="json", exclude_defaults=True)
        return write_document(document) + brief.facts_text

    def write_second_reading(
        self,
        brief: Brief,  # noqa: ARG002 - what a person has stated is read by people
        domain: str,  # noqa: ARG002 - nor compared
    ) -> Mapping[str, str]:
        return {}

    def write_sop(self, model: DomainModel, brief: Brief) -> SopDocument:
        from sopforge.artifacts.rendering.sop.forms import FORMS
        from sopforge.artifacts.rendering.sop.sop import write_brief_sop
        from sopforge.artifacts.rendering.sop.writer import Writer

        form = FORMS[brief.parts.sop.form]
        return write_brief_sop(Writer(model, has_names=form.has_definitions), brief)

    def write_rows(self, model: DomainModel, brief: Brief) -> str:  # noqa: ARG002 - all is drawn
        return ""

    def write_openapi(self, model: DomainModel, examples: Iterable[GoldCall]) -> str:
        from sopforge.artifacts.rendering.api.openapi import render_openapi

        shown = {
            call.tool: {"arguments": dict(call.arguments), "result": dict(call.result)}
            for call in examples
        }
        return render_openapi(model, shown)

    def write_toolspecs(
        self,
        model: DomainModel,  # noqa: ARG002 - all stands in the API
        openapi: str,
    ) -> str:
        from sopforge.artifacts.rendering.api.toolspecs import render_toolspecs

        return render_toolspecs(openapi)

    def write_tools(self, model: DomainModel) -> str:
        from sopforge.artifacts.rendering.tools.module import render_tools

        return render_tools(model)

    def write_material(
        self,
        model: DomainModel,  # noqa: ARG002 - it writes none
        sop: SopDocument,  # noqa: ARG002 - it writes none
        wanted: Mapping[str, int],  # noqa: ARG002 - it writes none
    ) -> Material:
        return NOTHING

    def write_tool_tests(self, model: DomainModel, cases: Iterable[GoldCall]) -> str:
        from sopforge.artifacts.rendering.tools.tests import render_tool_tests

        return render_tool_tests(model, cases)
