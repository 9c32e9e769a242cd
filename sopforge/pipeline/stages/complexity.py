"""Complexity injection: the same tasks with the same answers, at each level harder to solve."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.authors.writers.author import Author
from sopforge.language.domain.reading import Brief
from sopforge.workspace import MATERIAL, Workspace


class ComplexityStage:
    """Writes a whole workspace per level, and a profile that says what makes it harder."""

    name = "complexity"
    revision = 38
    needs = ("schema", "sop", "dataset", "api", "toolspec", "tools")

    def select_brief_part(self, brief: Brief) -> object:
        return [
            brief.parts.complexity.model_dump(mode="json", exclude={"variants"}),
            brief.parts.dataset.model_dump(mode="json"),
            brief.parts.setting.model_dump(),
        ]

    def build(self, workspace: Workspace, author: Author) -> Mapping[str, str]:
        from sopforge.pipeline.stages.making.level_files import build_complexity_files

        return build_complexity_files(workspace, author)


def collect_variants(workspace: Workspace) -> dict[str, Workspace]:
    """Return the workspace of each level that the complexity stage made.

    Each holds the material too from which the levels were made, where there is any.
    """
    levels: dict[str, dict[str, str]] = {}
    own = {name: workspace.files[name] for name in (MATERIAL,) if name in workspace.files}
    for name, text in workspace.files.items():
        stage, _, rest = name.partition("/")
        level, _, file = rest.partition("/")
        if stage == ComplexityStage.name and file:
            levels.setdefault(level, dict(own))[file] = text
    return {level: Workspace(workspace.brief, files) for level, files in levels.items()}
