"""Builds a checked domain model from validated documents, and gathers all faults of a document."""

from sopforge.language.domain.building.assembly import build_model

__all__ = ["build_model"]
