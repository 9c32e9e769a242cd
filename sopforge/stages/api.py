"""API: the tools as an OpenAPI document, with examples from the data."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.authors.author import Author
from sopforge.domain.reading import Brief
from sopforge.workspace import Workspace


class ApiStage:
    """Writes ``openapi.yaml``."""

    name = "api"
    revision = 1
    needs = ("schema", "dataset")

    def brief_part(self, brief: Brief) -> object:  # noqa: ARG002 - all comes from earlier stages
        return None

    def build(self, workspace: Workspace, author: Author) -> Mapping[str, str]:
        return {"openapi.yaml": author.write_openapi(workspace.model, workspace.tasks)}
