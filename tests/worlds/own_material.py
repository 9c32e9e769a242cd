"""Names of a library's trade, written by hand, for the brief of late fees at all levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

FEES = (Path(__file__).parents[1] / "briefs" / "fees.yaml").read_text(encoding="utf-8")
FEES_L3 = FEES.replace("levels: [L0, L1]", "levels: [L0, L1, L2, L3]")
ROLES = ("bindery master", "keeper of the stacks", "Friends' desk")
SYSTEMS = ("shelf register", "lending terminal")
PAPERS = ("lending slip", "date slip")
WRITTEN: dict[str, dict[str, Any]] = {
    "trade_names": {"roles": [*ROLES], "systems": [*SYSTEMS], "papers": [*PAPERS]}
}
"""What a language model would answer to each template."""


def always(answer: dict[str, Any]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return a player who answers the same, whatever is asked."""
    return lambda _: answer
