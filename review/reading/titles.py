"""What people call a domain: the title that its brief states."""

from __future__ import annotations

from sopforge.language.domain.documents.titles import find_title
from sopforge.pipeline.briefs.brief_files import BRIEF, list_kept_versions
from sopforge.store.versions import DomainStore


def read_title(domain: DomainStore) -> str:
    """Return the title in the newest brief of a domain, its name where there is none."""
    kept = list_kept_versions(domain)
    text = domain.objects.read(f"{domain}/briefs/{kept[-1]}/{BRIEF}") if kept else None
    return find_title((text or b"").decode(errors="replace")) or domain.name
