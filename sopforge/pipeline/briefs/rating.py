"""Ratings by language models, as additions to a kept brief: the next release passes them on."""

from __future__ import annotations

from typing import Any

from sopforge.language.domain.documents.changing import change_document
from sopforge.language.domain.documents.schema import ModelRatingDocument
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import keep_changed, load_latest_brief
from sopforge.store.versions import DomainStore


def keep_rating(domain: DomainStore, rating: ModelRatingDocument) -> Brief:
    """Keep a domain's newest brief with a rating, in the place of an earlier one by that model."""
    return keep_changed(domain, lambda: add_rating(load_latest_brief(domain), rating))


def add_rating(brief: Brief, rating: ModelRatingDocument) -> Brief:
    """Return a brief with a rating."""
    known = brief.parts.package.model_ratings
    if rating in known:
        return brief
    others = [item.model_dump() for item in known if item.by != rating.by]
    whole: Any = brief.document.value
    package = {**whole.get("package", {}), "model_ratings": [*others, rating.model_dump()]}
    text = change_document(brief.text, {**whole, "package": package})
    return read_brief(text, brief.document.source, brief.draft)
