"""Briefs and domain documents from text: parsed, validated and built, with faults by line."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from sopforge.errors import DeclarationError, Fault, MaterialError, raise_gathered
from sopforge.language.domain.building import build_model
from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.building.kinds import write_kinds
from sopforge.language.domain.documents.model_schema import ModelDocument
from sopforge.language.domain.documents.places import locate_place
from sopforge.language.domain.documents.schema import BriefDocument, DatasetDocument, DomainDocument
from sopforge.language.domain.documents.validation import validate
from sopforge.language.domain.documents.yaml_documents import (
    NO_TEXT_HINT,
    Document,
    Plain,
    describe_bad_character,
    read_document,
    refuse_no_text,
    write_document,
)
from sopforge.language.domain.incomplete_cases import write_incomplete_cases
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.text_shapes import find_shape
from sopforge.language.domain.values.types import TextType


@dataclass(frozen=True, slots=True)
class Brief:
    """What a person asks for; ``built`` is its model if it states one, ``draft`` the draft SOP.

    ``draw_seed`` is that of a private test set, whose tasks are drawn anew; no brief states it.
    ``kept`` is the number under which a store keeps it, 0 where it was read from elsewhere.
    """

    text: str
    document: Document
    parts: BriefDocument
    built: DomainModel | None
    draft: str = ""
    draw_seed: int | None = None
    kept: int = 0

    @property
    def drawing(self) -> DatasetDocument:
        """The dataset as its tasks are drawn: in a private test set by the seed of its own."""
        asked = self.parts.dataset
        seed = asked.seed if self.draw_seed is None else self.draw_seed
        return asked.model_copy(update={"seed": seed})

    @property
    def model(self) -> DomainModel:
        """The model that the brief states; raises ``MaterialError`` where it states none."""
        if self.built is None:
            raise MaterialError(_make_no_model_fault(self.document))
        return self.built

    def locate_finding(self, where: str) -> str:
        """Return the place of a finding with the brief's file and line, where it has one."""
        return locate_place(self.document, where)

    @property
    def facts(self) -> Plain:
        """The ``model`` part as it was written, without what defaults would add."""
        value = self.document.value
        return value.get("model") if isinstance(value, dict) else None

    @property
    def facts_text(self) -> str:
        """The ``model`` part as it stands in the brief, comments and order kept.

        A brief whose parts share lines, in braces, is written anew.
        """
        value = self.document.value
        keys = value if isinstance(value, dict) else {}
        starts = sorted(self.document.find_line((key,)) for key in keys)
        first = self.document.find_line(("model",))
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
    refuse_no_text(document)
    parts = _read_brief_parts(document)
    refuse_draft(draft, parts.draft_sop or "draft")
    if parts.model is None:
        return Brief(text, document, parts, None, draft)
    model = _build_document_model(document, parts, parts.model)
    raise_gathered(_find_scarce_texts(document, model, parts.dataset.n_samples))
    return Brief(text, document, parts, model, draft)


@lru_cache(maxsize=16)
def read_domain(text: str, source: str) -> DomainModel:
    """Return the model of a domain document, read once; raises as ``read_brief``."""
    document = read_document(text, source)
    refuse_no_text(document)
    parts = validate(document, DomainDocument)
    return _build_document_model(document, parts, parts.model)


def refuse_draft(draft: str, source: str) -> None:
    """Raise ``MaterialError`` for a draft with characters that no file of texts can hold."""
    # A line end of Windows is kept; any other carriage return is a control character.
    lines = draft.replace("\r\n", "\n").split("\n")
    found = [(number, describe_bad_character(line)) for number, line in enumerate(lines, start=1)]
    raise_gathered(
        [
            Fault("character-not-text", message, f"{source}:{number}", NO_TEXT_HINT)
            for number, message in found
            if message
        ]
    )


