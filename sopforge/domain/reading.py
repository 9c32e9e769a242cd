"""Briefs and domain documents from text: parsed, validated and built, with faults by line."""

from __future__ import annotations

from dataclasses import dataclass

from sopforge.domain.building import build_model
from sopforge.domain.documents import Document, Plain, read_document, write_document
from sopforge.domain.model import DomainModel
from sopforge.domain.schema import BriefDocument, DomainDocument
from sopforge.domain.validation import validate


@dataclass(frozen=True, slots=True)
class Brief:
    """What a person asks for, with its model built; ``draft`` is the text of the draft SOP."""

    text: str
    document: Document
    parts: BriefDocument
    model: DomainModel
    draft: str = ""

    @property
    def facts(self) -> Plain:
        """The ``model`` part as it was written, without what defaults would add."""
        value = self.document.value
        return value["model"] if isinstance(value, dict) else None

    @property
    def facts_text(self) -> str:
        """The ``model`` part as it stands in the brief, comments and order kept.

        A brief whose parts share lines, in braces, is written anew.
        """
        value = self.document.value
        keys = value if isinstance(value, dict) else {}
        starts = sorted(self.document.line((key,)) for key in keys)
        first = self.document.line(("model",))
        after = next((line for line in starts if line > first), None)
        lines = self.text.split("\n")
        text = "\n".join(lines[first - 1 : after - 1 if after else None]).rstrip() + "\n"
        return text if text.startswith("model:") else write_document({"model": self.facts})


def read_brief(text: str, source: str, draft: str = "") -> Brief:
    """Return the brief written in ``text``.

    Raises:
        MaterialError: with all faults of the document, each with ``source`` and its line.
    """
    document = read_document(text, source)
    parts = validate(document, BriefDocument)
    return Brief(text, document, parts, _model(document, parts), draft)


def read_domain(text: str, source: str) -> DomainModel:
    """Return the model of a domain document; raises as ``read_brief``."""
    document = read_document(text, source)
    return _model(document, validate(document, DomainDocument))


def _model(document: Document, parts: BriefDocument | DomainDocument) -> DomainModel:
    return build_model(
        document,
        parts.model,
        name=parts.domain,
        title=parts.title,
        business_task=parts.business_task,
    )
