"""The register of cases as a value: its rows, and a search by one entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.domain.values.types import SET_SEPARATOR
from sopforge.layers.matching import Matching
from sopforge.sandbox.answers import JSON

Cells: TypeAlias = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RegisterRow:
    """A row: the key of a case, and the cells of its entries."""

    key: str
    cells: Cells


def search_register(
    rows: Iterable[RegisterRow], name: str, matching: Matching, given: JSON
) -> list[RegisterRow]:
    """Return the rows that have a value of an entry, in the order of the register.

    Capitals make no difference.
    """
    listed = given if isinstance(given, list) else [given]
    asked = SET_SEPARATOR.join(str(part).strip().casefold() for part in listed)
    return [row for row in rows if matching.fits(row.cells[name].casefold(), asked)]
