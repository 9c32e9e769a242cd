"""The dials by their names: what makes tasks harder, in doses."""

from __future__ import annotations

REFUSALS, QUEUE, FAULTS = "refusals", "queue", "faults"
DIALS = (REFUSALS, QUEUE, FAULTS)
"""In the order in which their layers are put around a package, the innermost first."""
MOST = 64
"""The largest dose."""
