"""The dials by their names: what makes tasks harder, in doses, and in what doses levels have it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

REFUSALS, QUEUE, WRITES = "refusals", "queue", "writes"
RECORDS, FAULTS, DOCUMENTS = "records", "faults", "documents"
AMBIGUITY, USER = "ambiguity", "user"
DIALS = (AMBIGUITY, REFUSALS, QUEUE, WRITES, RECORDS, USER, FAULTS, DOCUMENTS)
"""In the order in which their layers are put around a package, the innermost first."""
MOST = 64
"""The largest dose of most dials."""
_MOST = {DOCUMENTS: 300}
_L4 = {REFUSALS: 3, FAULTS: 3}
_L5 = {**_L4, QUEUE: 10, WRITES: 3}
_L6 = {**_L5, DOCUMENTS: 40}
LEVELS: Mapping[str, Mapping[str, int]] = MappingProxyType({"L4": _L4, "L5": _L5, "L6": _L6})
"""The doses of each level of the ladder."""


def find_most(dial: str) -> int:
    """Return the largest dose of a dial."""
    return _MOST.get(dial, MOST)
