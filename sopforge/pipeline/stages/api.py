"""API: the tools as an OpenAPI document, with examples from the data."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.authors.writers.author import Author
from sopforge.language.domain.reading import Brief
from sopforge.workspace import Workspace


class ApiStage:
    """Writes ``openapi.yaml``."""

    name = "api"
    revision = 8
    needs = ("schema",)

    def select_brief_part(self, brief: Brief) -> object:
        # The examples are cases drawn after those that the tasks are chosen from.
        return brief.parts.dataset.model_dump(mode="json", include={"n_samples", "seed"})

    def build(self, workspace: Workspace, author: Author) -> Mapping[str, str]:
        from sopforge.proof.dataset.coverage.drawing import draw_example_calls
        from sopforge.proof.dataset.tasks.writing import make_gold_call

        model = workspace.model
        calls = draw_example_calls(model, workspace.brief.parts.dataset)
        examples = [make_gold_call(model, call) for call in calls.values()]
        return {"openapi.yaml": author.write_openapi(model, examples)}
