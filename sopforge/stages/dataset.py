"""Dataset: rows are sampled, labelled by the model and chosen as tasks."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.authors.author import Author
from sopforge.dataset.drawing import draw_tasks
from sopforge.dataset.records import write_records
from sopforge.dataset.rows import write_rows
from sopforge.dataset.writing import coverage_json, task_files
from sopforge.domain.reading import Brief
from sopforge.workspace import Workspace


class DatasetStage:
    """Writes tasks, gold trajectories, explanations, the tools' records and the coverage."""

    name = "dataset"
    revision = 4
    needs = ("schema",)

    def brief_part(self, brief: Brief) -> object:
        return brief.parts.dataset.model_dump(mode="json")

    def build(self, workspace: Workspace, author: Author) -> Mapping[str, str]:  # noqa: ARG002 - labels have no author
        model = workspace.model
        asked = workspace.brief.parts.dataset
        draw = draw_tasks(model, asked)
        return {
            **task_files(model, draw.tasks, asked.dev_share),
            **write_records(model, [task.row for task in draw.tasks]),
            "rows.jsonl": write_rows(model, draw.tasks),
            "coverage.json": coverage_json(model, draw),
        }
