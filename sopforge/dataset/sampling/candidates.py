"""Candidates: labelled rows that may become tasks, and what identifies them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sopforge.domain import tasks as stored
from sopforge.domain.model import DomainModel
from sopforge.domain.values.malformed_inputs import collect_malformed_shapes
from sopforge.domain.values.types import Value
from sopforge.logic.stated_inputs import derive_stated_inputs
from sopforge.logic.tool_calls import Refused
from sopforge.logic.walking import Walk
from sopforge.seeds import permute_index

FILL, GOAL = stored.FILL, stored.GOAL
MOST_IDS = 100_000_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row with the walk that solves it; ``key`` names the draw or the goal that it is for.

    ``number`` is the row's own: that of the draw, or one from the upper half for a goal. ``pair``
    is the name of the pair that it belongs to, if to one.
    """

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

    @property
    def id(self) -> str:
        """The task's id, which stays when other tasks change and reveals nothing of the draw."""
        return make_task_id(self.number)


def make_task_id(number: int) -> str:
    """Return the id of the task whose row has this number."""
    # Permuted, for numbers from the upper half belong to rows that were made for a goal.
    return f"task-{permute_index(number, MOST_IDS, 0, 'task id'):08d}"
