"""The domain model as a language model writes it: from the prose of a brief, or mended."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sopforge.authors.language import domain_language
from sopforge.authors.repair import Ask, Repair, Review, as_records
from sopforge.domain.documents import read_document, write_document
from sopforge.domain.reading import Brief, read_domain
from sopforge.domain.types import TextType
from sopforge.errors import MaterialError

DOMAIN_FILE = "domain.yaml"
_LISTS = ("pool", "free_text")
_FENCE = re.compile(r"\A\s*```\w*\n(.*?)\n```\s*\Z", re.DOTALL)


def domain(ask: Ask, brief: Brief, review: Review, repair: Repair) -> str:
    """Return ``domain.yaml``: a first writing, with values for its texts, or a change of one."""
    rules = "\n\n".join(domain_language().values())
    if repair.round:
        values = repair.values("domain model", DOMAIN_FILE, rules)
        return unfenced(str(ask("repair_findings", values)["document"]))
    if DOMAIN_FILE in review.files:
        values = review.values("domain model", DOMAIN_FILE, rules, _material(brief))
        return unfenced(str(ask("edit_document", values)["document"]))
    answer = ask("domain_model", {**domain_language(), **_asked(brief, review.feedback)})
    return _with_values(ask, _headed(brief, answer))


def unfenced(text: str) -> str:
    """Return a document without the code fence that models like to put around one."""
    found = _FENCE.match(text)
    return (found[1] if found else text.strip("\n")) + "\n"


def _asked(brief: Brief, feedback: Sequence[str]) -> dict[str, object]:
    parts = brief.parts
    return {
        "title": parts.title,
        "business_task": parts.business_task,
        "task_context": parts.task_context,
        "draft": brief.draft,
        "guidelines": parts.guidelines,
        "context": as_records(parts.context),
        "facts": brief.facts_text if parts.model is not None else "",
        "n_samples": parts.dataset.n_samples,
        "feedback": as_records(feedback),
    }


def _material(brief: Brief) -> list[dict[str, str]]:
    """Return the prose of a brief, later additions behind."""
    parts = brief.parts
    texts = [parts.business_task, parts.task_context, brief.draft, parts.guidelines, *parts.context]
    return as_records(text for text in texts if text)


def _headed(brief: Brief, answer: Mapping[str, Any]) -> str:
    """Return the answer's model below the brief's own words, with what the author remarks."""
    parts = brief.parts
    head = {
        "format": parts.format,
        "domain": parts.domain,
        "title": parts.title,
        "business_task": parts.business_task,
        "remarks": {name: answer[name] for name in ("assumptions", "contradictions")},
    }
    return write_document(head) + unfenced(str(answer["model"]))


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
