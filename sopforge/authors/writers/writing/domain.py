"""The domain model as a language model writes it: from the prose of a brief, or repaired."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sopforge.authors.writers.language import load_account_rules, load_domain_language
from sopforge.authors.writers.patching import Changing, strip_fence
from sopforge.authors.writers.repair import Ask, Repair, Review, as_records
from sopforge.authors.writers.writing.brief_words import render_outcomes
from sopforge.authors.writers.writing.values import with_values, with_values_kept
from sopforge.errors import MaterialError
from sopforge.language.domain.documents.yaml_documents import read_document, write_document
from sopforge.language.domain.reading import Brief
from sopforge.proof.dataset.sampling.placing import count_wanted_keys

DOMAIN_FILE = "domain.yaml"
_REMARKS = ("sources", "set_aside", "assumptions", "contradictions")
_MODEL = re.compile(r"^model:", re.MULTILINE)


def write_domain(ask: Ask, changing: Changing, brief: Brief, review: Review, repair: Repair) -> str:
    """Return ``domain.yaml``: a first writing, or a change of one.

    Texts to draw from are written as soon as it can be read, and kept while other parts are fixed.
    """
    pages = [*load_domain_language().values(), load_account_rules()]
    rules = "\n\n".join([*pages, *_quote_prose(brief)])
    if repair.round:
        values = repair.build_values("domain model", DOMAIN_FILE, rules, review.feedback)
        before = repair.files[DOMAIN_FILE]
        changed = changing.repair_document(values, before, DOMAIN_FILE)
        repaired = _replace_head(brief, changed, before)
        return with_values(ask, with_values_kept(repaired, before, repair.findings))
    if DOMAIN_FILE in review.files:
        values = review.build_values("domain model", DOMAIN_FILE, rules, _list_prose(brief))
        before = review.files[DOMAIN_FILE]
        changed = changing.edit_document(values, before, DOMAIN_FILE)
        # What reviewers asked for may be a further field of texts.
        return with_values(ask, _replace_head(brief, changed, before))
    asked = {"account": load_account_rules(), **_build_values(brief, review.feedback)}
    answer = ask("domain_model", {**load_domain_language(), **asked})
    return with_values(ask, add_head(brief, answer))


def _build_values(brief: Brief, feedback: Sequence[str]) -> dict[str, object]:
    parts = brief.parts
    return {
        "title": parts.title,
        "business_task": parts.business_task,
        "task_context": parts.task_context,
        "draft": brief.draft,
        "guidelines": parts.guidelines,
        "outcomes": render_outcomes(brief),
        "context": as_records(parts.additions),
        "keys": count_wanted_keys(parts.dataset.n_samples),
        "feedback": as_records(feedback),
    }


def _list_prose(brief: Brief) -> list[dict[str, str]]:
    """Return the prose of a brief, later additions last."""
    parts = brief.parts
    texts = [
        parts.business_task,
        parts.task_context,
        brief.draft,
        parts.guidelines,
        *parts.additions,
    ]
    return as_records(text for text in texts if text)


def _quote_prose(brief: Brief) -> list[str]:
    """Return the prose of a brief, from which remarks are quoted."""
    return [f"The brief says: {item['text']}" for item in _list_prose(brief)]


def add_head(brief: Brief, answer: Mapping[str, Any]) -> str:
    """Return the answer's model below the brief's own words, with what the author remarks."""
    remarks = {name: answer[name] for name in _REMARKS if answer[name]}
    return _render_head(brief, remarks) + strip_fence(str(answer["model"]))


def _replace_head(brief: Brief, changed: str, before: str) -> str:
    """Return a changed document under the brief's own words, whatever became of these.

    Remarks that the change lost, or cannot be read, are those of the document before.
    """
    text = strip_fence(changed)
    model = _MODEL.search(text)
    if model is None:
        return text
    earlier = _read_remarks(before)
    kept = {name: earlier[name] for name in ("values",) if name in earlier}
    # What became of written texts is counted by us, and no answer of the model's changes it.
    remarks = {**(_read_remarks(text) or earlier), **kept}
    return _render_head(brief, remarks) + text[model.start() :]


def _read_remarks(text: str) -> Any:  # noqa: ANN401 - parsed YAML
    """Return the remarks of a document, whatever is wrong with its model."""
    found = _MODEL.search(text)
    head = text[: found.start()] if found and found.start() else text
    try:
        value: Any = read_document(head, DOMAIN_FILE).value
    except MaterialError:
        return {}
    remarks = value.get("remarks") if isinstance(value, dict) else None
    return remarks if isinstance(remarks, dict) else {}


def _render_head(brief: Brief, remarks: Mapping[str, Any]) -> str:
    parts = brief.parts
    head = {
        "format": parts.format,
        "domain": parts.domain,
        "title": parts.title,
        "business_task": parts.business_task,
        "remarks": remarks,
    }
    return write_document(head)
