"""The files that a version was made from: of each stage before it, the version that was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product

from sopforge.language.domain.reading import Brief
from sopforge.pipeline.briefs.brief_files import (
    list_kept_versions,
    load_latest_brief,
    read_kept_brief,
)
from sopforge.pipeline.stages.building.orders import build_workspace
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.pipeline.stages.stage import Stage
from sopforge.store.digests import digest_text, digest_value
from sopforge.store.versions import DomainStore, Version
from sopforge.workspace import Workspace

_MOST_VERSIONS = 5
_MOST_TRIES = 2_000
_BY_NAME = {stage.name: stage for stage in STAGES}


def load_workspace(domain: DomainStore, version: Version) -> Workspace:
    """Return the brief and the files of a version, and of all that it was made from.

    Raises:
        StoreError: files are not what was stored.
    """
    made = [*_iterate_earlier_versions(domain, version), version]
    stages = [(_BY_NAME[item.manifest.stage], item) for item in made]
    return build_workspace(_find_source_brief(domain, stages), made)


def _find_source_brief(domain: DomainStore, made: Sequence[tuple[Stage, Version]]) -> Brief:
    """Return the newest brief that says of stages what versions were made from, else the newest."""
    for number in reversed(list_kept_versions(domain)):
        brief = read_kept_brief(domain, number)
        parts = [digest_value(stage.select_brief_part(brief)) for stage, _ in made]
        if parts == [version.manifest.inputs.get("brief") for _, version in made]:
            return brief
    return load_latest_brief(domain)


def _iterate_earlier_versions(domain: DomainStore, version: Version) -> Iterator[Version]:
    """Return the versions of the stages before a version's, in order."""
    stage, known = version.manifest.stage, _read_by(domain, version)
    for name in _BY_NAME:
        if name == stage:
            return
        found = known.get(name) or _find_fitting_version(domain, name, known)
        if found is not None:
            known[name] = found
            yield found


def _read_by(domain: DomainStore, version: Version) -> dict[str, Version]:
    """Return the versions that a version was made from, by stage; the newest where none fits."""
    stage = _BY_NAME[version.manifest.stage]
    choices = [_list_newest_versions(domain, name) for name in stage.needs]
    asked = version.manifest.inputs.get("files")
    # A manifest holds one digest of all files that were read, and not of which versions they were.
    # So combinations of the newest ones are tried, as many as a page can wait for.
    fits = (
        made for made in islice(product(*choices), _MOST_TRIES) if _compute_digest(made) == asked
    )
    found = next(fits, tuple(known[0] for known in choices if known))
    return {item.version.manifest.stage: item.version for item in found}


def _find_fitting_version(
    domain: DomainStore, name: str, known: Mapping[str, Version]
) -> Version | None:
    """Return the newest version of a stage that was made from known ones, else the newest."""
    needed = [_Known(known[need]) for need in _BY_NAME[name].needs if need in known]
    asked, versions = _compute_digest(needed), _list_newest_versions(domain, name)
    fitting = (item for item in versions if item.version.manifest.inputs.get("files") == asked)
    found = next(fitting, versions[0] if versions else None)
    return found.version if found else None


@dataclass(frozen=True)
class _Known:
    """A version with the digests of its files, which are read once."""

    version: Version

    @cached_property
    def digests(self) -> Mapping[str, str]:
        stage = self.version.manifest.stage
        return {f"{stage}/{name}": digest_text(text) for name, text in self.version.files.items()}


def _list_newest_versions(domain: DomainStore, name: str) -> list[_Known]:
    """Return the newest versions of a stage that are as they were stored, the newest first."""
    versions = reversed(domain.list_versions(name))
    return [_Known(item) for item in islice(versions, _MOST_VERSIONS) if item.is_intact]


def _compute_digest(made: Sequence[_Known]) -> str:
    """Return the digest of the files of versions, as a manifest states its inputs."""
    return digest_value({name: text for item in made for name, text in item.digests.items()})
