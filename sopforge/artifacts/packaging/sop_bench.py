"""A package in SOP-Bench's layout: one folder that its registry finds, loads and scores.

What an agent may see stands at the top; ``grader/`` holds what only a grader may. The test set with
outputs stands at the top too, because the layout wants it there; no tool reads it.
"""

from __future__ import annotations

import json
from collections.abc import Container, Mapping

from sopforge.artifacts.packaging.canary import compute_release_canary
from sopforge.artifacts.packaging.checksums import CHECKSUMS, render_checksums
from sopforge.artifacts.packaging.croissant import render_croissant
from sopforge.artifacts.packaging.exporters import collect_exports
from sopforge.artifacts.packaging.release import Release
from sopforge.artifacts.packaging.task_table import write_task_table
from sopforge.artifacts.packaging.test_sets import write_test_set
from sopforge.language.domain.tasks import write_shown, write_tasks, write_trajectories

LAYOUT = 14
"""Raised when the same stages make other packages."""
GRADER = "grader/"
GRADER_MODEL = "grader/domain.yaml"
GRADER_TASKS = "grader/tasks.jsonl"
GRADER_TRAJECTORIES = "grader/trajectories.jsonl"
GRADER_TABLE = "grader/tasks.parquet"
ANSWERED = "test_set_with_outputs.csv"
SHOWN_TASKS = "tasks.jsonl"
GRADER_TOOL_TESTS = f"{GRADER}test_tools.py"
LAYERED = "layers/"
"""Where what agents see of a level with dials stands, and what its sessions need."""
LAYERS, JUDGES = f"{LAYERED}layers.jsonl", f"{GRADER}judges.jsonl"
ASKED = "test_set_without_outputs.csv"


def build_package_files(release: Release) -> dict[str, str | bytes]:
    """Return the files of the package by name, checksums included."""
    described = {
        **_build_agent_files(release),
        **_build_grader_files(release),
        **release.layers,
        "provenance.json": _format_json(
            {**release.provenance, "canary": compute_release_canary(release)}
        ),
    }
    further = collect_exports(release)
    if taken := described.keys() & further.keys():
        raise ValueError(f"an exporter writes {min(taken)}, a file that the layout already has")
    described |= further
    tables = [ANSWERED, *release.records]
    # Croissant lists digests of all that is there so far, and the checksums those of Croissant too.
    files = {**described, "croissant.json": render_croissant(release, described, tables)}
    return {**files, CHECKSUMS: render_checksums(files)}


def find_tool_tests(files: Container[str]) -> str:
    """Return where a package has the tests of its tools: up to layout 10 outside of ``grader/``."""
    earlier = GRADER_TOOL_TESTS.removeprefix(GRADER)
    return earlier if earlier in files else GRADER_TOOL_TESTS


def is_of_this_layout(provenance: Mapping[str, object]) -> bool:
    """Return whether a package says in its provenance that it has the layout written here."""
    return str(provenance.get("made_with")).endswith(f", layout {LAYOUT}")


def _build_agent_files(release: Release) -> dict[str, str | bytes]:
    return {
        "sop.txt": release.sop,
        "tools.py": release.tools,
        "toolspecs.json": release.toolspecs,
        "openapi.yaml": release.openapi,
        **release.records,
        ASKED: write_test_set(release.tasks, release.model.inputs),
        SHOWN_TASKS: write_shown(release.tasks),
    }


def _build_grader_files(release: Release) -> dict[str, str | bytes]:
    model, tasks = release.model, release.tasks
    return {
        ANSWERED: write_test_set(tasks, model.inputs, model.outcomes),
        GRADER_MODEL: release.domain_yaml,
        GRADER_TASKS: _add_canary(write_tasks(tasks), compute_release_canary(release)),
        GRADER_TRAJECTORIES: write_trajectories(tasks),
        GRADER_TABLE: write_task_table(model, tasks),
        # The calls that they expect are gold calls of some tasks.
        GRADER_TOOL_TESTS: release.tool_tests,
        "grader/explanations.jsonl": release.explanations,
        "grader/coverage.json": release.coverage,
        "grader/coverage.md": release.coverage_text,
        "grader/profile.json": release.profile,
        **{f"{GRADER}{name}": text for name, text in release.evidence.items()},
    }


def _add_canary(lines: str, canary: str) -> str:
    """Return JSON lines with the canary in each, so that a line that strays takes it along."""
    mark = json.dumps(canary)
    # Put in as text: parsing and writing anew could change the stage's bytes, which ``verify``
    # makes out again by ``remove_canary`` and compares with the approved ones.
    return "".join(f'{line[:-1]}, "canary": {mark}}}\n' for line in lines.split("\n") if line)


def remove_canary(lines: str, canary: str) -> str:
    """Return JSON lines as they were before the canary was put into each."""
    return lines.replace(f', "canary": {json.dumps(canary)}}}\n', "}\n")


def _format_json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
