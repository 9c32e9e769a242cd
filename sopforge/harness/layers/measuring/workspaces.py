"""The tasks of a level in the making, and the files of the layers around them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from sopforge.harness.environment.shown import Shown, ShownTask, read_tools
from sopforge.harness.layers.dials import LEVELS
from sopforge.harness.layers.files import write_judges, write_layers
from sopforge.harness.layers.layering import put_layers
from sopforge.harness.layers.measuring.report import Reporter
from sopforge.harness.layers.measuring.targeting import meet_target
from sopforge.harness.layers.plain import PlainCases
from sopforge.language.domain.documents.schema import ComplexityDocument, Level
from sopforge.seeds import draw
from sopforge.workspace import (
    JUDGES,
    LAYERS,
    PROFILE,
    SOP_TEXT,
    TOOLSPECS,
    Workspace,
)


def compute_dials(level: Level, asked: ComplexityDocument) -> Mapping[str, int]:
    """Return the doses of the dials at a level; there are none up to L3."""
    if level in LEVELS:
        return LEVELS[level]
    return asked.dials.model_dump() if level == "dials" and asked.dials else {}


def build_dial_files(plain: Workspace, doses: Mapping[str, int]) -> dict[str, str]:
    """Return the layers of some doses around a plain level, and its profile with what they do."""
    parts = plain.brief.parts
    core = make_plain_cases(plain)
    # Of the draw: with the brief's, places of a private set would say what public ones do. And
    # not its seed, for agents are given what sessions need, and the tasks follow from that.
    seed = draw(plain.brief.drawing.seed, "layers")
    cases = put_layers(core, doses, seed)
    level = Reporter(core, cases, doses, seed)
    asked = parts.complexity.difficulty
    if asked is not None:
        level = meet_target(level, asked.one_mistake_median)
    target = {} if asked is None else {"target": asked.one_mistake_median}
    profile = {**json.loads(plain.files[PROFILE]), "difficulty": {**level.report(), **target}}
    return {
        LAYERS: write_layers(level.cases),
        JUDGES: write_judges(level.cases),
        # Figures have three places: as fractions of two they are written with no more.
        PROFILE: json.dumps(profile, indent=1, ensure_ascii=False, default=float) + "\n",
    }


def make_plain_cases(plain: Workspace) -> PlainCases:
    """Return the tasks of a level as they are without layers, graded briefly."""
    tasks = {
        task.id: ShownTask(task.id, task.text, task.inputs, task.split) for task in plain.tasks
    }
    shown = Shown(
        plain.brief.parts.domain,
        "",
        plain.files[SOP_TEXT],
        read_tools(plain.files[TOOLSPECS]),
        tasks,
        {},
    )
    gold = {task.id: task for task in plain.tasks}
    return PlainCases(shown, plain.model, gold, plain.records, is_brief=True)
