"""Rows by what they are of: one agent with its settings, on one package."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.evaluation.runs.rows import Row

Repetition: TypeAlias = tuple[int, int]
"""By seed and epoch: each task is attempted once in one."""
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
        if not self.model or self.model in self.agent:
            return self.agent
        return f"{self.agent} ({self.model})"

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
        key = asked.digest, asked.agent, asked.settings
        found.setdefault(key, {}).setdefault(asked.key, row)
    return [
        Series(next(iter(items.values())).asked.package, *key, tuple(items.values()))
        for key, items in found.items()
    ]


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
