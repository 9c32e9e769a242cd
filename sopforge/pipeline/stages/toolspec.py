"""Toolspec: the API as the tool descriptions that an agent is given."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.authors.writers.author import Author
from sopforge.language.domain.reading import Brief
from sopforge.workspace import OPENAPI, Workspace


class ToolspecStage:
    """Writes ``toolspecs.json``."""

    name = "toolspec"
    revision = 5
    # The API says all but what tools check; the checks compare it with the gold calls too.
    needs = ("schema", "dataset", "api")

    def select_brief_part(self, brief: Brief) -> object:  # noqa: ARG002 - all comes from earlier stages
        return None

    def build(self, workspace: Workspace, author: Author) -> Mapping[str, str]:
        openapi = workspace.files[OPENAPI]
        return {"toolspecs.json": author.write_toolspecs(workspace.model, openapi)}