def _find_scarce_texts(document: Document, model: DomainModel, wanted: int) -> list[Fault]:
    """Return a fault for each field of unique texts that has fewer of them than there are tasks."""
    faults = []
    for item in [model.fields[name] for name in model.case.fields]:
        kind = item.type
        shape = find_shape(kind) if isinstance(kind, TextType) and item.sampling.unique else None
        if isinstance(kind, TextType) and shape is not None and shape.size < wanted:
            what = f"the pattern {kind.pattern}" if kind.pattern else f"'{kind.like}'"
            message = (
                f"{what} allows only {shape.size} texts, but each of the {wanted} tasks"
                " needs its own"
            )
            hint = "widen the pattern, for example to X[0-9]{6}, or lower dataset.n_samples"
            where = document.locate_part(
                ("model", "entities", model.case.name, "fields", item.name)
            )
            faults.append(Fault("pattern-too-small", message, where, hint))
    return faults


def _read_brief_parts(document: Document) -> BriefDocument:
    """Return the parts of a brief; that it lacks a model is reported beside its other faults."""
    lacking = [_make_no_model_fault(document)] if _needs_model(document.value) else []
    try:
        parts = validate(document, BriefDocument)
    except MaterialError as cause:
        raise MaterialError(*cause.faults, *lacking) from cause
    raise_gathered([*lacking, *_find_blank_texts(document, parts)])
    return parts


def _find_blank_texts(document: Document, parts: BriefDocument) -> list[Fault]:
    """Return a fault for each text of a brief that says nothing, but by blanks."""
    texts = {name: getattr(parts, name) for name in ("title", "business_task", "task_context")}
    hint = "state what the business does, who does it, and what they use"
    return [
        Fault("invalid-value", "the text contains only blanks", document.locate_part((name,)), hint)
        for name, text in texts.items()
        if not text.strip()
    ]


def _needs_model(value: Plain) -> bool:
    """Return whether a brief states no model and leaves it to the offline author to write one."""
    if not isinstance(value, dict) or value.get("model") is not None:
        return False
    author = value.get("author", "offline")
    if not isinstance(author, dict):
        return author == "offline"
    stages = author.get("stages")
    writes_none = isinstance(stages, list) and "schema" not in stages
    return author.get("name") == "offline" or writes_none


def _make_no_model_fault(document: Document) -> Fault:
    message = "the brief has no model, from which the offline author derives everything else"
    hint = (
        "add 'model:', or let a language model write it with 'author: anthropic' or 'author:"
        " bedrock'"
    )
    return Fault("model-missing", message, document.locate_part(("model",)), hint)


def _build_document_model(
    document: Document, parts: BriefDocument | DomainDocument, facts: ModelDocument
) -> DomainModel:
    gathering = Gathering(document)
    whole = write_incomplete_cases(gathering, write_kinds(gathering, facts))
    raise_gathered(gathering.sort_faults())
    return build_model(
        document,
        whole,
        name=parts.domain,
        title=parts.title,
        business_task=parts.business_task,
    )


class ReadDepth(IntEnum):
    """What of a document is right; its faults are those of the next depth, and of no later one."""

    NOTHING = 0
    SYNTAX = 1
    SHAPE = 2
    DECLARATIONS = 3
    MODEL = 4


def measure_read_depth(text: str, source: str) -> ReadDepth:
    """Return how far a domain document can be read.

    >>> measure_read_depth("model: [", "domain.yaml").name
    'NOTHING'
    >>> measure_read_depth("model: {}", "domain.yaml").name
    'SYNTAX'
    """
    depth = ReadDepth.NOTHING
    try:
        document = read_document(text, source)
        refuse_no_text(document)
        depth = ReadDepth.SYNTAX
        validate(document, DomainDocument)
        depth = ReadDepth.SHAPE
        read_domain(text, source)
    except DeclarationError:
        return depth
    except MaterialError:
        return ReadDepth.DECLARATIONS if depth is ReadDepth.SHAPE else depth
    return ReadDepth.MODEL
