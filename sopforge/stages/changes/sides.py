"""Which versions are compared: of each stage one against another, as a person names them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sopforge.domain.reading import Brief
from sopforge.domain.schema import suggest
from sopforge.errors import Fault, MaterialError
from sopforge.stages.gates import waiting_version
from sopforge.stages.pipeline import STAGES, workspace_of
from sopforge.stages.stage import Stage
from sopforge.store.decisions import AuditLog, GateState
from sopforge.store.digests import digest_files
from sopforge.store.versions import Store, Version
from sopforge.workspace import Workspace

_RELEASE = re.compile(r"\d+\.\d+\.\d+")


@dataclass(frozen=True, slots=True)
class Pair:
    """The versions of a stage on both sides; None where a side lacks the stage."""

    stage: str
    old: Version | None
    new: Version | None


@dataclass(frozen=True, slots=True)
class Sides:
    """Two states of a domain, stage by stage."""

    brief: Brief
    pairs: tuple[Pair, ...]

    @property
    def old(self) -> Workspace:
        """The state before."""
        return workspace_of(self.brief, [pair.old for pair in self.pairs if pair.old])

    @property
    def new(self) -> Workspace:
        """The state after."""
        return workspace_of(self.brief, [pair.new for pair in self.pairs if pair.new])


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person asks to be compared: all stages or one, and versions or releases, or none."""

    stage: str = ""
    before: str = ""
    after: str = ""


def find_sides(store: Store, brief: Brief, asked: Asked) -> Sides:
    """Return the versions to be compared.

    Where nothing is said, the newest version of a stage is held against the one approved before
    it, else against the one before it. A stage of one version stands on both sides, unless it was
    made from what is new.

    Raises:
        MaterialError: there is no such stage, version or release.
    """
    finder = _Finder(store, brief)
    stages = [stage for stage in STAGES if asked.stage in {stage.name, ""}]
    if not stages:
        names = [stage.name for stage in STAGES]
        message = f"there is no stage '{asked.stage}'; stages are {', '.join(names)}"
        hint = suggest(asked.stage, names)
        raise MaterialError(Fault("unknown-stage", message, "", hint))
    pairs: list[Pair] = []
    for stage in stages:
        new = finder.named(stage, asked.after, "--to", asked) or finder.newest(stage)
        old = finder.named(stage, asked.before, "--from", asked)
        if old is None and not asked.before and new is not None:
            known = [pair.old for pair in pairs if pair.old]
            old = finder.before(stage, new, known, is_alone=bool(asked.stage))
        pairs.append(Pair(stage.name, old, new))
    return Sides(brief, tuple(pairs))


def released(store: Store, domain: str, release: str) -> dict[str, Version | None]:
    """Return by stage the version that a release was made from; None where it is gone."""
    contents: Mapping[str, str] = store.release(domain, release).get("stages", {})
    return {
        stage: _of_content(store.versions(domain, stage), content)
        for stage, content in contents.items()
    }


def _of_content(versions: Iterable[Version], content: str) -> Version | None:
    found = (item for item in versions if item.manifest.content == content and item.is_intact)
    return next(found, None)


@dataclass(frozen=True, slots=True)
class _Finder:
    store: Store
    brief: Brief

    @property
    def domain(self) -> str:
        return self.brief.parts.domain

    def newest(self, stage: Stage) -> Version | None:
        """Return the version that waits at its gate, else the last one."""
        waiting = waiting_version(self.store, self.domain)
        if waiting is not None and waiting.manifest.stage == stage.name:
            return waiting
        versions = self.store.versions(self.domain, stage.name)
        return versions[-1] if versions else None

    def before(
        self, stage: Stage, new: Version, known: Iterable[Version], *, is_alone: bool
    ) -> Version | None:
        """Return what a version is held against."""
        log = AuditLog(self.store, self.domain)
        approvers = self.brief.parts.gates.approvers_of(stage.name)
        versions = self.store.versions(self.domain, stage.name)
        earlier = [item for item in versions if item.number < new.number]
        approved = [item for item in earlier if log.state(item, approvers) is GateState.APPROVED]
        if earlier or is_alone:
            return next(iter((approved or earlier)[-1:]), None)
        return new if self.is_made_from(stage, new, known) else None

    def is_made_from(self, stage: Stage, version: Version, known: Iterable[Version]) -> bool:
        """Tell whether a version was made from the files of these."""
        files = workspace_of(self.brief, known).files
        needed = {name: files[name] for name in files if name.partition("/")[0] in stage.needs}
        return version.manifest.inputs.get("files") == digest_files(needed)

    def named(self, stage: Stage, text: str, option: str, asked: Asked) -> Version | None:
        """Return the version that a person names, None where nothing is named."""
        if not text:
            return None
        if _RELEASE.fullmatch(text):
            return self.of_release(stage, text, option)
        if not asked.stage:
            message = f"'{text}' names no release, and versions are numbered stage by stage"
            hint = f"name the stage as well: sopforge diff {self.domain} schema {option} {text}"
            raise MaterialError(Fault("stage-not-named", message, option, hint))
        versions = self.store.versions(self.domain, stage.name)
        found = [item for item in versions if str(item.number) == text]
        if not found:
            known = ", ".join(str(item.number) for item in versions) or "none"
            message = f"'{self.domain}' has no version '{text}' of {stage.name}; it has: {known}"
            hint = f"see what there is with: sopforge status {self.domain}"
            raise MaterialError(Fault("unknown-version", message, option, hint))
        return found[0]

    def of_release(self, stage: Stage, release: str, option: str) -> Version:
        releases = self.store.releases(self.domain)
        if release not in releases:
            message = f"'{self.domain}' has no release {release}; it has: "
            message += ", ".join(releases) or "none"
            raise MaterialError(
                Fault("unknown-release", message, option, suggest(release, releases))
            )
        found = released(self.store, self.domain, release).get(stage.name)
        if found is None:
            message = f"the {stage.name} of release {release} is no longer in the store as it was"
            hint = "restore its version, or compare other versions"
            raise MaterialError(Fault("release-source-gone", message, option, hint))
        return found
