"""What comes up in a session, in order: data that is handed to it, and nothing of what is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.harness.layers.queue.tallies import Cells


@dataclass(frozen=True, slots=True)
class Memo:
    """From a place on, a policy constant has another value, as it is stored."""

    constant: str
    value: int


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """An earlier case, known by its key, no longer counts."""

    key: str


Notice: TypeAlias = Memo | Withdrawal


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """A case that comes up: of what task, with which entries, in words, and with what notices.

    One that ``is_correction`` has the key of an earlier case and what it states otherwise: it is
    decided anew.
    """

    task: str
    entries: Cells
    text: str
    notices: tuple[Notice, ...] = ()
    is_correction: bool = False


Plan: TypeAlias = tuple[QueuePlace, ...]
Plans: TypeAlias = Mapping[str, Plan]
"""The places of each session, by its id."""
