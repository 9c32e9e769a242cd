"""What all forms of answers have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Output(BaseModel):
    """A form of answers: exactly its parts."""

    model_config = ConfigDict(extra="forbid")
