"""Parts of a brief as they are put to language models."""

from __future__ import annotations

from sopforge.language.domain.documents.yaml_documents import write_document
from sopforge.language.domain.reading import Brief


def render_outcomes(brief: Brief) -> str:
    """Return the outcomes that a brief names, as it names them; nothing where it names none."""
    named = brief.parts.outcomes
    items = {name: item.model_dump(exclude_defaults=True) for name, item in named.items()}
    return write_document(items) if items else ""
