"""Which versions are compared: of each stage one against another, as a person names them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sopforge.errors import Fault, MaterialError
from sopforge.findings import has_errors
from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.stages.pipeline import STAGES, build_workspace
from sopforge.pipeline.stages.sop import SopStage
from sopforge.pipeline.stages.stage import Stage
from sopforge.store.course import find_current_version, load_course
from sopforge.store.digests import digest_files
from sopforge.store.log.audit_log import AuditLog, GateState
from sopforge.store.places import store_option
from sopforge.store.versions import DomainStore, Store, Version
from sopforge.workspace import STAGE_NAMES, Workspace

_RELEASE = re.compile(r"\d+\.\d+\.\d+")


@dataclass(frozen=True, slots=True)
class Pair:
    """The versions of a stage on both sides; None where a side lacks the stage."""

    stage: str
    old: Version | None
    new: Version | None


@dataclass(frozen=True, slots=True)
class Sides:
    """Two states of a domain, stage by stage, and whether it has a release already.

    ``ended_at`` is the stage at which the newest run ended where the new side has versions of an
    earlier run after it, else "". ``has_own_sop`` says of the old and the new side whether its
    SOP was made from its model, and ``released_as`` is the newest release of all of the new side,
    "" where there is none.
    """

    brief: Brief
    pairs: tuple[Pair, ...]
    is_released: bool
    ended_at: str = ""
    has_own_sop: tuple[bool, bool] = (False, False)
    released_as: str = ""

    @property
    def of_before(self) -> tuple[str, ...]:
        """The stages after the one at which the newest run ended."""
        is_known = self.ended_at in STAGE_NAMES
        return STAGE_NAMES[STAGE_NAMES.index(self.ended_at) + 1 :] if is_known else ()

    @property
    def old(self) -> Workspace:
        """The state before."""
        return build_workspace(self.brief, [pair.old for pair in self.pairs if pair.old])

    @property
    def new(self) -> Workspace:
        """The state after."""
        return build_workspace(self.brief, [pair.new for pair in self.pairs if pair.new])


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """What a person asks to be compared: all stages or one, and versions or releases, or none."""

    stage: str = ""
    before: str = ""
    after: str = ""


def find_sides(store: Store, brief: Brief, asked: ComparisonRequest) -> Sides:
    """Return the versions to be compared.

    Where nothing is said, the version of a stage that counts is compared with the one in the newest
    release that does not hold all that counts. Where there is none, it is the other one that was
    approved last, whatever their numbers: a brief may have been changed back. Where none was, it is
    the newest other one without errors. A version that is named is compared with what was approved
    before it. A stage of one version stands on both sides, unless it was made from what is new.

    Raises:
        MaterialError: there is no such stage, version or release.
    """
    domain = store.get_domain(brief.parts.domain)
    finder = _Finder(domain, brief)
    stages = [stage for stage in STAGES if asked.stage in {stage.name, ""}]
    if not stages:
        names = [stage.name for stage in STAGES]
        message = f"there is no stage '{asked.stage}'; stages are {', '.join(names)}"
        hint = suggest(asked.stage, names)
        raise MaterialError(Fault("unknown-stage", message, "", hint))
    released = {} if asked.before or asked.after else finder.find_baseline()
    pairs: list[Pair] = []
    for stage in stages:
        new = finder.find_named_version(
            stage, asked.after, "--to", asked
        ) or finder.find_current_version(stage)
        old = finder.find_named_version(stage, asked.before, "--from", asked)
        old = old or released.get(stage.name)
        if old is None and not asked.before and new is not None:
            known = [pair.old for pair in pairs if pair.old]
            others = finder.list_other_versions(stage, new, is_named=bool(asked.after))
            old = finder.find_last_approved(stage, others)
            if not others and not asked.stage and finder.is_made_from(stage, new, known):
                old = new
        pairs.append(Pair(stage.name, old, new))
    course = load_course(domain)
    of_before = [
        pair for pair in pairs if pair.new and course.last and not course.has_come_to(pair.stage)
    ]
    ended_at = course.last if of_before and not asked.after else ""
    has_own_sop = (
        finder.has_own_sop([pair.old for pair in pairs if pair.old]),
        finder.has_own_sop([pair.new for pair in pairs if pair.new]),
    )
    releases = domain.list_releases()
    released_as = finder.find_release_name(releases, [pair.new for pair in pairs if pair.new])
    return Sides(brief, tuple(pairs), bool(releases), ended_at, has_own_sop, released_as)


def find_released_versions(domain: DomainStore, release: str) -> dict[str, Version | None]:
    """Return by stage the version that a release was made from; None where it is gone."""
    contents: Mapping[str, str] = domain.read_release(release).get("stages", {})
    return {
        stage: _find_by_content(domain.list_versions(stage), content)
        for stage, content in contents.items()
    }


def _find_by_content(versions: Iterable[Version], content: str) -> Version | None:
    found = (item for item in versions if item.manifest.content == content and item.is_intact)
    return next(found, None)


@dataclass(frozen=True, slots=True)
class _Finder:
    domain: DomainStore
    brief: Brief

    @property
    def there(self) -> str:
        """What a command that is suggested needs so as to find the store."""
        return store_option(self.domain.place)

    def find_current_version(self, stage: Stage) -> Version | None:
        """Return the version that counts."""
        return find_current_version(self.domain, stage.name)

    def list_other_versions(self, stage: Stage, new: Version, *, is_named: bool) -> list[Version]:
        """Return what a version can be compared with: of a named one, what was made before it."""
        versions = self.domain.list_versions(stage.name)
        return [
            item
            for item in versions
            if item.number < new.number or (item.number != new.number and not is_named)
        ]

    def find_last_approved(self, stage: Stage, versions: Sequence[Version]) -> Version | None:
        """Return the one that was approved last, else the newest that the checks let pass.

        An edit that they refused never counted, and stands for the old only where nothing else is.
        """
        log = AuditLog(self.domain).take_snapshot()
        approvers = self.brief.parts.gates.count_approvers(stage.name)
        approved = {
            log.list_approvals(item)[-1].sequence: item
            for item in versions
            if log.compute_gate_state(item, approvers) is GateState.APPROVED
        }
        if approved:
            return approved[max(approved)]
        sound = [item for item in versions if not has_errors(item.manifest.findings)]
        return next(reversed(sound or versions), None)

    def find_baseline(self) -> Mapping[str, Version | None]:
        """Return by stage what the newest release holds that does not hold all that counts."""
        current = [item for stage in STAGES if (item := self.find_current_version(stage))]
        newest_first = reversed(self.domain.list_releases())
        others = (name for name in newest_first if not self.find_release_name([name], current))
        last = next(others, "")
        return find_released_versions(self.domain, last) if last else {}

    def has_own_sop(self, side: Sequence[Version]) -> bool:
        """Return whether the SOP among these was made from the schema among these."""
        found = [item for item in side if item.manifest.stage == SopStage.name]
        return any(self.is_made_from(SopStage(), item, side) for item in found)

    def find_release_name(self, releases: Sequence[str], side: Iterable[Version]) -> str:
        """Return the newest of the releases that were made from these versions."""
        contents = {item.manifest.stage: item.manifest.content for item in side}
        return next(
            (
                name
                for name in reversed(releases)
                if self.domain.read_release(name).get("stages") == contents
            ),
            "",
        )

    def is_made_from(self, stage: Stage, version: Version, known: Iterable[Version]) -> bool:
        """Return whether a version was made from the files of these."""
        files = build_workspace(self.brief, known).files
        needed = {name: files[name] for name in files if name.partition("/")[0] in stage.needs}
        return version.manifest.inputs.get("files") == digest_files(needed)

    def find_named_version(
        self, stage: Stage, text: str, option: str, asked: ComparisonRequest
    ) -> Version | None:
        """Return the version that a person names, None where nothing is named."""
        if not text:
            return None
        if _RELEASE.fullmatch(text):
            return self.require_released_version(stage, text, option)
        if not asked.stage:
            message = f"'{text}' names no release, and versions are numbered stage by stage"
            again = f"sopforge diff {self.domain} schema {option} {text}{self.there}"
            hint = f"name the stage as well: {again}"
            raise MaterialError(Fault("stage-not-named", message, option, hint))
        versions = self.domain.list_versions(stage.name)
        found = [item for item in versions if str(item.number) == text]
        if not found:
            known = ", ".join(str(item.number) for item in versions) or "none"
            message = f"'{self.domain}' has no version '{text}' of {stage.name}; it has: {known}"
            hint = f"see what there is with: sopforge status {self.domain}{self.there}"
            raise MaterialError(Fault("unknown-version", message, option, hint))
        return found[0]

    def require_released_version(self, stage: Stage, release: str, option: str) -> Version:
        releases = self.domain.list_releases()
        if release not in releases:
            message = f"'{self.domain}' has no release {release}; its releases are "
            message += ", ".join(releases) or "none"
            raise MaterialError(
                Fault("unknown-release", message, option, suggest(release, releases))
            )
        found = find_released_versions(self.domain, release).get(stage.name)
        if found is None:
            message = f"the {stage.name} of release {release} is no longer in the store as it was"
            hint = "restore its version, or compare other versions"
            raise MaterialError(Fault("release-source-gone", message, option, hint))
        return found
