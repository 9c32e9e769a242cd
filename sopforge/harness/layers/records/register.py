"""The rows of the register of cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Cells: TypeAlias = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RegisterRow:
    """A row: the key of a case, and the cells of its entries."""

    key: str
    cells: Cells
