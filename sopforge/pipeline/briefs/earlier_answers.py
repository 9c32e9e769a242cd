"""Answers that a domain's newest brief has, where the same file is generated from again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sopforge.language.domain.documents.changing import change_document
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import keep_brief, list_kept_versions, load_latest_brief
from sopforge.store.versions import DomainStore


def add_kept_answers(domain: DomainStore, brief: Brief) -> Brief:
    """Return a brief with the answers of the domain's newest one, unless it names answers itself.

    Questions are answered in the store. Whoever generates from the same file again has not taken
    these answers back: that is said by ``answers`` in the file, which may be empty.
    """
    whole: Any = brief.document.value
    is_kept = bool(brief.kept)
    if is_kept or "answers" in whole or not list_kept_versions(domain):
        return brief
    kept: Any = load_latest_brief(domain).document.value
    if not kept.get("answers"):
        return brief
    changed = {**whole, "answers": kept["answers"]}
    return read_brief(change_document(brief.text, changed), brief.document.source, brief.draft)


def keep_with_answers(domain: DomainStore, brief: Brief) -> Brief:
    """Keep a brief with the answers of the domain's newest one, and return it as it is kept."""
    if brief.kept:
        return brief
    brief = add_kept_answers(domain, brief)
    return replace(brief, kept=keep_brief(domain.store, brief))
