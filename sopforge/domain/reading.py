"""Briefs and domain documents from text: parsed, validated and built, with faults by line."""

from __future__ import annotations

from dataclasses import dataclass

from sopforge.domain.building import build_model
from sopforge.domain.documents import Document, Path, Plain, read_document, write_document
from sopforge.domain.model import DomainModel
from sopforge.domain.places import placed
from sopforge.domain.schema import BriefDocument, DomainDocument
from sopforge.domain.text_shapes import shape_of
from sopforge.domain.types import TextType
from sopforge.domain.validation import validate
from sopforge.errors import Fault, raise_gathered


@dataclass(frozen=True, slots=True)
class Brief:
    """What a person asks for, with its model built; ``draft`` is the text of the draft SOP."""

    text: str
    document: Document
    parts: BriefDocument
    model: DomainModel
    draft: str = ""

    def placed(self, where: str) -> str:
        """Return the place of a finding with the brief's file and line, where it has one."""
        return placed(self.document, where)

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
    raise_gathered(_with_nul(document, document.value, ()))
    parts = validate(document, BriefDocument)
    model = _model(document, parts)
    raise_gathered(_scarce_texts(document, model, parts.dataset.n_samples))
    return Brief(text, document, parts, model, draft)


def read_domain(text: str, source: str) -> DomainModel:
    """Return the model of a domain document; raises as ``read_brief``."""
    document = read_document(text, source)
    return _model(document, validate(document, DomainDocument))


def _with_nul(document: Document, value: Plain, path: Path) -> list[Fault]:
    """Return a fault for each text with a NUL, which no program text can hold."""
    if isinstance(value, str) and "\0" in value:
        hint = "delete the escape that makes it"
        message = "the text holds the character NUL"
        return [Fault("value-not-allowed", message, document.where(path), hint)]
    parts: list[tuple[str | int, Plain]] = []
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list):
        parts = list(enumerate(value))
    return [fault for key, part in parts for fault in _with_nul(document, part, (*path, key))]


def _scarce_texts(document: Document, model: DomainModel, wanted: int) -> list[Fault]:
    """Return a fault for each field of unique texts that has fewer of them than there are tasks."""
    faults = []
    for item in [model.fields[name] for name in model.case.fields]:
        kind = item.type
        shape = shape_of(kind) if isinstance(kind, TextType) and item.sampling.unique else None
        if isinstance(kind, TextType) and shape is not None and shape.size < wanted:
            what = f"the pattern {kind.pattern}" if kind.pattern else f"'{kind.like}'"
            message = f"{what} has {shape.size} texts, but {wanted} tasks need one each"
            hint = "let the pattern have more, as in X[0-9]{6}, or lower dataset.n_samples"
            where = document.where(("model", "entities", model.case.name, "fields", item.name))
            faults.append(Fault("pattern-too-small", message, where, hint))
    return faults


def _model(document: Document, parts: BriefDocument | DomainDocument) -> DomainModel:
    return build_model(
        document,
        parts.model,
        name=parts.domain,
        title=parts.title,
        business_task=parts.business_task,
    )
