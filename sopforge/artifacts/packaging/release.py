"""What a package is written from: a level's approved artifacts, and the terms of publishing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sopforge.language.domain.documents.schema import PackageDocument
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task
from sopforge.language.domain.values.types import ListType

AUDIT_LOG = "audit_log/"
"""The folder beside a release's packages that holds the decisions of its domain."""
TWIN, DRAWN = "twin", "drawn_by"
"""Under what key the origin of a twin says what it changes, and of which package."""


def list_packages(release: Path) -> list[Path]:
    """Return the folders of the packages in a release's folder, by their names."""
    folders = sorted(path for path in release.iterdir() if path.is_dir())
    return [path for path in folders if f"{path.name}/" != AUDIT_LOG]


def list_scored_columns(model: DomainModel, terms: PackageDocument) -> tuple[Field, ...]:
    """Return the outcomes that SOP-Bench's evaluator scores: the primary one, or all.

    Lists are none of them: their cells are JSON, of which that evaluator keeps a part at best.
    """
    if terms.outputs != "all":
        return (model.primary,)
    return tuple(item for item in model.outcomes if not isinstance(item.type, ListType))


@dataclass(frozen=True, slots=True)
class Release:
    """A level's artifacts, approved, and where they come from.

    ``covered`` says in sentences what the tasks show; ``terms`` is what the brief says of
    publishing; ``layers`` are the files of a level with dials, by their names; ``evidence`` holds,
    by name, what the answers were made and proved with, for the grader's side.
    """

    name: str
    version: str
    level: str
    model: DomainModel
    tasks: tuple[Task, ...]
    domain_yaml: str
    sop: str
    tools: str
    toolspecs: str
    openapi: str
    records: Mapping[str, str]
    explanations: str
    coverage: str
    coverage_text: str
    profile: str
    provenance: Mapping[str, object]
    covered: str = ""
    tool_tests: str = ""
    terms: PackageDocument = field(default_factory=PackageDocument)
    seed: int = 0
    evidence: Mapping[str, str] = field(default_factory=dict)
    layers: Mapping[str, str] = field(default_factory=dict)

    @property
    def drawn_from(self) -> str:
        """The release whose tasks were drawn anew for a private test set; "" where it is none."""
        return str(self.provenance.get("drawn_from", ""))

    @property
    def condition(self) -> str:
        """The condition of an experiment that it was made for; "" where for none."""
        said = self.provenance.get("experiment")
        if not isinstance(said, Mapping) or DRAWN in said:
            return ""
        return str(said["condition"])

    @property
    def changed(self) -> str:
        """What a twin changes of the package that it was made of; "" where it is none."""
        said = self.provenance.get("experiment")
        twin = said.get(TWIN) if isinstance(said, Mapping) else None
        return f"{twin['place']}: {twin['change']}" if isinstance(twin, Mapping) else ""

    @property
    def scored_columns(self) -> tuple[Field, ...]:
        """The outcomes that SOP-Bench's evaluator scores."""
        return list_scored_columns(self.model, self.terms)
