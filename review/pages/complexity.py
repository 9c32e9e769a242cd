"""The variants of a domain side by side: what each level adds, how hard it is, what stays."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from review.artifact import Artifact
from review.pages.page import Page, Query
from review.pages.parts.model_items import index_model_items
from review.pages.parts.sop_reading import Block, build_blocks, count_marks
from sopforge.artifacts.rendering.sop.document import read_sop
from sopforge.harness.layers.files import read_environment_layers
from sopforge.harness.layers.measuring.workspaces import make_plain_cases
from sopforge.language.domain.tasks import read_tasks
from sopforge.pipeline.stages.complexity import collect_variants
from sopforge.workspace import (
    DOMAIN,
    LAYERS,
    PROFILE,
    SOP_TEXT,
    SOP_TRACE,
    TASKS,
    TRAJECTORIES,
    Workspace,
    parse_model,
)

MEASURES: Mapping[str, Mapping[str, str]] = {
    "The text": {
        "sop_words": "words",
        "sop_sentences": "sentences",
        "sop_readability": "readability index (higher is harder)",
        "references": "rules moved into annexes",
        "indirect_limits": "limits given by name",
        "reminders": "reminders",
        "redundant_rules": "redundant rules",
        "superseded_passages": "superseded passages",
        "tangents": "tangential passages",
    },
    "The tools": {
        "tools": "tools",
        "tools_called": "tools that are called",
        "tools_equivalent": "tools under a second name",
        "tools_superseded": "superseded tools",
        "tools_partial": "tools that do only a part",
        "tools_general": "irrelevant tools",
        "tool_spec_tokens": "length of the tool descriptions (tokens)",
    },
    "The data": {
        "inputs": "entries of a task",
        "distractor_inputs": "distracting entries of a task",
        "results": "values that tools return",
        "distractor_results": "distracting values that tools return",
    },
    "The procedure": {
        "tasks": "tasks",
        "steps": "steps",
        "edges": "edges",
        "rules": "rules",
        "depth": "steps on the longest path",
    },
}
OPERATORS: Mapping[str, str] = {
    "cross_references": "Rules moved into an annex",
    "indirect_thresholds": "Limits given by name",
    "redundant_detail": "Reminders",
    "redundant_rules": "Redundant rules",
    "superseded": "Superseded passages",
    "tangents": "Tangential passages",
    "equivalent_tools": "Tools under a second name",
    "partial_tools": "Tools that do only a part",
    "superseded_tools": "Superseded tools",
    "general_tools": "Irrelevant tools",
    "distractor_inputs": "Irrelevant entries",
    "distractor_returns": "Irrelevant results",
}


@dataclass(frozen=True, slots=True)
class Level:
    """A variant: what it adds to the level before, its document, and which tasks are not the same.

    ``kept`` counts what was put in at the level ``before`` too. ``difficulty`` is what its dials
    do, and ``dial_text`` what the SOP says of them, where it has some.
    """

    name: str
    figures: Mapping[str, Any]
    before: str
    kept: int
    added: Mapping[str, Sequence[str]]
    more_tools: tuple[str, ...]
    more_fields: tuple[str, ...]
    blocks: tuple[Block, ...]
    marks: Mapping[str, tuple[str, int]]
    tasks: int
    other_tasks: tuple[str, ...]
    other_answers: tuple[str, ...]
    difficulty: Mapping[str, Any]
    dial_text: str


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure of each level, with whether it differs from the plain one's."""

    words: str
    values: tuple[tuple[str, bool], ...]


def build_page(artifact: Artifact, query: Query) -> Page:
    """Return the page of the variants, with the text of the level that is asked for."""
    found = collect_variants(artifact.workspace)
    plain = _get_answers(artifact.workspace)
    # A level with dials stands on the plain domain, and not on the level before it.
    before = zip(["", *found], found.values(), strict=False)
    lower = ["" if LAYERS in item.files else name for name, item in before]
    levels = [
        _build_level(name, item, before, found.get(before, artifact.workspace), plain)
        for (name, item), before in zip(found.items(), lower, strict=True)
    ]
    names = [level.name for level in levels]
    wanted = query.get("level", "")
    return Page(
        "pages/complexity.html.j2",
        {
            "levels": levels,
            "measures": {
                title: [_build_measure(key, words, levels) for key, words in measures.items()]
                for title, measures in MEASURES.items()
            },
            "operators": OPERATORS,
            "dialled": [level for level in levels if level.difficulty],
            "level": wanted if wanted in names else "",
        },
    )


def _build_level(
    name: str,
    variant: Workspace,
    before: str,
    lower: Workspace,
    answers: Mapping[str, Mapping[str, str]],
) -> Level:
    files = variant.files
    profile = _read_profile(files[PROFILE])
    added = profile.get("added", ())
    below = set(json.loads(lower.files[PROFILE]).get("added", ()) if before else ())
    model, own = variant.model, lower.model
    document, marks = _read_document(files[SOP_TEXT], files[SOP_TRACE], files[DOMAIN])
    theirs = _get_answers(variant)
    return Level(
        name,
        profile,
        before,
        sum(entry in below for entry in added),
        _group_by_operator([entry for entry in added if entry not in below]),
        tuple(tool for tool in model.tools if tool not in own.tools),
        tuple(item for item in model.fields if item not in own.fields),
        document,
        marks,
        len(theirs),
        tuple(sorted(answers.keys() ^ theirs.keys())),
        tuple(task for task in answers if task in theirs and theirs[task] != answers[task]),
        profile.get("difficulty", {}),
        _read_dial_text(variant),
    )


def _read_dial_text(variant: Workspace) -> str:
    """Return what the dials of a level add to its SOP, or what agents read in its place."""
    if LAYERS not in variant.files:
        return ""
    plain = make_plain_cases(variant).shown
    shown = plain
    for layer in read_environment_layers(variant.files[LAYERS], LAYERS):
        shown = layer.show(shown)
    return shown.sop.removeprefix(plain.sop.rstrip()).strip()


def _get_answers(workspace: Workspace) -> Mapping[str, Mapping[str, str]]:
    return _read_answers(workspace.files[TASKS], workspace.files[TRAJECTORIES])


@lru_cache(maxsize=32)
def _read_answers(tasks: str, trajectories: str) -> Mapping[str, Mapping[str, str]]:
    return {task.id: task.outcomes for task in read_tasks(tasks, trajectories)}


@lru_cache(maxsize=32)
def _read_document(
    text: str, trace: str, domain: str
) -> tuple[tuple[Block, ...], Mapping[str, tuple[str, int]]]:
    shown = build_blocks(read_sop(text, trace).lines, index_model_items(parse_model(domain)))
    return shown, count_marks(shown)


def _read_profile(text: str) -> dict[str, Any]:
    """Return the figures of a variant; older versions have the edges under ``ways``."""
    profile: dict[str, Any] = json.loads(text)
    return {"edges": profile.get("ways"), **profile}


def _group_by_operator(added: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for entry in added:
        operator, _, text = entry.partition(": ")
        found.setdefault(operator, []).append(text)
    return found


def _build_measure(key: str, words: str, levels: Sequence[Level]) -> Measure:
    values = [str(level.figures.get(key, "")) for level in levels]
    return Measure(words, tuple((value, value != values[0]) for value in values))
