"""Writes as the offline author, with what a package says that a language model wrote for it."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.artifacts.complexity.material import NOTHING, Material
from sopforge.artifacts.rendering.sop.document import SopDocument
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief


class ReplayAuthor(OfflineAuthor):
    """The offline author, who is given ``rows_asked.json`` and material where there are any."""

    def __init__(self, rows: str = "", material: Material = NOTHING) -> None:
        self._rows = rows
        self._material = material

    def write_rows(self, model: DomainModel, brief: Brief) -> str:  # noqa: ARG002 - it is given
        return self._rows

    def write_material(
        self,
        model: DomainModel,  # noqa: ARG002 - it is given
        sop: SopDocument,  # noqa: ARG002 - it is given
        wanted: Mapping[str, int],  # noqa: ARG002 - it is given
    ) -> Material:
        return self._material
