"""Rows by what they are of: one agent with its settings, on one package."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sopforge.evaluation.runs.rows import Row

Repetition: TypeAlias = tuple[int, int]
"""By seed and epoch: each task is attempted once in one."""
OF_A_TASK = ("manners", "lacking")
"""What settings say of a user at one task: his manners, and those that it has no place for."""
_SETTING = re.compile(r"(?:^|[,;\s])model=([^,;\s]+)")


@dataclass(frozen=True, slots=True)
class Series:
    """All attempts of an agent, with the same settings, at tasks of a package."""

    package: str
    digest: str
    agent: str
    settings: str
    rows: Sequence[Row]

    @property
    def model(self) -> str:
        """The language model that the settings name, empty if they name none."""
        return find_model(self.settings)

    @property
    def name(self) -> str:
        """The agent, with its model unless its name says it."""
        has_model = self.model and self.model not in self.agent
        named = f"{self.agent} ({self.model})" if has_model else self.agent
        user = read_user_settings(self.settings)
        return f"{named}, {describe_user(user)}" if user else named

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks, in the order of their first attempts."""
        return tuple(dict.fromkeys(row.asked.task for row in self.rows))

    @property
    def repetitions(self) -> dict[Repetition, list[Row]]:
        """The rows of each repetition, in order."""
        found: dict[Repetition, list[Row]] = {}
        for row in self.rows:
            found.setdefault((row.asked.seed, row.asked.epoch), []).append(row)
        return dict(sorted(found.items()))


def list_series(rows: Iterable[Row]) -> list[Series]:
    """Return the series of rows, in their order; an attempt that is there twice counts once."""
    found: dict[tuple[str, str, str], dict[str, Row]] = {}
    for row in rows:
        asked = row.asked
        key = asked.digest, asked.agent, drop_manner(asked.settings)
        found.setdefault(key, {}).setdefault(asked.key, row)
    return [
        Series(next(iter(items.values())).asked.package, *key, tuple(items.values()))
        for key, items in found.items()
    ]


def read_user_settings(settings: str) -> Mapping[str, Any]:
    """Return what settings say of the user of an attempt, nothing where there was none."""
    try:
        document = json.loads(settings)
    except ValueError:
        return {}
    found = document.get("user") if isinstance(document, dict) else None
    return found if isinstance(found, dict) else {}


def describe_user(user: Mapping[str, Any]) -> str:
    """Return in few words what user was asked for.

    >>> describe_user({"mode": "turn-by-turn", "asked": ["changes", "claims"]})
    'turn-by-turn user: changes, claims'
    """
    asked = ", ".join(map(str, user.get("asked") or []))
    return f"{user.get('mode', 'unknown')} user: {asked}"


def drop_manner(settings: str) -> str:
    """Return settings without what one task happens to have: a series has all of them.

    That is the manner of its user, and of a layer all but the dose.

    >>> drop_manner('{"user": {"asked": ["all"], "manners": ["plain"], "mode": "one-message"}}')
    '{"user": {"asked": ["all"], "mode": "one-message"}}'
    >>> drop_manner('{"faults": {"dose": 3, "met": ["late"]}}')
    '{"faults": {"dose": 3}}'
    """
    try:
        document = json.loads(settings)
    except ValueError:
        return settings
    if not isinstance(document, dict):
        return settings
    kept = {name: _drop_of_task(part) for name, part in document.items()}
    return settings if kept == document else json.dumps(kept, sort_keys=True)


def _drop_of_task(part: Any) -> Any:  # noqa: ANN401 - plain JSON
    """Return what settings say of a user or of a layer, without what is of one task."""
    if not isinstance(part, dict):
        return part
    if "dose" in part:
        return {"dose": part["dose"]}
    return {name: value for name, value in part.items() if name not in OF_A_TASK}


def find_model(settings: str) -> str:
    """Return the model that settings name: JSON with a ``model``, or ``model=NAME`` among others.

    >>> find_model("model=acme/large-2, temperature=0")
    'acme/large-2'
    """
    try:
        document = json.loads(settings)
    except ValueError:
        document = None
    if isinstance(document, dict):
        return str(document.get("model", ""))
    found = _SETTING.search(settings)
    return found[1] if found else ""
