"""Publishing: an approved domain becomes a release, one package per complexity level."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version as installed_version

from sopforge.checks.package_provenance import EDITED
from sopforge.checks.registry import examine
from sopforge.domain.reading import Brief
from sopforge.errors import Fault, StoreError
from sopforge.findings import Finding, has_errors
from sopforge.packaging.release import Release
from sopforge.packaging.sop_bench import LAYOUT, damaged_files, package_files
from sopforge.stages.changes.changelog import changelog
from sopforge.stages.changes.changes import Bump, changes_between, next_version
from sopforge.stages.changes.sides import released
from sopforge.stages.complexity import PROFILE, variants
from sopforge.stages.pipeline import STAGES, approved_versions, workspace_of
from sopforge.store.decisions import AuditLog
from sopforge.store.digests import digest_files
from sopforge.store.edits import edits_of
from sopforge.store.versions import Store, Version
from sopforge.workspace import (
    COVERAGE,
    COVERAGE_TEXT,
    DOMAIN,
    EXPLANATIONS,
    MATERIAL,
    OPENAPI,
    ROWS_ASKED,
    SHORTCUTS,
    SOP_MARKDOWN,
    SOP_TEXT,
    SOP_TRACE,
    TOOL_TESTS,
    TOOLS,
    TOOLSPECS,
    Workspace,
)

FIRST_VERSION = "1.0.0"
CHANGES = "CHANGES.md"
"""Beside the packages of a release: what changed, release by release."""


@dataclass(frozen=True, slots=True)
class Published:
    """A release: its version, where it is, and whether it was there already.

    ``packages`` says by level where its package is; ``files`` holds the release's files.
    """

    version: str
    place: str
    packages: Mapping[str, str]
    files: Mapping[str, bytes]
    is_new: bool
    findings: tuple[Finding, ...]

    def text(self, level: str, name: str) -> str:
        """Return the text of a file of a level's package."""
        package = self.packages[level].rpartition("/")[2]
        return self.files[f"{package}/{name}"].decode()


def publish(store: Store, brief: Brief) -> Published:
    """Write the release of a domain whose gates are all passed; the same content only once.

    Raises:
        StoreError: a gate is not passed, or a package fails its checks.
    """
    domain = brief.parts.domain
    versions = approved_versions(store, brief)
    if len(versions) < len(STAGES):
        raise StoreError(_not_approved(domain, STAGES[len(versions)].name))
    with store.locked(domain):
        releases = store.releases(domain)
        for version in reversed(releases):
            if _pins(store.release(domain, version)) == _pinned(brief, versions):
                files = store.release_files(domain, version)
                _refuse_changed(store, brief, version, files)
                return _published(store, brief, version, files, is_new=False)
        news = _news(store, brief, versions, releases)
        version = news.version
        packages = _packages(store, brief, versions, version)
        findings = _examined(workspace_of(brief, versions), packages)
        files = {
            f"{name}/{file}": content.encode() if isinstance(content, str) else content
            for name, part in packages.items()
            for file, content in part.items()
        }
        files[CHANGES] = _history(store, domain, news.entry, releases).encode()
        record = {**_record(store, brief, version, files), "changes": news.entry}
        store.save_release(domain, version, files, record)
    return _published(store, brief, version, files, is_new=True, findings=findings)


def package_name(domain: str, level: str) -> str:
    """Return the name of a level's package; the plain level has the domain's own name."""
    return domain if level == "L0" else f"{domain}_{level.lower()}"


def _packages(
    store: Store, brief: Brief, versions: tuple[Version, ...], version: str
) -> dict[str, dict[str, str | bytes]]:
    workspace = workspace_of(brief, versions)
    provenance = {
        "release": version,
        "stages": _content_of(versions),
        "approvals": AuditLog(store, brief.parts.domain).summary(versions),
        **_edited(store, brief, versions),
    }
    return {
        package_name(brief.parts.domain, level): level_files(
            brief, variant, level, version, provenance
        )
        for level, variant in variants(workspace).items()
    }


def _edited(
    store: Store, brief: Brief, versions: Iterable[Version]
) -> dict[str, dict[str, list[str]]]:
    """Return by whom stages were edited, under its key; nothing where none was."""
    names = [item.manifest.stage for item in versions if "edits" in item.manifest.inputs]
    edited = {
        name: list(dict.fromkeys(by for by, _ in edits_of(store, brief.parts.domain, name)))
        for name in names
    }
    return {EDITED: edited} if edited else {}


def made_with() -> str:
    """Return the name and version of this program, as a package keeps it."""
    return f"SOPForge {installed_version('sopforge')}, layout {LAYOUT}"


def level_files(
    brief: Brief, variant: Workspace, level: str, version: str, provenance: Mapping[str, object]
) -> dict[str, str | bytes]:
    """Return the files of a level's package, checksums included."""
    files = variant.files
    return package_files(
        Release(
            name=package_name(brief.parts.domain, level),
            version=version,
            level=level,
            model=variant.model,
            tasks=variant.tasks,
            domain_yaml=files[DOMAIN],
            sop=files[SOP_TEXT],
            tools=files[TOOLS],
            toolspecs=files[TOOLSPECS],
            openapi=files[OPENAPI],
            records=variant.records,
            explanations=files[EXPLANATIONS],
            coverage=files[COVERAGE],
            coverage_text=files[COVERAGE_TEXT],
            profile=files[PROFILE],
            provenance={**provenance, "level": level, "made_with": made_with()},
            terms=brief.parts.package,
            seed=brief.parts.dataset.seed,
            evidence=_evidence(brief, variant),
            tool_tests=files[TOOL_TESTS],
        )
    )


