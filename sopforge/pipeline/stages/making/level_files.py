"""The files of the levels: the same tasks with the same answers, at each level harder to solve."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from sopforge.artifacts.complexity.document import render_variant_document
from sopforge.artifacts.complexity.levels import apply_doses, compute_doses, count_missing_names
from sopforge.artifacts.complexity.material import NOTHING, Material
from sopforge.artifacts.complexity.profile import compute_figures
from sopforge.artifacts.complexity.setting import build_setting, choose_setting
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import read_sop
from sopforge.authors.writers.author import Author
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.harness.layers.measuring.workspaces import build_dial_files, compute_dials
from sopforge.harness.scoring.shortcuts import score_shortcuts
from sopforge.language.domain.documents.schema import Level
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task
from sopforge.parallel import map_in_processes
from sopforge.pipeline.stages.making.level_texts import LevelTexts
from sopforge.pipeline.stages.making.level_words import keep_specs, keep_summaries
from sopforge.pipeline.stages.making.tool_files import build_tool_files
from sopforge.pipeline.stages.sop import build_sop_files
from sopforge.progress.tracking import enter_step
from sopforge.proof.dataset.coverage.drawing import draw_example_calls, redraw
from sopforge.proof.dataset.records import Row, write_records
from sopforge.proof.dataset.sampling.rows import read_rows
from sopforge.proof.dataset.tasks.writing import as_task, make_gold_call, render_task_files
from sopforge.workspace import (
    COMPLETIONS,
    COVERAGE,
    COVERAGE_TEXT,
    DOMAIN,
    MATERIAL_FILE,
    OPENAPI,
    PROFILE,
    ROWS,
    ROWS_ASKED,
    SHORTCUTS,
    SOP_TEXT,
    SOP_TRACE,
    TOOL_TESTS,
    TOOLS,
    TOOLSPECS,
    Workspace,
)

_INTERFACE = {OPENAPI, TOOLSPECS, TOOLS, TOOL_TESTS}


def build_complexity_files(workspace: Workspace, author: Author) -> dict[str, str]:
    """Return the files of all levels that the brief asks for, each a whole workspace."""
    parts = workspace.brief.parts
    sop = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE])
    material = author.write_material(workspace.model, sop, count_missing_names(parts))
    files = {} if material == NOTHING else {MATERIAL_FILE: material.as_json()}

    def make_asked_level(level: Level) -> dict[str, str]:
        with enter_step(level):
            return make_level(workspace, level, material)

    made = map_in_processes(make_asked_level, parts.complexity.levels, "levels made")
    for level, own in zip(parts.complexity.levels, made, strict=True):
        files.update({f"{level}/{name}": text for name, text in own.items()})
    return files


def make_level(workspace: Workspace, level: Level, material: Material = NOTHING) -> dict[str, str]:
    """Return the files of a level, made from those of the plain SOP, rows and coverage."""
    parts = workspace.brief.parts
    asked, doses = parts.dataset, compute_doses(level, parts.complexity)
    sop = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE])
    texts = LevelTexts(workspace.brief, workspace.model, sop)
    plain = Variant(
        workspace.model,
        texts.derive(workspace.model),
        declared=build_setting(
            workspace.model, choose_setting(parts.setting, material), parts.document
        ),
        derive=texts.derive,
        document=workspace.files[DOMAIN],
    )
    variant = apply_doses(plain, doses, asked.seed)
    model = variant.model
    drawn = redraw(
        model, workspace.brief.drawing.seed, read_rows(workspace.model, workspace.files[ROWS])
    )
    tasks = [as_task(model, candidate, asked.dev_share) for candidate in drawn]
    rows = {candidate.id: candidate.row for candidate in drawn}
    dataset = {**render_task_files(model, drawn, tasks), **write_records(model, rows.values())}
    files = {
        DOMAIN: render_variant_document(workspace.files[DOMAIN], model),
        **{f"sop/{name}": text for name, text in build_sop_files(variant.sop).items()},
        **{f"dataset/{name}": text for name, text in dataset.items()},
        ROWS: workspace.files[ROWS],
        COVERAGE: workspace.files[COVERAGE],
        COVERAGE_TEXT: workspace.files[COVERAGE_TEXT],
        SHORTCUTS: _score_shortcuts(workspace, model, tasks, rows),
        **{
            name: workspace.files[name]
            for name in (ROWS_ASKED, COMPLETIONS)
            if name in workspace.files
        },
    }
    if _has_same_tools(model, workspace.model) and workspace.files.keys() >= _INTERFACE:
        files |= {name: workspace.files[name] for name in sorted(_INTERFACE)}
    else:
        files |= _build_interface_files(Workspace(workspace.brief, files), workspace)
    made = {**files, PROFILE: _render_profile(level, doses, variant, tasks, files[TOOLSPECS])}
    dials = compute_dials(level, parts.complexity)
    if not any(dials.values()):
        return made
    return {**made, **build_dial_files(Workspace(workspace.brief, made), dials)}


def _score_shortcuts(
    plain: Workspace, model: DomainModel, tasks: Sequence[Task], rows: Mapping[str, Row]
) -> str:
    """Return what shortcuts score: as on the plain level, where model and tasks are the same."""
    # Nothing else decides it: the records are those of the rows, which all levels share.
    if model == plain.model and tuple(tasks) == plain.tasks and SHORTCUTS in plain.files:
        return plain.files[SHORTCUTS]
    return score_shortcuts(model, tasks, rows).as_json()


def _has_same_tools(one: DomainModel, other: DomainModel) -> bool:
    """Return whether two models of a domain have the same tools, on the same records."""
    return one.tools == other.tools and one.fields == other.fields


def _build_interface_files(made: Workspace, plain: Workspace) -> dict[str, str]:
    """Return the files of tools of this level: derived, with the plain level's summaries."""
    author = OfflineAuthor()
    model = made.model
    calls = draw_example_calls(model, made.brief.parts.dataset)
    openapi = author.write_openapi(model, [make_gold_call(model, call) for call in calls.values()])
    same = {name for name, tool in model.tools.items() if tool == plain.model.tools.get(name)}
    has_words = plain.files.keys() >= {OPENAPI, TOOLSPECS}
    if has_words:
        openapi = keep_summaries(openapi, plain.files[OPENAPI], same)
    toolspecs = author.write_toolspecs(model, openapi)
    if has_words:
        toolspecs = keep_specs(toolspecs, plain.files[TOOLSPECS], plain.files[OPENAPI], same)
    return {
        OPENAPI: openapi,
        TOOLSPECS: toolspecs,
        **{f"tools/{name}": text for name, text in build_tool_files(made, author).items()},
    }


def _render_profile(
    level: Level,
    doses: Mapping[str, int],
    variant: Variant,
    tasks: Sequence[Task],
    toolspecs: str,
) -> str:
    profile = {
        "level": level,
        "doses": {name: dose for name, dose in doses.items() if dose},
        "put_in": dict(variant.count_additions()),
        **compute_figures(variant, tasks, toolspecs),
        "added": [f"{item.operator}: {item.text}" for item in variant.added],
    }
    return json.dumps(profile, indent=1, ensure_ascii=False) + "\n"
