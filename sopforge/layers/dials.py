"""The dials by their names: what makes tasks harder, in doses, and in what doses levels have it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

REFUSALS, QUEUE, WRITES, RECORDS, FAULTS = "refusals", "queue", "writes", "records", "faults"
DIALS = (REFUSALS, QUEUE, WRITES, RECORDS, FAULTS)
"""In the order in which their layers are put around a package, the innermost first."""
MOST = 64
"""The largest dose."""
_L4 = {REFUSALS: 3, FAULTS: 3}
_L5 = {**_L4, QUEUE: 10, WRITES: 3}
LEVELS: Mapping[str, Mapping[str, int]] = MappingProxyType({"L4": _L4, "L5": _L5, "L6": _L5})
"""The doses of each level of the ladder."""
