"""What Prefect shows about a release: one row for each package in it."""

from __future__ import annotations

import json

from flows.gate_words import make_review_url
from flows.markdown import format_code
from sopforge.pipeline.releases.publishing import Published

_SIZES = ("tasks", "tools", "inputs", "sop_words")


def list_package_rows(published: Published) -> list[dict[str, str]]:
    """Return the packages of a release with their sizes, and where each of them is."""
    return [
        _build_package_row(published, level, place) for level, place in published.packages.items()
    ]


def describe_release(domain: str, published: Published) -> str:
    """Return what stands above the table, in Markdown."""
    url = make_review_url(domain)
    link = f" [Its review pages](<{url}>)." if url else ""
    return f"{domain} {published.version}, in {format_code(published.place)}.{link}"


def _build_package_row(published: Published, level: str, place: str) -> dict[str, str]:
    profile = json.loads(published.read_text(level, "grader/profile.json"))
    sizes = {name.replace("_", " "): str(profile[name]) for name in _SIZES}
    return {"level": level, **sizes, "package": place}
