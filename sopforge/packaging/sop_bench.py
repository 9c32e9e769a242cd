"""A package in SOP-Bench's layout: one folder that its registry finds, loads and scores.

What an agent may see stands at the top; ``grader/`` holds what only a grader may. The test set with
outputs stands at the top too, because the layout wants it there; no tool reads it.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from sopforge.domain.model import DomainModel
from sopforge.domain.tasks import Task, write_shown, write_tasks, write_trajectories
from sopforge.packaging.task_table import write_task_table

TASK_ID = "task_id"
CHECKSUMS = "SHA256SUMS"
GRADER_MODEL = "grader/domain.yaml"
GRADER_TASKS = "grader/tasks.jsonl"
GRADER_TRAJECTORIES = "grader/trajectories.jsonl"
GRADER_TABLE = "grader/tasks.parquet"


@dataclass(frozen=True, slots=True)
class Release:
    """What a package is written from: a level's artifacts, approved, and where they come from."""

    name: str
    version: str
    level: str
    model: DomainModel
    tasks: tuple[Task, ...]
    domain_yaml: str
    sop: str
    tools: str
    toolspecs: str
    openapi: str
    records: Mapping[str, str]
    explanations: str
    coverage: str
    coverage_text: str
    profile: str
    provenance: Mapping[str, object]
    tool_tests: str = ""


def package_files(release: Release) -> dict[str, str | bytes]:
    """Return the files of the package by name, checksums included."""
    model, tasks = release.model, release.tasks
    inputs = [item.name for item in model.inputs]
    answers = [item.name for item in model.outcomes]
    files: dict[str, str | bytes] = {
        "sop.txt": release.sop,
        "tools.py": release.tools,
        "test_tools.py": release.tool_tests,
        "toolspecs.json": release.toolspecs,
        "openapi.yaml": release.openapi,
        **release.records,
        "metadata.json": _metadata(release, inputs),
        "test_set_with_outputs.csv": _test_set(tasks, [*inputs, *answers]),
        "test_set_without_outputs.csv": _test_set(tasks, inputs),
        "tasks.jsonl": write_shown(tasks),
        "README.md": _card(release),
        "provenance.json": _json(release.provenance),
        GRADER_MODEL: release.domain_yaml,
        GRADER_TASKS: write_tasks(tasks),
        GRADER_TRAJECTORIES: write_trajectories(tasks),
        GRADER_TABLE: write_task_table(model, tasks),
        "grader/explanations.jsonl": release.explanations,
        "grader/coverage.json": release.coverage,
        "grader/coverage.md": release.coverage_text,
        "grader/profile.json": release.profile,
    }
    return {**files, CHECKSUMS: _checksums(files)}


def _metadata(release: Release, inputs: list[str]) -> str:
    model = release.model
    return _json(
        {
            "name": release.name,
            "domain": model.name,
            "version": release.version,
            "description": model.business_task,
            "num_tasks": len(release.tasks),
            "num_tools": len(model.tools),
            "complexity_level": release.level,
            "input_columns": inputs,
            "output_columns": [model.primary.name],
        }
    )


def _test_set(tasks: Iterable[Task], names: list[str]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([TASK_ID, *names])
    for task in tasks:
        cells = {**task.inputs, **task.outcomes}
        writer.writerow([task.id, *(cells[name] for name in names)])
    return buffer.getvalue()


def _card(release: Release) -> str:
    model = release.model
    outcomes = "\n".join(f"- `{item.name}`: {item.description}" for item in model.outcomes)
    tools = "\n".join(f"- `{tool.name}`: {tool.description}" for tool in model.tools.values())
    records = ", ".join(f"`{name}`" for name in release.records)
    return f"""# {model.title}

{model.business_task}

Package `{release.name}`, version {release.version}, complexity level {release.level},
{len(release.tasks)} tasks. All data are synthetic.

## For the agent
`sop.txt`, `toolspecs.json`, `tools.py` with {records}, `test_set_without_outputs.csv`,
and `tasks.jsonl`, where each task stands in words too and says to which split it belongs: develop
on dev ({_count(release, "dev")} tasks), report on test ({_count(release, "test")} tasks).

Tools:
{tools}

## For the grader
`test_set_with_outputs.csv` and `grader/` hold the answers; never show them to an agent.
The scored column is `{model.primary.name}`.

`grader/tasks.parquet` has the tasks with their answers in one table, `grader/trajectories.jsonl`
the expected calls, `grader/explanations.jsonl` why each answer is what it is, `grader/coverage.md`
what the tasks cover.

Outcomes:
{outcomes}
{_scored(model)}"""


def _scored(model: DomainModel) -> str:
    if not model.scored:
        return ""
    lines = "\n".join(f"- `{item.name}`: {item.description}" for item in model.scored)
    return f"\nIntermediate values that are scored beside them:\n{lines}\n"


def _count(release: Release, split: str) -> int:
    return sum(task.split == split for task in release.tasks)


def changed_files(folder: Path) -> list[str]:
    """Return the files of a package that are missing or not those that were released."""
    listed = [line.split("  ", 1) for line in (folder / CHECKSUMS).read_text().splitlines()]
    return [
        name
        for digest, name in listed
        if not (folder / name).is_file()
        or sha256((folder / name).read_bytes()).hexdigest() != digest
    ]


def _checksums(files: Mapping[str, str | bytes]) -> str:
    return "".join(
        f"{sha256(content.encode() if isinstance(content, str) else content).hexdigest()}  {name}\n"
        for name, content in sorted(files.items())
    )


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
