"""A domain in the making: its brief and the files of the stages that are done, read on demand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sopforge.language.domain import stage_names
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief, read_domain
from sopforge.language.domain.tasks import Task, read_tasks

STAGE_NAMES = stage_names.STAGE_NAMES

DOMAIN = "schema/domain.yaml"
SECOND = "schema/second.yaml"
ALIGNMENT = "schema/alignment.yaml"
CLAUSES = "schema/clauses.yaml"
SOP_TEXT = "sop/sop.txt"
SOP_MARKDOWN = "sop/sop.md"
SOP_TRACE = "sop/trace.json"
TASKS = "dataset/tasks.jsonl"
TRAJECTORIES = "dataset/trajectories.jsonl"
EXPLANATIONS = "dataset/explanations.jsonl"
RECORDS = "dataset/records.csv"
ROWS = "dataset/rows.jsonl"
COVERAGE = "dataset/coverage.json"
COVERAGE_TEXT = "dataset/coverage.md"
SHORTCUTS = "dataset/shortcuts.json"
ROWS_ASKED = "dataset/rows_asked.json"
COMPLETIONS = "dataset/completions.json"
DATA_PROFILE = "dataset/data_profile.json"
OPENAPI = "api/openapi.yaml"
TOOLSPECS = "toolspec/toolspecs.json"
TOOLS = "tools/tools.py"
TOOL_TESTS = "tools/test_tools.py"
MATERIAL_FILE = "material.json"
MATERIAL = f"complexity/{MATERIAL_FILE}"
PROFILE = "profile.json"
LAYERS, JUDGES = "layers.jsonl", "judges.jsonl"
"""Of a level, whose files are a workspace of their own."""


@dataclass(frozen=True)
class Workspace:
    """The brief and the files, named ``stage/file``; a model is parsed once."""

    brief: Brief
    files: Mapping[str, str]

    @property
    def model(self) -> DomainModel:
        """The model of the schema stage; raises ``MaterialError`` where it is malformed."""
        return parse_model(self.files[DOMAIN])

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks of the dataset stage."""
        return read_tasks(self.files[TASKS], self.files[TRAJECTORIES])

    @property
    def records(self) -> dict[str, str]:
        """The files of the records, by the names under which the tools read them."""
        model = self.model
        names = [model.name_records_file(entity) for entity in model.entities.values()]
        return {name: self.files[f"dataset/{name}"] for name in names}

    def select_stage_files(self, stage: str) -> dict[str, str]:
        """Return the files of a stage, or of a folder in one, by their names within it."""
        start = f"{stage}/"
        return {n[len(start) :]: text for n, text in self.files.items() if n.startswith(start)}

    def with_stage(self, stage: str, files: Mapping[str, str]) -> Workspace:
        """Return the workspace with these files of a stage in the place of those that it had."""
        others = {n: text for n, text in self.files.items() if not n.startswith(f"{stage}/")}
        return replace(self, files={**others, **name_stage_files(stage, files)})

    def with_files(self, files: Mapping[str, str]) -> Workspace:
        """Return the workspace with further files, or with others in the place of its own."""
        return replace(self, files={**self.files, **files})


def name_stage_files(stage: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a stage, named as in a workspace."""
    return {f"{stage}/{name}": text for name, text in files.items()}


def parse_model(text: str) -> DomainModel:
    """Return the model in a document; raises ``MaterialError`` if it is malformed."""
    return read_domain(text, "domain.yaml")
