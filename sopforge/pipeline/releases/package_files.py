"""The files of a package: what the stages made of a level, under a version and its terms."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version as installed_version

from sopforge.artifacts.packaging.metadata import REPLAY
from sopforge.artifacts.packaging.release import Release
from sopforge.artifacts.packaging.sop_bench import (
    GRADER,
    LAYERED,
    LAYOUT,
    SHOWN_TASKS,
    build_package_files,
)
from sopforge.artifacts.packaging.sop_bench import JUDGES as JUDGES_FILE
from sopforge.artifacts.packaging.sop_bench import LAYERS as LAYERS_FILE
from sopforge.artifacts.rendering.tools.module import render_replay
from sopforge.harness.environment.shown import SOP, write_shown_tasks, write_tools
from sopforge.harness.environment.shown import TOOLSPECS as SPECS
from sopforge.harness.layers.files import read_layers
from sopforge.harness.layers.measuring.workspaces import make_plain_cases
from sopforge.proof.dataset.coverage.coverage import read_coverage
from sopforge.proof.dataset.coverage.coverage_text import describe_coverage
from sopforge.workspace import (
    COMPLETIONS,
    COVERAGE,
    COVERAGE_TEXT,
    DOMAIN,
    EXPLANATIONS,
    JUDGES,
    LAYERS,
    MATERIAL,
    OPENAPI,
    PROFILE,
    ROWS_ASKED,
    SHORTCUTS,
    SOP_MARKDOWN,
    SOP_TEXT,
    SOP_TRACE,
    TOOL_TESTS,
    TOOLS,
    TOOLSPECS,
    Workspace,
)

EVIDENCE = (SOP_MARKDOWN, SOP_TRACE, SHORTCUTS, MATERIAL, ROWS_ASKED, COMPLETIONS)
"""What the checks of a package need beside the model and the tasks, where it is there."""
NOTHING_CARRIED: Mapping[str, str] = {}


def name_package(domain: str, level: str, version: str) -> str:
    """Return the name of a level's package; the plain level has the domain's own name.

    A private test set has a name of its own, so that it may lie beside the public one.

    >>> name_package("refund", "L1", "1.0.0")
    'refund_l1'
    >>> name_package("refund", "L0", "1.0.0-private.2")
    'refund_private2'
    """
    draw = version.partition("-")[2].replace(".", "")
    parts = (domain, draw, "" if level == "L0" else level.lower())
    return "_".join(part for part in parts if part)


def format_program_version() -> str:
    """Return the name and version of this program, as a package keeps it."""
    return f"SOPForge {installed_version('sopforge')}, layout {LAYOUT}"


def build_level_files(
    variant: Workspace,
    level: str,
    version: str,
    provenance: Mapping[str, object],
    carried: Mapping[str, str] = NOTHING_CARRIED,
) -> dict[str, str | bytes]:
    """Return the files of a level's package, checksums included.

    ``carried`` is what is to be verified of its origin, by the names on the grader's side.
    """
    files, brief, primary = variant.files, variant.brief, variant.model.primary.name
    return build_package_files(
        Release(
            name=name_package(brief.parts.domain, level, version),
            version=version,
            level=level,
            model=variant.model,
            tasks=variant.tasks,
            domain_yaml=files[DOMAIN],
            sop=files[SOP_TEXT],
            tools=files[TOOLS],
            toolspecs=files[TOOLSPECS],
            openapi=files[OPENAPI],
            records=variant.records,
            explanations=files[EXPLANATIONS],
            coverage=files[COVERAGE],
            coverage_text=files[COVERAGE_TEXT],
            profile=files[PROFILE],
            provenance={**provenance, "level": level, "made_with": format_program_version()},
            terms=brief.parts.package,
            seed=brief.drawing.seed,
            evidence={**_collect_evidence(variant), **carried},
            covered=" ".join(describe_coverage(read_coverage(files[COVERAGE]), f"`{primary}`")),
            tool_tests=files[TOOL_TESTS],
            layers=_build_layer_files(variant),
        )
    )


def _build_layer_files(variant: Workspace) -> dict[str, str]:
    """Return what agents see of a level with dials, and what its sessions and graders need."""
    if LAYERS not in variant.files:
        return {}
    layers, judges = variant.files[LAYERS], variant.files[JUDGES]
    shown = read_layers(make_plain_cases(variant), layers, judges, LAYERS).shown
    return {
        f"{LAYERED}{SOP}": shown.sop,
        f"{LAYERED}{SPECS}": write_tools(shown.tools),
        f"{LAYERED}{SHOWN_TASKS}": write_shown_tasks(shown.tasks.values()),
        LAYERS_FILE: layers,
        JUDGES_FILE: judges,
    }


def _collect_evidence(variant: Workspace) -> dict[str, str]:
    brief = variant.brief
    found = [name for name in EVIDENCE if name in variant.files]
    model = variant.model
    replay = {REPLAY.removeprefix(GRADER): render_replay(model)} if model.operations else {}
    return {
        "brief.yaml": brief.text,
        **replay,
        **({"draft.md": brief.draft} if brief.draft else {}),
        **{name.partition("/")[2]: variant.files[name] for name in found},
    }
