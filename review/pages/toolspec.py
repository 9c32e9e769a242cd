"""The tools as agents receive them, beside what the model says of each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from review.artifact import Artifact
from review.pages.api import UNREADABLE, Parameter
from review.pages.page import Page, Query
from review.pages.parts.schema_words import describe_schema
from review.pages.parts.tool_cards import ToolCard, build_tool_cards
from sopforge.errors import Fault, MaterialError
from sopforge.workspace import TOOLSPECS


@dataclass(frozen=True, slots=True)
class Spec:
    """The description of a tool that agents receive."""

    name: str
    description: str
    takes: tuple[Parameter, ...]


def build_page(artifact: Artifact, query: Query) -> Page:  # noqa: ARG001 - there is one page of them
    """Return the page of the specs; raises ``MaterialError`` where they are none."""
    specs = parse_specs(artifact.workspace.files[TOOLSPECS])
    cards = {card.name: card for card in build_tool_cards(artifact.workspace.model)}
    described: list[tuple[Spec, ToolCard | None]] = [(spec, cards.get(spec.name)) for spec in specs]
    undescribed = [name for name in cards if name not in {spec.name for spec in specs}]
    return Page(
        "pages/toolspec.html.j2",
        {"specs": described, "undescribed": undescribed},
    )


@lru_cache(maxsize=16)
def parse_specs(text: str) -> tuple[Spec, ...]:
    """Return the specs in a file.

    Raises:
        MaterialError: they are none.
    """
    try:
        return tuple(_build_spec(entry["toolSpec"]) for entry in json.loads(text))
    except UNREADABLE as cause:
        message = f"it cannot be read as a list of tool specs: {cause}"
        hint = (
            "write each as an object with toolSpec, which contains name, description and "
            "inputSchema"
        )
        raise MaterialError(Fault("toolspec-malformed", message[:500], TOOLSPECS, hint)) from cause


def _build_spec(entry: Mapping[str, Any]) -> Spec:
    schema = entry["inputSchema"]["json"]
    required = schema.get("required", ())
    takes = [
        Parameter(
            str(name),
            describe_schema(part, schema),
            str(part.get("description", "")),
            is_required=name in required,
        )
        for name, part in schema.get("properties", {}).items()
    ]
    return Spec(str(entry["name"]), str(entry["description"]), tuple(takes))
