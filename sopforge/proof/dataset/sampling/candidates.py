"""Candidates: labelled rows that may become tasks, and what identifies them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from sopforge.language.domain import tasks as stored
from sopforge.language.domain.fields import STORED
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.malformed_inputs import (
    collect_malformed_shapes,
    name_malformed_mark,
)
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.stated_inputs import derive_stated_inputs
from sopforge.language.logic.tool_calls import Refused
from sopforge.language.logic.walking import Walk
from sopforge.seeds import permute_index

FILL, GOAL = stored.FILL, stored.GOAL
MOST_IDS = 100_000_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row with the walk that solves it; ``key`` names the draw or the goal that it is for.

    ``id`` is that of the task, which stays when other tasks change. ``number`` is the row's own:
    that of the draw, or one from the upper half for a goal. ``pair`` is the name of the pair that
    it belongs to, if to one.
    """

    id: str
    key: str
    number: int
    row: Mapping[str, Value | None]
    walk: Walk
    pair: str = ""

    def format_visible_data(self, model: DomainModel) -> str:
        """Return all that is shown of a task but identifiers: tasks that agree in it are alike.

        How an identifier is malformed distinguishes tasks.
        """
        identifiers = {item.name for item in model.fields.values() if item.sampling.unique}
        inputs = derive_stated_inputs(model, self.row)
        kinds = {item.name: item.type for item in model.inputs}
        malformed = collect_malformed_shapes(kinds, inputs, identifiers & set(kinds))
        seen = [inputs, *(call.result for call in self.walk.calls)]
        found: list[object] = [
            part.code
            if isinstance(part, Refused)
            else sorted((name, part[name]) for name in part if name not in identifiers)
            for part in seen
        ]
        return repr([*found, malformed] if malformed else found)


def describe_case(model: DomainModel, row: Mapping[str, Value | None]) -> dict[str, object]:
    """Return what distinguishes a case from all others: its cells, and the records that it lacks.

    Inputs that its task states malformed are named; their cells are what was meant.
    """
    case: dict[str, object] = {
        "cells": {
            item.name: item.format_cell(row[item.name])
            for item in model.with_role(*STORED)
            if item.missing or row[item.name] is not None
        },
        "lacks": [entity.name for entity in model.references if row[entity.name] is None],
    }
    malformed = [item.name for item in model.malformable if row[name_malformed_mark(item.name)]]
    return {**case, "malformed": malformed} if malformed else case


def make_task_id(
    model: DomainModel, seed: int, number: int, row: Mapping[str, Value | None]
) -> str:
    """Return the id of the task that has a row: another for each draw, number and case.

    The number of a goal's row is the same in every draw, and what a row holds is to be looked up.
    Both are keyed by the seed of the draw, so that an id says nothing without it.
    """
    case = json.dumps(describe_case(model, row), ensure_ascii=False)
    digest = blake2b(f"{seed}\x1f{case}".encode(), digest_size=3).hexdigest()
    return f"{make_id_stem(seed, number)}{digest}"


def make_id_stem(seed: int, number: int) -> str:
    """Return how the id of the task with a number begins; no two numbers of a draw share it."""
    return f"task-{permute_index(number, MOST_IDS, seed, 'task id'):08d}-"
