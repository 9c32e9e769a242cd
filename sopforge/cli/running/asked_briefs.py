"""Briefs as commands name them: a file, and a variant of it where one is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sopforge.errors import Fault, MaterialError, raise_gathered

if TYPE_CHECKING:
    from sopforge.language.domain.reading import Brief


def load_asked_brief(path: Path, variant: str) -> Brief:
    """Return the brief in a file, or a variant that it names; only that loads a solver."""
    from sopforge.pipeline.briefs.brief_files import load_brief

    loaded = load_brief(path)
    if not variant:
        return loaded
    from sopforge.pipeline.briefs.variants import build_variant_brief

    return build_variant_brief(loaded, variant, path.parent)


def load_asked_briefs(paths: Iterable[Path], variant: str) -> Mapping[str, tuple[Path, Brief]]:
    """Return briefs and their files by their domains.

    Raises:
        MaterialError: with all that is wrong with any of them, or two are of one domain.
    """
    found: dict[str, tuple[Path, Brief]] = {}
    faults: list[Fault] = []
    for path in paths:
        try:
            brief = load_asked_brief(path, variant)
        except MaterialError as refused:
            faults += refused.faults
            continue
        domain = brief.parts.domain
        if domain in found:
            message = f"{found[domain][0]} also defines the domain '{domain}'"
            faults.append(Fault("domain-twice", message, str(path), "pass only one of them"))
        found[domain] = path, brief
    raise_gathered(faults)
    return found
