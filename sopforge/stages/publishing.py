"""Publishing: an approved domain becomes a release, one package per complexity level."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version as installed_version
from pathlib import Path

from sopforge.checks.registry import examine
from sopforge.domain.reading import Brief
from sopforge.errors import Fault, StoreError
from sopforge.findings import Finding, has_errors
from sopforge.packaging.release import Release
from sopforge.packaging.sop_bench import LAYOUT, changed_files, package_files
from sopforge.stages.complexity import PROFILE, variants
from sopforge.stages.pipeline import STAGES, approved_versions, workspace_of
from sopforge.store.decisions import AuditLog
from sopforge.store.digests import digest_files
from sopforge.store.files import write_folder
from sopforge.store.local import LocalStore, Version
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


@dataclass(frozen=True, slots=True)
class Published:
    """A release: its folder, its packages by level, and whether it was there already."""

    version: str
    folder: Path
    packages: Mapping[str, Path]
    is_new: bool
    findings: tuple[Finding, ...]


def publish(store: LocalStore, brief: Brief) -> Published:
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
        for folder in reversed(releases):
            if _pins(folder) == _pinned(brief, versions):
                _refuse_changed(folder)
                return _published(brief, folder, is_new=False, findings=())
        version = _next_version(releases)
        packages = _packages(store, brief, versions, version)
        findings = _examined(workspace_of(brief, versions), packages)
        folder = store.folder(domain) / "releases" / version
        files = {
            f"{name}/{file}": text for name, part in packages.items() for file, text in part.items()
        }
        write_folder(folder, {**files, "release.json": _release_json(store, brief, version, files)})
    return _published(brief, folder, is_new=True, findings=findings)


def package_name(domain: str, level: str) -> str:
    """Return the name of a level's package; the plain level has the domain's own name."""
    return domain if level == "L0" else f"{domain}_{level.lower()}"


def _packages(
    store: LocalStore, brief: Brief, versions: tuple[Version, ...], version: str
) -> dict[str, dict[str, str | bytes]]:
    workspace = workspace_of(brief, versions)
    provenance = {
        "release": version,
        "stages": _content_of(versions),
        "approvals": AuditLog(store, brief.parts.domain).summary(versions),
    }
    return {
        package_name(brief.parts.domain, level): level_files(
            brief, variant, level, version, provenance
        )
        for level, variant in variants(workspace).items()
    }


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


def _refuse_changed(folder: Path) -> None:
    """Raise for a release in which a file is not what was released."""
    packages = [path for path in sorted(folder.iterdir()) if path.is_dir()]
    faults = [
        Fault(
            "release-changed",
            f"{name} is not the file that was released",
            str(package),
            "restore it, or move the release away and publish again",
        )
        for package in packages
        for name in changed_files(package)
    ]
    if faults:
        raise StoreError(*faults)


def _content_of(versions: tuple[Version, ...]) -> dict[str, str]:
    return {version.manifest.stage: version.manifest.content for version in versions}


def _pins(folder: Path) -> object:
    release = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    return {name: release.get(name) for name in ("stages", "terms", "layout")}


def _pinned(brief: Brief, versions: tuple[Version, ...]) -> dict[str, object]:
    """Return what two releases must have in common to be the same."""
    terms = brief.parts.package.model_dump(mode="json")
    return {"stages": _content_of(versions), "terms": terms, "layout": LAYOUT}


def _next_version(releases: list[Path]) -> str:
    if not releases:
        return FIRST_VERSION
    major, minor, _ = releases[-1].name.split(".")
    return f"{major}.{int(minor) + 1}.0"


def _release_json(
    store: LocalStore, brief: Brief, version: str, files: Mapping[str, str | bytes]
) -> str:
    domain = brief.parts.domain
    value = {
        "domain": domain,
        "version": version,
        **_pinned(brief, approved_versions(store, brief)),
        "files": digest_files(files),
        "audit_log": AuditLog(store, domain).head(),
    }
    return json.dumps(value, indent=2) + "\n"


def _published(
    brief: Brief, folder: Path, *, is_new: bool, findings: tuple[Finding, ...]
) -> Published:
    levels = brief.parts.complexity.levels
    packages: dict[str, Path] = {
        level: folder / package_name(brief.parts.domain, level) for level in levels
    }
    return Published(folder.name, folder, packages, is_new, findings)


def _not_approved(domain: str, stage: str) -> Fault:
    hint = "generate and approve it first; see: sopforge status " + domain
    return Fault("not-approved", f"'{domain}' has no approved {stage} for this brief", stage, hint)
