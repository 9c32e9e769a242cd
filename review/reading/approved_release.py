"""What there is to publish of a domain whose gates are all passed."""

from __future__ import annotations

from dataclasses import dataclass

from sopforge.language.domain.reading import Brief
from sopforge.pipeline.releases.publishing import find_matching_release
from sopforge.store.log.yanks import find_yanked_releases
from sopforge.store.versions import DomainStore, Store


@dataclass(frozen=True, slots=True)
class Passed:
    """The release that holds what is approved, "" where none does, and how it stands in words."""

    release: str
    words: str


def find_approved_release(store: Store, brief: Brief) -> Passed:
    """Return what there is to publish for the brief of a domain, all of whose gates are passed."""
    release = find_matching_release(store, brief)
    return Passed(release, _describe_release(store.get_domain(brief.parts.domain), release))


def _describe_release(domain: DomainStore, release: str) -> str:
    if not release:
        return "All gates are passed. The approved versions are not released yet."
    if release in find_yanked_releases(domain):
        return (
            f"The approved versions were released as {release}, which was yanked. Correct what "
            "was wrong."
        )
    if release != domain.list_releases()[-1]:
        return f"The approved versions equal those of the earlier release {release}."
    return f"Released as {release}. Nothing has changed since."
