"""Glossary: the words of the domain, for those who translate it."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.authors.writers.author import Author
from sopforge.language.domain.reading import Brief
from sopforge.workspace import Workspace


class GlossaryStage:
    """Writes ``glossary.md`` from the model's fields."""

    name = "glossary"
    revision = 1
    needs = ("schema",)

    def select_brief_part(self, brief: Brief) -> object:
        return brief.parts.title

    def build(self, workspace: Workspace, author: Author) -> Mapping[str, str]:  # noqa: ARG002 - derived
        rows = [
            f"- **{item.label}**: {item.description}" for item in workspace.model.fields.values()
        ]
        return {"glossary.md": "\n".join([f"# {workspace.brief.parts.title}", "", *rows, ""])}


STAGE = GlossaryStage()
