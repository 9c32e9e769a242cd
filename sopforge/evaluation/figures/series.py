"""Rows by what they are of: one agent with its settings, on one package."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sopforge.evaluation.runs.rows import Asked, Row

Repetition: TypeAlias = tuple[int, int]
"""By seed and epoch: each task is attempted once in one."""
OF_A_TASK = ("manners", "lacking")
"""What settings say of a user at one task: his manners, and those that it has no place for."""
_SETTING = re.compile(r"(?:^|[,;\s])model=([^,;\s]+)")


@dataclass(frozen=True, slots=True)
class Series:
    """All attempts of an agent, with the same settings, at tasks of a package.

    ``lacking`` are the attempts that were asked for and have not been made.
    """

    package: str
    digest: str
    agent: str
    settings: str
    rows: Sequence[Row]
    lacking: Sequence[Asked] = ()

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
    def tasks_asked(self) -> int:
        """How many tasks were asked for."""
        return len({*self.tasks, *(item.task for item in self.lacking)})

    @property
    def is_finished(self) -> bool:
        """Whether every attempt that was asked for was made."""
        return not self.lacking

    @property
    def progress(self) -> str:
        """How far it has come: the tasks attempted or, where all were, the attempts made."""
        done, of = len(self.tasks), self.tasks_asked
        if done < of:
            return f"{done} of {of} tasks attempted"
        done, of = len(self.rows), len(self.rows) + len(self.lacking)
        return f"{done} of {of} attempts made"

    @property
    def repetitions(self) -> dict[Repetition, list[Row]]:
        """The rows of each repetition, in order."""
        found: dict[Repetition, list[Row]] = {}
        for row in self.rows:
            found.setdefault((row.asked.seed, row.asked.epoch), []).append(row)
        return dict(sorted(found.items()))


def list_series(rows: Iterable[Row], asked: Iterable[Asked] = ()) -> list[Series]:
    """Return the series of rows, in their order; an attempt that is there twice counts once.

    What was ``asked`` for and has no row is lacking.
    """
    found: dict[tuple[str, str, str], dict[str, Row]] = {}
    for row in rows:
        found.setdefault(_find_key(row.asked), {}).setdefault(row.asked.key, row)
    lacking: dict[tuple[str, str, str], dict[str, Asked]] = {key: {} for key in found}
    for item in asked:
        key = _find_key(item)
        if key in found and item.key not in found[key]:
            lacking[key][item.key] = item
    return [
        Series(
            next(iter(items.values())).asked.package,
            *key,
            tuple(items.values()),
            tuple(lacking[key].values()),
        )
        for key, items in found.items()
    ]


def _find_key(asked: Asked) -> tuple[str, str, str]:
    return asked.digest, asked.agent, drop_manner(asked.settings)


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
