"""Versions of releases: which follows from what changed, and what its users read of that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sopforge.artifacts.packaging.sop_bench import LAYOUT
from sopforge.pipeline.changes.changelog import render_changelog
from sopforge.pipeline.changes.changes import (
    FIRST_VERSION,
    Bump,
    compare_workspaces,
    compute_next_version,
)
from sopforge.pipeline.changes.sides import find_released_versions
from sopforge.pipeline.stages.pipeline import build_workspace
from sopforge.store.log.yanks import Yank, list_yanks_since
from sopforge.store.versions import DomainStore, Store
from sopforge.workspace import Workspace


@dataclass(frozen=True, slots=True)
class News:
    """The version of a new release, and what it says of its changes."""

    version: str
    entry: str


def build_news(store: Store, workspace: Workspace, releases: Sequence[str]) -> News:
    """Return the version that follows from what changed since the release before.

    What was yanked since is listed after it.
    """
    if not releases:
        return News(FIRST_VERSION, f"## {FIRST_VERSION}\n\nThe first release.\n")
    found, domain = (
        _build_change_news(store, workspace, releases[-1]),
        store.get_domain(workspace.brief.parts.domain),
    )
    pinned = domain.read_release(releases[-1])
    yanks = _render_yanks(list_yanks_since(domain, str(pinned.get("audit_log"))))
    return News(found.version, f"{found.entry.rstrip()}\n\n{yanks}" if yanks else found.entry)


def render_history(domain: DomainStore, entry: str, releases: Sequence[str]) -> str:
    """Return the changes of a release, and after them those of the releases before."""
    earlier = [domain.read_release(version).get("changes") for version in reversed(releases)]
    return "\n".join(["# Changes\n", entry, *filter(None, earlier)])


def _build_change_news(store: Store, workspace: Workspace, last: str) -> News:
    brief = workspace.brief
    domain = store.get_domain(brief.parts.domain)
    before = find_released_versions(domain, last)
    gone = [stage for stage, version in before.items() if version is None]
    if gone or not before:
        version = compute_next_version(last, Bump.MINOR)
        reason = f"What {last} was made from ({', '.join(gone) or 'unknown'}) is no longer kept"
        entry = f"## {version}\n\n{reason}, so that what changed since cannot be listed.\n"
        return News(version, entry)
    old = build_workspace(brief, [version for version in before.values() if version])
    changes = compare_workspaces(old, workspace)
    if changes:
        version = compute_next_version(last, changes.bump)
        return News(version, render_changelog(version, changes))
    has_layout = domain.read_release(last).get("layout") == LAYOUT
    version = compute_next_version(last, Bump.PATCH if has_layout else Bump.MINOR)
    part = "terms of publishing" if has_layout else "layout of packages"
    return News(version, f"## {version}\n\nThe {part} changed, and nothing else.\n")


def _render_yanks(yanks: Iterable[Yank]) -> str:
    lines = [
        f"- {item.version} is {'no longer ' * item.is_undone}yanked"
        f"{': ' if item.reason else '.'}{' '.join(item.reason.split())}\n"
        for item in yanks
    ]
    return "".join(["### Earlier releases\n\n", *lines]) if lines else ""
