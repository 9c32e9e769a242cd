"""Which calls of which tasks are faulty, and how: data that is handed to a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sopforge.sandbox.answers import Scalar


class FaultKind(StrEnum):
    """What goes wrong at a call."""

    BUSY = "busy"
    """The tool refuses a few times."""
    LATE = "late"
    """The tool does not answer in time, a few times."""
    PARTIAL = "partial"
    """The result lacks values, a few times."""
    CLOSED = "closed"
    """The tool refuses for good."""
    STALE = "stale"
    """The result has what the record held before, for good; nothing but its days shows it."""
    DAMAGED = "damaged"
    """The result has a value beyond its range, for good."""


PASSING = frozenset({FaultKind.BUSY, FaultKind.LATE, FaultKind.PARTIAL})
"""The kinds that end after a few calls."""


@dataclass(frozen=True, slots=True)
class ToolFault:
    """A fault at the calls of one tool with the same arguments.

    It is met ``times`` times, and by all further calls where that is None. ``values`` stand in the
    place of the true ones, and ``left_out`` are the values that the result lacks.
    """

    kind: FaultKind
    times: int | None = None
    values: Mapping[str, Scalar] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Schedule:
    """The faults of one task, in the order in which they are met, by their calls."""

    faults: Mapping[str, tuple[ToolFault, ...]] = field(default_factory=dict)

    def list_kinds(self) -> list[FaultKind]:
        """Return the kinds of all faults, in the order of their calls."""
        return [fault.kind for faults in self.faults.values() for fault in faults]


NO_FAULTS = Schedule()
