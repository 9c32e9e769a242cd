"""Which author a brief asks for."""

from __future__ import annotations

from pathlib import Path

from sopforge.authors.author import Author
from sopforge.authors.model_author import ModelAuthor
from sopforge.authors.offline import OfflineAuthor
from sopforge.domain.reading import Brief
from sopforge.providers.settings import Settings


def author_of(brief: Brief, store: Path, settings: Settings | None = None) -> Author:
    """Return the author that a brief names; a model is reached when it is first asked."""
    writer = brief.parts.writer
    if writer.name == "offline":
        return OfflineAuthor()
    from sopforge.authors.provider_asking import ProviderAsking  # noqa: PLC0415 - loads templates

    asking = ProviderAsking(writer, store, brief.parts.domain, settings or Settings())
    return ModelAuthor(writer, asking)
