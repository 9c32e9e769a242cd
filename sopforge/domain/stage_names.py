"""The names of the stages, as briefs and stores use them."""

from __future__ import annotations

from typing import Literal, get_args

StageName = Literal["schema", "sop", "dataset", "api", "toolspec", "tools", "complexity"]
STAGE_NAMES: tuple[str, ...] = get_args(StageName)
"""In their order, for those who list them without loading them."""
