"""Modules that a rule of the linter is about, and lookalikes that it leaves alone.

``tests/modules/linted/`` has one file for each code. A line that ends in ``# <-`` is one that the
rule names. Where a text has no manager, it gets one.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "modules" / "linted"
MARK = "# <-"
MANAGER = "class ShopManager:\n    def price(self, amount):\n        return amount\n"


@dataclass(frozen=True)
class Case:
    """A module, and the lines that the rule of a code names in it."""

    code: str
    source: str
    lines: tuple[int, ...]


def read_cases() -> dict[str, Case]:
    """Return all modules by a name."""
    return {
        f"{file.stem} {number}": _case(file.stem, part)
        for file in sorted(FOLDER.glob("*.txt"))
        for number, part in enumerate(file.read_text(encoding="utf-8").split("=== ")[1:], start=1)
    }


def _case(code: str, part: str) -> Case:
    kind, text = part.split("\n", 1)
    source = f"{text.strip()}\n"
    source += "" if "Manager" in source else MANAGER
    lines = source.split("\n")
    marked = tuple(n for n, line in enumerate(lines, start=1) if line.endswith(MARK))
    if bool(marked) != (kind == "found"):
        raise ValueError(
            f"{code}: a line is marked where something is found, and only there: {text}"
        )
    return Case(code, source, marked)
