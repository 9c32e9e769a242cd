"""The domain model as a language model writes it: from the prose of a brief, or mended."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sopforge.authors.language import domain_language
from sopforge.authors.repair import Ask, Repair, Review, as_records
from sopforge.dataset.placing import keys_wanted
from sopforge.domain.documents import read_document, write_document
from sopforge.domain.reading import Brief, read_domain
from sopforge.domain.types import TextType
from sopforge.errors import MaterialError

DOMAIN_FILE = "domain.yaml"
_LISTS = ("pool", "free_text")
_FENCE = re.compile(r"^```[^\n`]*\n(.*?)(?:\n```|\Z)", re.DOTALL | re.MULTILINE)
_MODEL = re.compile(r"^model:", re.MULTILINE)


def domain(ask: Ask, brief: Brief, review: Review, repair: Repair) -> str:
    """Return ``domain.yaml``: a first writing, with values for its texts, or a change of one."""
    rules = "\n\n".join([*domain_language().values(), *_quoted(brief)])
    if repair.round:
        values = repair.values("domain model", DOMAIN_FILE, rules)
        answer = ask("repair_findings", values)
        return _headed_again(brief, str(answer["document"]), repair.files[DOMAIN_FILE])
    if DOMAIN_FILE in review.files:
        values = review.values("domain model", DOMAIN_FILE, rules, _material(brief))
        answer = ask("edit_document", values)
        return _headed_again(brief, str(answer["document"]), review.files[DOMAIN_FILE])
    answer = ask("domain_model", {**domain_language(), **_asked(brief, review.feedback)})
    return _with_values(ask, _headed(brief, answer))


def unfenced(text: str) -> str:
    """Return a document without what models like to put around one: a fence, a mark, a ruler."""
    plain = text.replace("\r\n", "\n").lstrip("\ufeff")
    found = _FENCE.findall(plain)
    body = found[0] if len(found) == 1 else plain
    return body.strip("\n").removeprefix("---\n") + "\n"


def _asked(brief: Brief, feedback: Sequence[str]) -> dict[str, object]:
    parts = brief.parts
    return {
        "title": parts.title,
        "business_task": parts.business_task,
        "task_context": parts.task_context,
        "draft": brief.draft,
        "guidelines": parts.guidelines,
        "context": as_records(parts.context),
        "keys": keys_wanted(parts.dataset.n_samples),
        "feedback": as_records(feedback),
    }


def _material(brief: Brief) -> list[dict[str, str]]:
    """Return the prose of a brief, later additions behind."""
    parts = brief.parts
    texts = [parts.business_task, parts.task_context, brief.draft, parts.guidelines, *parts.context]
    return as_records(text for text in texts if text)


def _quoted(brief: Brief) -> list[str]:
    """Return the prose of a brief, from which remarks are quoted."""
    return [f"The brief says: {item['text']}" for item in _material(brief)]


def _headed(brief: Brief, answer: Mapping[str, Any]) -> str:
    """Return the answer's model below the brief's own words, with what the author remarks."""
    remarks = {name: answer[name] for name in ("assumptions", "contradictions")}
    return _head(brief, remarks) + unfenced(str(answer["model"]))


def _headed_again(brief: Brief, changed: str, before: str) -> str:
    """Return a changed document under the brief's own words, whatever became of these.

    Remarks that the change lost, or cannot be read, are those of the document before.
    """
    text = unfenced(changed)
    model = _MODEL.search(text)
    if model is None:
        return text
    remarks = _remarks(text) or _remarks(before)
    return _head(brief, remarks) + text[model.start() :]


def _remarks(text: str) -> Any:  # noqa: ANN401 - parsed YAML
    try:
        value: Any = read_document(text, DOMAIN_FILE).value
    except MaterialError:
        return {}
    return value.get("remarks", {}) if isinstance(value, dict) else {}


def _head(brief: Brief, remarks: Mapping[str, Any]) -> str:
    parts = brief.parts
    head = {
        "format": parts.format,
        "domain": parts.domain,
        "title": parts.title,
        "business_task": parts.business_task,
        "remarks": remarks,
    }
    return write_document(head)


def _with_values(ask: Ask, text: str) -> str:
    """Return a domain with texts and names as people write them; as it is if it has faults."""
    try:
        model = read_domain(text, DOMAIN_FILE)
    except MaterialError:
        return text
    listed = {
        item.name: kind
        for item in model.fields.values()
        if isinstance(kind := item.type, TextType) and kind.pool
    }
    if not listed:
        return text
    ends = [step.title for step in model.steps.values() if step.end is not None]
    fields = [
        {"field": name, "about": model.fields[name].description, "now": list(kind.pool)}
        for name, kind in listed.items()
    ]
    values = {
        "title": model.title,
        "business_task": model.business_task,
        "ends": as_records(ends),
        "fields": fields,
    }
    answer = ask("dataset_values", values)
    found = {item["field"]: item["values"] for item in answer["fields"] if item["field"] in listed}
    return _refilled(text, found)


def _refilled(text: str, found: Mapping[str, Sequence[str]]) -> str:
    """Return a domain with other values to draw its listed texts from, if it is as sound so."""
    whole: Any = read_document(text, DOMAIN_FILE).value
    for entity in whole["model"]["entities"].values():
        for name, item in entity["fields"].items():
            key = next((key for key in _LISTS if key in item), None)
            if key and found.get(name):
                item[key] = list(dict.fromkeys(found[name]))
    refilled = write_document(whole)
    try:
        read_domain(refilled, DOMAIN_FILE)
    except MaterialError:
        return text
    return refilled
