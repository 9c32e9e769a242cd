"""Accounts of models, for briefs in prose that say little: what they do not say is assumed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sopforge.authors.sources.account import read_brief_parts
from sopforge.authors.sources.items import list_items
from sopforge.language.domain.reading import Brief


def make_account(brief: Brief) -> Mapping[str, Any]:
    """Return remarks by which all of a model is assumed, and all its sentences are set aside.

    They claim nothing that could be false, and a person would have to look at all of it. What the
    business does is cited for one rule besides, so that the judge of clauses is asked about that.
    """
    items = [name for name, item in list_items(brief.model).items() if item.needs_source]
    sentences = [
        sentence.text for prose in read_brief_parts(brief).values() for sentence in prose.sentences
    ]
    return {
        "sources": [{"says": sentences[0], "items": [_find_rule(brief)]}],
        "set_aside": [{"says": says, "because": "out of scope"} for says in sentences],
        "assumptions": [{"says": "The brief leaves it open.", "items": items}],
        "contradictions": [],
    }


def _find_rule(brief: Brief) -> str:
    """Return a rule of a decision, by the name under which sources cite it."""
    return next(name for name in list_items(brief.model) if re.match(r"decisions\.\w+\.", name))
