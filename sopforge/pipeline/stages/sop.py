"""SOP refinement: the expert's draft, completed with all that the model states."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.artifacts.rendering.sop.document import SopDocument
from sopforge.artifacts.rendering.sop.measures import measure_sop
from sopforge.authors.writers.author import Author
from sopforge.language.domain.reading import Brief
from sopforge.workspace import Workspace


class SopStage:
    """Writes the SOP as text and Markdown, its measures, and the trace from lines to the model."""

    name = "sop"
    revision = 33
    needs = ("schema",)

    def select_brief_part(self, brief: Brief) -> object:
        return [
            brief.draft,
            list(brief.parts.additions),
            brief.parts.sop.seed,
            brief.parts.task_context,
            brief.parts.document.model_dump(),
            brief.parts.setting.worker,
            brief.parts.sop.model_dump(include={"form", "purpose", "scope"}),
        ]

    def build(self, workspace: Workspace, author: Author) -> Mapping[str, str]:
        return build_sop_files(author.write_sop(workspace.model, workspace.brief))


def build_sop_files(document: SopDocument) -> dict[str, str]:
    """Return the files of an SOP."""
    return {
        "sop.txt": document.as_text(),
        "sop.md": document.as_markdown(),
        "trace.json": document.as_trace(),
        "measures.json": measure_sop(document),
    }
