"""From validated documents to a checked domain model; all faults of a document are gathered."""

from sopforge.domain.building.assembly import build_model

__all__ = ["build_model"]
