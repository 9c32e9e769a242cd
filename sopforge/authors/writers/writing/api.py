"""Summaries of an API and its tools by a language model; all else in both documents is derived.

After the last round each summary that still has errors is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sopforge.artifacts.rendering.api.summaries import (
    Summaries,
    add_summaries,
    add_tool_summaries,
    derive_toolspecs,
    read_summaries,
    read_tool_summaries,
)
from sopforge.artifacts.rendering.api.toolspecs import render_toolspecs
from sopforge.authors.writers.repair import Ask, Repair, Review, as_records
from sopforge.language.domain.model import DomainModel

_API, _SPECS = "openapi.yaml", "toolspecs.json"


def write_openapi(
    ask: Ask, model: DomainModel, derived: str, review: Review, repair: Repair
) -> str:
    """Return the API document with summaries in the language model's words."""
    last = _find_last(_API, review, repair)
    known = _drop_wrong(read_summaries(last) if last else {}, repair)
    if repair.is_over:
        return add_summaries(derived, known)
    values = _build_values(model, derived, known, review, repair)
    about = {"title": model.title, "business_task": model.business_task}
    answer = ask("api_texts", {**about, **values})
    return add_summaries(derived, _join_summaries(known, answer))


def write_toolspecs(
    ask: Ask, model: DomainModel, openapi: str, review: Review, repair: Repair
) -> str:
    """Return the toolspecs of an API with summaries in the language model's words.

    A tool for which it writes none keeps that of the API.
    """
    derived, last = derive_toolspecs(openapi), _find_last(_SPECS, review, repair)
    before = read_tool_summaries(last or render_toolspecs(openapi), derived)
    known = _drop_wrong(before, repair)
    if repair.is_over:
        return add_tool_summaries(derived, known)
    answer = ask("toolspec_texts", _build_values(model, derived, known, review, repair))
    return add_tool_summaries(derived, _join_summaries(known, answer))


def _find_last(file: str, review: Review, repair: Repair) -> str:
    """Return a file as it was written last: in the round before, else as reviewers saw it."""
    return repair.files.get(file, "") if repair.round else review.files.get(file, "")


def _drop_wrong(summaries: Summaries, repair: Repair) -> dict[str, str]:
    """Return the summaries without those that an error shows as its evidence."""
    wrong = {item.evidence for item in repair.errors}
    return {tool: text for tool, text in summaries.items() if text not in wrong}


def _build_values(
    model: DomainModel, derived: str, known: Summaries, review: Review, repair: Repair
) -> dict[str, object]:
    return {
        "tools": len(model.offered.tools),
        "document": derived,
        "before": [{"tool": tool, "summary": text} for tool, text in known.items()],
        "feedback": as_records(review.feedback),
        "findings": repair.list_findings(),
    }


def _join_summaries(known: Summaries, answer: Mapping[str, Any]) -> dict[str, str]:
    """Return summaries with those that were written anew in their place, as whole sentences."""
    found = {item["tool"]: " ".join(item["summary"].split()) for item in answer["summaries"]}
    written = {tool: f"{text.rstrip('.')}." if text else "" for tool, text in found.items()}
    return {tool: text for tool, text in {**known, **written}.items() if text}
