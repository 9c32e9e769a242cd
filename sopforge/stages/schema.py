"""Schema: the brief's facts become the domain model."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.authors.author import Author
from sopforge.dataset.placing import keys_wanted
from sopforge.domain.reading import Brief
from sopforge.workspace import Workspace


class SchemaStage:
    """Writes ``domain.yaml``, which all later stages read."""

    name = "schema"
    revision = 3
    needs = ()

    def brief_part(self, brief: Brief) -> object:
        parts = brief.parts
        facts = [parts.domain, parts.title, parts.business_task, brief.facts]
        if brief.built is not None:
            return facts
        prose = [parts.task_context, brief.draft, parts.guidelines, list(parts.context)]
        return [*facts, *prose, keys_wanted(parts.dataset.n_samples)]

    def build(self, workspace: Workspace, author: Author) -> Mapping[str, str]:
        return {"domain.yaml": author.write_domain(workspace.brief)}