def _evidence(brief: Brief, variant: Workspace) -> dict[str, str]:
    """Return what the checks of a package need beside the model and the tasks."""
    written = [name for name in (MATERIAL, ROWS_ASKED) if name in variant.files]
    files = [SOP_MARKDOWN, SOP_TRACE, SHORTCUTS, *written]
    return {
        "brief.yaml": brief.text,
        **({"draft.md": brief.draft} if brief.draft else {}),
        **{name.partition("/")[2]: variant.files[name] for name in files},
    }


def _examined(
    workspace: Workspace, packages: Mapping[str, Mapping[str, str | bytes]]
) -> tuple[Finding, ...]:
    findings = []
    for files in packages.values():
        texts = {name: text for name, text in files.items() if isinstance(text, str)}
        packaged = workspace.with_files({f"package/{name}": texts[name] for name in texts})
        findings += examine("package", packaged)
    if has_errors(findings):
        faults = [Fault(item.id, item.message, item.where) for item in findings]
        raise StoreError(*faults)
    return tuple(findings)


def _refuse_changed(store: Store, brief: Brief, version: str, files: Mapping[str, bytes]) -> None:
    """Raise for a release in which a file is not what was released."""
    domain, faults = brief.parts.domain, []
    for level in brief.parts.complexity.levels:
        package = package_name(domain, level)
        start = f"{package}/"
        own = {name[len(start) :]: data for name, data in files.items() if name.startswith(start)}
        faults += [
            Fault(
                "release-changed",
                f"{name} is not the file that was released",
                f"{store.place}/{domain}/releases/{version}/{package}",
                "restore it, or move the release away and publish again",
            )
            for name in damaged_files(own)
        ]
    if faults:
        raise StoreError(*faults)


def _content_of(versions: tuple[Version, ...]) -> dict[str, str]:
    return {version.manifest.stage: version.manifest.content for version in versions}


def _pins(release: Mapping[str, object]) -> object:
    return {name: release.get(name) for name in ("stages", "terms", "layout")}


def _pinned(brief: Brief, versions: tuple[Version, ...]) -> dict[str, object]:
    """Return what two releases must have in common to be the same."""
    terms = brief.parts.package.model_dump(mode="json")
    return {"stages": _content_of(versions), "terms": terms, "layout": LAYOUT}


@dataclass(frozen=True, slots=True)
class _News:
    """The version of a new release, and what it says of its changes."""

    version: str
    entry: str


def _news(
    store: Store, brief: Brief, versions: tuple[Version, ...], releases: Sequence[str]
) -> _News:
    """Return the version that follows from what changed since the release before."""
    if not releases:
        return _News(FIRST_VERSION, f"## {FIRST_VERSION}\n\nThe first release.\n")
    domain, last = brief.parts.domain, releases[-1]
    before = released(store, domain, last)
    gone = [stage for stage, version in before.items() if version is None]
    if gone or not before:
        version = next_version(last, Bump.MINOR)
        told = f"What {last} was made from ({', '.join(gone) or 'unknown'}) is no longer kept"
        entry = f"## {version}\n\n{told}, so that what changed since cannot be told.\n"
        return _News(version, entry)
    old = workspace_of(brief, [version for version in before.values() if version])
    changes = changes_between(old, workspace_of(brief, versions))
    if changes:
        version = next_version(last, changes.bump)
        return _News(version, changelog(version, changes))
    has_layout = store.release(domain, last).get("layout") == LAYOUT
    version = next_version(last, Bump.PATCH if has_layout else Bump.MINOR)
    part = "terms of publishing" if has_layout else "layout of packages"
    return _News(version, f"## {version}\n\nThe {part} changed, and nothing else.\n")


def _history(store: Store, domain: str, entry: str, releases: Sequence[str]) -> str:
    """Return the changes of a release, and behind them those of the releases before."""
    earlier = [store.release(domain, version).get("changes") for version in reversed(releases)]
    return "\n".join(["# Changes\n", entry, *filter(None, earlier)])


def _record(
    store: Store, brief: Brief, version: str, files: Mapping[str, bytes]
) -> dict[str, object]:
    """Return what a release says of itself."""
    domain = brief.parts.domain
    return {
        "domain": domain,
        "version": version,
        **_pinned(brief, approved_versions(store, brief)),
        "files": digest_files(files),
        "audit_log": AuditLog(store, domain).head(),
    }


def _published(
    store: Store,
    brief: Brief,
    version: str,
    files: Mapping[str, bytes],
    *,
    is_new: bool,
    findings: tuple[Finding, ...] = (),
) -> Published:
    domain = brief.parts.domain
    place = f"{store.place}/{domain}/releases/{version}"
    levels = brief.parts.complexity.levels
    packages: dict[str, str] = {level: f"{place}/{package_name(domain, level)}" for level in levels}
    return Published(version, place, packages, files, is_new, findings)


def _not_approved(domain: str, stage: str) -> Fault:
    hint = "generate and approve it first; see: sopforge status " + domain
    return Fault("not-approved", f"'{domain}' has no approved {stage} for this brief", stage, hint)
