"""The forms that answers are asked in; templates name them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class CorrectedDocument(BaseModel):
    """A document after its findings were dealt with."""

    model_config = ConfigDict(extra="forbid")

    document: str = Field(description="The whole document, corrected; not a part of it.")
    changes: list[str] = Field(description="What was changed, one sentence for each change.")
    not_applied: list[str] = Field(
        description="Each finding that could not be followed, and why; empty if there is none."
    )


OUTPUTS: Mapping[str, type[BaseModel]] = MappingProxyType({"corrected_document": CorrectedDocument})


def schema_of(output: str) -> dict[str, Any]:
    """Return the JSON schema of an output."""
    return OUTPUTS[output].model_json_schema()
