"""Dataset: rows are sampled, labelled by the model and chosen as tasks."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.authors.writers.author import Author
from sopforge.language.domain.reading import Brief
from sopforge.workspace import Workspace


class DatasetStage:
    """Writes tasks, gold trajectories, the tools' records, and what is to be said about them.

    Rows may be somebody's; their labels are the model's.
    """

    name = "dataset"
    revision = 18
    needs = ("schema",)

    def select_brief_part(self, brief: Brief) -> object:
        asked = brief.parts.dataset.model_dump(mode="json")
        return [asked, brief.parts.guidelines] if self.name in brief.parts.writer.stages else asked

    def build(self, workspace: Workspace, author: Author) -> Mapping[str, str]:
        from sopforge.pipeline.stages.making.dataset_files import build_dataset_files

        return build_dataset_files(workspace, author)
