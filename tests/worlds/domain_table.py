"""What docs/domains.md counts of a domain: one line of its table per package."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import astuple, dataclass

from sopforge.language.domain.fields import Role
from sopforge.language.domain.model import DomainModel, ToolKind
from sopforge.language.domain.rules import Table
from sopforge.language.domain.values.types import EnumType, ListType
from sopforge.workspace import COVERAGE, SOP_TEXT, Workspace

COLUMNS = (
    "Package",
    "Tools",
    "Kinds of tools",
    "Inputs",
    "Observed",
    "Derived",
    "Distractors",
    "Outcomes",
    "Labels of the primary",
    "Most frequent label",
    "Rules",
    "Steps",
    "Paths",
    "Tasks",
    "Words of the SOP",
)


@dataclass(frozen=True)
class Counts:
    """The cells of a line after the first; None where there is nothing that could be counted."""

    tools: int
    kinds: str
    inputs: int
    observed: int
    derived: int | None
    distractors: int | None
    outcomes: int
    labels: int
    majority: str
    rules: int | None
    steps: int
    paths: int | None
    tasks: int
    words: int

    def line(self, name: str) -> str:
        """Return the line of the table that begins with a name."""
        cells = ["-" if cell is None else str(cell) for cell in astuple(self)]
        return f"| {' | '.join([name, *cells])} |"


def counts_of(workspace: Workspace) -> Counts:
    """Count what the stages of a domain made."""
    model, tasks = workspace.model, workspace.tasks
    labels = Counter(task.outcomes[model.primary.name] for task in tasks)
    return Counts(
        tools=len(model.tools),
        kinds=_kinds(model),
        inputs=len(model.with_role(Role.INPUT)),
        observed=_observed(model),
        derived=len(model.with_role(Role.DERIVED)),
        distractors=len(model.with_role(Role.DISTRACTOR)),
        outcomes=len(model.with_role(Role.OUTCOME)),
        labels=len(model.primary.type.values) if isinstance(model.primary.type, EnumType) else 0,
        majority=f"{max(labels.values()) / len(tasks):.0%}",
        rules=sum(
            len(table.rules) for table in model.decisions.values() if isinstance(table, Table)
        ),
        steps=len(model.steps),
        paths=len(json.loads(workspace.files[COVERAGE])["paths"]),
        tasks=len(tasks),
        words=len(workspace.files[SOP_TEXT].split()),
    )


def _kinds(model: DomainModel) -> str:
    kinds = Counter(tool.kind for tool in model.tools.values())
    return ", ".join(f"{kinds[kind]} {kind}" for kind in ToolKind if kinds[kind])


def _observed(model: DomainModel) -> int:
    """Count observed fields, the fields of a list's items in the place of the list."""
    kinds = [item.type for item in model.with_role(Role.OBSERVED)]
    return sum(len(kind.fields) if isinstance(kind, ListType) else 1 for kind in kinds)
