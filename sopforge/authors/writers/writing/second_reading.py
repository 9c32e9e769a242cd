"""A second reading of a brief: by a reader who has seen neither the first nor its words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sopforge.authors.writers.language import load_domain_language
from sopforge.authors.writers.patching import strip_fence
from sopforge.authors.writers.repair import Ask, as_records
from sopforge.authors.writers.writing.brief_words import render_outcomes
from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.documents.yaml_documents import read_document, write_document
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief, read_domain
from sopforge.language.domain.values.types import (
    BooleanType,
    EnumType,
    NumberType,
    SetType,
    TextType,
)
from sopforge.proof.comparing.aligning.alignment import (
    Alignment,
    read_alignment,
    write_alignment,
)
from sopforge.proof.comparing.aligning.matching import match_models

SECOND_FILE, ALIGNMENT_FILE = "second.yaml", "alignment.yaml"
_DOMAIN = "domain.yaml"
_TOOL = {"kind": "lookup", "description": "Read the case"}


@dataclass(frozen=True, slots=True)
class SecondReading:
    """Has a second reader write what a brief decides, and the two readings aligned.

    ``before`` are the files of the stage as they were: a reading that is there is kept, for nothing
    that the first reader is found to have done wrong is news to the second.
    """

    ask: Ask
    brief: Brief
    rounds: int
    before: Mapping[str, str]

    def write_files(self, domain: str) -> dict[str, str]:
        """Return the second reading and the alignment; nothing while the first cannot be read."""
        try:
            ours = read_domain(domain, _DOMAIN)
        except MaterialError:
            kept = (SECOND_FILE, ALIGNMENT_FILE)
            return {name: self.before[name] for name in kept if name in self.before}
        text = self.before.get(SECOND_FILE) or self._write_reading()
        try:
            theirs = read_domain(text, SECOND_FILE)
        except MaterialError:
            return {SECOND_FILE: text}
        return {SECOND_FILE: text, ALIGNMENT_FILE: self._write_alignment(ours, theirs)}

    def _write_reading(self) -> str:
        """Return the second reading; what cannot be read goes back as often as others' work."""
        text, faults = "", list[Fault]()
        for _ in range(self.rounds + 1):
            answer = self.ask("second_reading", self._build_question(text, faults))
            text = self._add_head(answer)
            try:
                read_domain(text, SECOND_FILE)
            except MaterialError as refused:
                faults = list(refused.faults)
            else:
                break
        return text

    def _build_question(self, attempt: str, faults: Sequence[Fault]) -> dict[str, object]:
        parts = self.brief.parts
        return {
            **load_domain_language(),
            "title": parts.title,
            "additions": as_records(reversed(parts.additions)),
            "draft": self.brief.draft,
            "task_context": parts.task_context,
            "business_task": parts.business_task,
            "outcomes": render_outcomes(self.brief),
            "attempt": attempt,
            "faults": _list_records(faults),
        }

    def _add_head(self, answer: Mapping[str, Any]) -> str:
        """Return the reading as a domain of its own, with a tool, as every domain has one."""
        parts = self.brief.parts
        head = {
            "format": parts.format,
            "domain": parts.domain,
            "title": parts.title,
            "business_task": parts.business_task,
            "remarks": {"sources": [dict(item) for item in answer["sources"] if item["items"]]},
        }
        text = strip_fence(str(answer["model"]))
        try:
            model: Any = read_document(text, SECOND_FILE).value
        except MaterialError:
            return write_document(head) + text
        if isinstance(model, dict) and isinstance(model.get("model"), dict):
            _add_tool(model["model"])
            return write_document({**head, "model": model["model"]})
        return write_document(head) + text

    def _write_alignment(self, ours: DomainModel, theirs: DomainModel) -> str:
        """Return what is the same in both; what is called differently is asked for."""
        known = match_models(ours, theirs, self._read_earlier(ours, theirs))
        faults: list[Fault] = []
        for _ in range(self.rounds + 1):
            if not known.open:
                break
            values = _build_alignment_question(ours, theirs, known, faults)
            given = _render_answer(self.ask("align_readings", values), known, theirs)
            try:
                known = match_models(
                    ours, theirs, read_alignment(given, ALIGNMENT_FILE, ours, theirs)
                )
            except MaterialError as refused:
                faults = list(refused.faults)
            else:
                break
        return write_alignment(known, theirs)

    def _read_earlier(self, ours: DomainModel, theirs: DomainModel) -> Alignment | None:
        """Return the alignment of before, if it still fits the first reading's words."""
        try:
            text = self.before[ALIGNMENT_FILE]
            return read_alignment(text, ALIGNMENT_FILE, ours, theirs)
        except (KeyError, MaterialError):
            return None


def _add_tool(model: dict[str, Any]) -> None:
    """Put a tool into a model without one: all facts of a reading are known from the start."""
    entities = model.get("entities")
    if model.get("tools") or not isinstance(entities, dict) or not entities:
        return
    case = next(iter(entities.values()))
    key = case.get("key") if isinstance(case, dict) else None
    model["tools"] = {"readCase": {**_TOOL, "takes": [key]}}


def _build_alignment_question(
    ours: DomainModel, theirs: DomainModel, known: Alignment, faults: Sequence[Fault]
) -> dict[str, object]:
    unmatched = [theirs.fields[item.name] for item in known.open]
    return {
        "operators": load_domain_language()["operators"],
        "first": [_describe_field(item) for item in ours.fields.values()],
        "second": [_describe_field(item) for item in unmatched],
        "known": write_alignment(Alignment(known.fields, known.outcomes, known.lacking), theirs),
        "faults": _list_records(faults),
    }


def _describe_field(item: Field) -> dict[str, str]:
    kind = item.type
    described = {
        "name": item.written,
        "label": item.label,
        "meaning": item.description,
        "role": str(item.role),
        "type": type(kind).__name__.removesuffix("Type").lower(),
    }
    match kind:
        case EnumType(values=values) | SetType(values=values):
            described["values"] = ", ".join(values)
        case NumberType(unit=unit) if unit:
            described["unit"] = unit
        case BooleanType():
            described["values"] = "yes, no"
        case TextType():
            described["type"] = "text"
        case _:
            pass
    return {**described, "missing": item.missing} if item.missing else described


def _render_answer(answer: Mapping[str, Any], known: Alignment, theirs: DomainModel) -> str:
    """Return an answer as an alignment, with what was known before; what it says counts."""
    document: Any = read_document(write_alignment(known, theirs), ALIGNMENT_FILE).value
    fields = dict(document.get("fields", {}))
    outcomes = dict(document.get("outcomes", {}))
    fields |= {item["theirs"]: item["expression"] for item in answer["fields"]}
    for item in answer["outcomes"]:
        labels = {label["theirs"]: label["ours"] for label in item["labels"]}
        outcomes[item["theirs"]] = {"is": item["ours"], "labels": labels}
    lacking = [*document.get("lacking", []), *answer["lacking"]]
    return write_document(
        {
            "format": 1,
            "fields": fields,
            "outcomes": outcomes,
            "lacking": [name for name in dict.fromkeys(lacking) if name not in fields],
        }
    )


def _list_records(faults: Iterable[Fault]) -> list[dict[str, str]]:
    return [{"where": item.where, "message": item.message, "hint": item.hint} for item in faults]
