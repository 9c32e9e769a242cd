"""Writes as the offline author, with the rows that a package says were written for it."""

from __future__ import annotations

from sopforge.authors.offline import OfflineAuthor
from sopforge.domain.model import DomainModel
from sopforge.domain.reading import Brief


class GivenRows(OfflineAuthor):
    """The offline author, who is given ``rows_asked.json`` where there is one."""

    def __init__(self, rows: str) -> None:
        self._rows = rows

    def write_rows(self, model: DomainModel, brief: Brief) -> str:  # noqa: ARG002 - it is given
        return self._rows
