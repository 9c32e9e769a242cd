"""Schema: the brief's facts become the domain model."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.authors.author import Author
from sopforge.domain.reading import Brief
from sopforge.workspace import Workspace


class SchemaStage:
    """Writes ``domain.yaml``, which all later stages read."""

    name = "schema"
    revision = 2
    needs = ()

    def brief_part(self, brief: Brief) -> object:
        parts = brief.parts
        return [parts.domain, parts.title, parts.business_task, brief.facts]

    def build(self, workspace: Workspace, author: Author) -> Mapping[str, str]:
        return {"domain.yaml": author.write_domain(workspace.brief)}
