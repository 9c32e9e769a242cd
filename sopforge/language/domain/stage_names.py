"""The names of the stages, as briefs and stores use them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from sopforge.extensions import list_names

_Own = Literal["schema", "sop", "dataset", "api", "toolspec", "tools", "complexity"]
if TYPE_CHECKING:
    StageName = _Own
else:
    StageName = Literal[(_Own, *list_names("stages"))]
STAGE_NAMES: tuple[str, ...] = get_args(StageName)
"""In their order, for those who list them without loading them; those of others come last."""
