"""Which view shows which stage's artifact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from review.artifact import Artifact
from review.pages import api, complexity, dataset, schema, sop, tools, toolspec
from review.pages.page import Page, Query
from review.pages.parts.hidden_marks import find_hidden_marks
from review.pages.trying import build_tool_form
from sopforge.errors import SopForgeError

LARGEST_SHOWN = 200_000


class View(Protocol):
    """Makes the page of an artifact, and of what is asked for in the page's address."""

    def __call__(self, artifact: Artifact, query: Query) -> Page: ...


VIEWS: Mapping[str, View] = {
    "schema": schema.build_page,
    "sop": sop.build_page,
    "dataset": dataset.build_page,
    "api": api.build_page,
    "toolspec": toolspec.build_page,
    "tools": tools.build_page,
    "complexity": complexity.build_page,
}


def build_artifact_page(artifact: Artifact, query: Query | None = None) -> Page:
    """Return the page of an artifact; without a query nothing on it asks a server for more.

    What cannot be read as what it should be is shown as text, under the reason.
    """
    files = artifact.files
    kept = {"version": str(artifact.version.number)}
    shared = {
        "stage": artifact.stage,
        "digest": artifact.version.manifest.content,
        "is_live": query is not None,
        "query": {**(query or {}), **kept},
        "kept": kept,
        "hidden": find_hidden_marks(files),
    }
    try:
        page = VIEWS[artifact.stage](artifact, query or {})
    except SopForgeError as cause:
        page = _build_unreadable_page(cause, files)
    return replace(page, context={**shared, **page.context})


def build_trying_page(
    artifact: Artifact, tool: str, sent: Mapping[str, str] | None = None
) -> Page | None:
    """Return the page on which a tool is tried, with the result of what was sent, by field.

    None where there is no such tool. The server adds ``try_fields``, hidden inputs of its own.
    """
    found = build_tool_form(artifact, tool, sent)
    return Page("pages/trying.html.j2", {"trying": found}) if found else None


def _build_unreadable_page(cause: SopForgeError, files: Mapping[str, str]) -> Page:
    return Page(
        "pages/unreadable.html.j2",
        {
            "faults": cause.faults,
            "texts": {name: text[:LARGEST_SHOWN] for name, text in files.items()},
            "cut": LARGEST_SHOWN,
            "sizes": {name: len(text) for name, text in files.items()},
        },
    )
